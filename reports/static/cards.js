"use strict";
// Draws what is on the card table: cards, signs of the buttons, and the graph of points. It knows no match:
// match.js or seat.js, which is loaded after it, says what is to be drawn.
const drawing = (() => {
  const make = (tag, name, ...inside) => {
    const element = Object.assign(document.createElement(tag), { className: name });
    element.append(...inside);
    return element;
  };
  const draw = (tag, attributes, ...inside) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...inside);
    return element;
  };

  // The suits, drawn around 0,0 and about 20 wide. Payoos have a star.
  const star = [...Array(10).keys()].map(n => {
    const away = n % 2 ? 4.6 : 10.5, angle = Math.PI * (n / 5 - 0.5);
    return `${(away * Math.cos(angle)).toFixed(1)} ${(away * Math.sin(angle)).toFixed(1)}`;
  });
  const shapes = {
    S: "M0-10C4-5 10-1.5 10 3C10 6 7.8 7.5 5.5 7.5C3.5 7.5 1.8 6.5 1 5C1.2 7 2 9 3.5 10H-3.5C-2 9-1.2 7-1 5C-1.8 6.5-3.5 7.5-5.5 7.5C-7.8 7.5-10 6-10 3C-10-1.5-4-5 0-10Z",
    H: "M0 9.5C-4 5.5-10 1-10-4C-10-8-7.5-9.5-5-9.5C-2.5-9.5-.7-8 0-6C.7-8 2.5-9.5 5-9.5C7.5-9.5 10-8 10-4C10 1 4 5.5 0 9.5Z",
    D: "M0-10.5C2-6.5 5-2.5 8 0C5 2.5 2 6.5 0 10.5C-2 6.5-5 2.5-8 0C-5-2.5-2-6.5 0-10.5Z",
    C: "M0-10A4.7 4.7 0 0 1 3.7-2.4A4.8 4.8 0 1 1 1 3.7C1.2 6.5 2 9 3.7 10H-3.7C-2 9-1.2 6.5-1 3.7A4.8 4.8 0 1 1-3.7-2.4A4.7 4.7 0 0 1 0-10Z",
    P: `M${star.join("L")}Z`,
  };
  const words = (x, y, size, text, anchor = "start") => draw("text", { x, y, "font-size": size, "text-anchor": anchor }, text);
  const sign = (suit, x, y, scale, own = {}) => draw("path", { d: shapes[suit], transform: `translate(${x} ${y})scale(${scale})`, ...own });

  // A card as the tables name it: "S7". The Papayoo has the colour of its suit and its 40 points on it, a
  // Payoo its points in a star. The left edge says all, because cards of a hand overlap.
  const card = (name, papayoo, more = "", note = "") => {
    const [suit] = name, rank = name.slice(1), heart = name === papayoo, long = rank.length > 1;
    const middle = heart ? [sign(suit, 33, 20, 0.9), words(31, 66, 22, "40", "middle")]
      : suit === "P" ? [sign(suit, 32, 42, 1.6, { class: "pale" }), words(32, 47, 14, rank, "middle")]
      : [sign(suit, 31, 43, 1.25)];
    const corner = words(long ? 2.5 : 4.5, 18, long ? 17 : 19, rank);
    if (long) corner.setAttribute("letter-spacing", -1.5);
    return draw("svg", {
      class: `card ${suit.toLowerCase()} ${heart ? "papayoo" : ""} ${more}`, viewBox: "0 0 50 70",
      role: "img", "aria-label": `${name}${heart ? ", the Papayoo" : ""}${note}`,
    }, corner, sign(suit, 10.5, 29, 0.66), words(10.5, 51, 13, suit, "middle"), ...middle);
  };
  const icon = d => draw("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": true }, draw("path", { d }));

  // The cloth and the seats around it. Seat `below` is drawn at the bottom, the others follow clockwise. Of each
  // seat there is a chip, with its points, its sign of the dealer and a word on what it does.
  const number = seat => make("span", `n seat${seat}`, seat);
  const cloth = (felt, names, below = 0) => {
    const { length } = names;
    const angle = seat => Math.PI * (0.5 + (2 * (seat - below)) / length);
    const put = (element, seat, where) => {
      const at = (axis, part) => `calc(50% + var(--${where}-${axis}) * ${part(angle(seat))})`;
      Object.assign(element.style, { left: at("x", Math.cos), top: at("y", Math.sin) });
      return element;
    };
    const chips = names.map((name, seat) => {
      const own = ["points", "dealer", "tag"].map(part => make("span", part));
      const chip = put(make("div", "chip", number(seat), make("bdi", "", name), ...own), seat, "far");
      felt.append(Object.assign(chip, { title: name }));
      return [chip, ...own];
    });
    felt.dataset.seats = length;
    // Moves a card from a seat to where it lies, or back.
    const fly = (element, seat, duration, back, delay = 0) => {
      const [chip] = chips[seat], by = side => `${chip[side] - element[side]}px`;
      const away = { translate: `${by("offsetLeft")} ${by("offsetTop")}`, scale: 0.4, opacity: 0 };
      element.animate(back ? [{}, away] : [away, {}], { duration, delay, easing: "ease-out", fill: "both" });
    };
    return { angle, put, chips, fly };
  };

  // Keeps places (in %, one a line) at least `gap` apart and inside; in the order given.
  const apart = (places, gap) => {
    const order = places.map((_, line) => line).sort((one, other) => places[one] - places[other]), found = [...places];
    let least = 0, most = 100;
    for (const line of order) least = (found[line] = Math.max(found[line], least)) + gap;
    for (const line of order.reverse()) most = (found[line] = Math.min(found[line], most)) - gap;
    return found;
  };

  // The points of seats over tricks. `lines`: by seat, the points after each trick, 0 first. `parts`: where
  // rounds begin, with their names. `marks`: links, each with a place. `act`: what a click on a trick does.
  // Returns a function that moves the line of the trick in view.
  const graph = (place, lines, parts, marks, act) => {
    const wide = lines[0].length - 1, top = Math.max(...lines.flat(), 20);
    const tick = [10, 20, 25, 50, 100, 200, 250, 500, 1000].find(one => top / one <= 4), high = Math.ceil(top / tick) * tick;
    const up = y => 100 - (100 * y) / high, scale = [...Array(high / tick + 1).keys()].map(n => n * tick);
    const at = (name, text, x, percent, tag = "span") => {
      const element = make(tag, name, text);
      Object.assign(element.style, { left: `${(100 * x) / wide}%`, top: `${percent}%` });
      return element;
    };
    const line = (x1, x2, y1, y2) => draw("line", { x1, x2, y1, y2 });
    const drawn = draw("svg", { viewBox: `0 0 ${wide} 100`, preserveAspectRatio: "none", "aria-hidden": true },
      ...scale.map(y => line(0, wide, up(y), up(y))), ...parts.slice(1).map(([x]) => line(x, x, 0, 100)),
      ...lines.map((own, seat) => draw("polyline", { class: `seat${seat}`, points: own.map((y, x) => [x, up(y)]).join(" ") })));
    const ends = apart(lines.map(own => up(own[wide])), 1600 / place.clientHeight), cursor = at("cursor", "", 0, 0);
    place.replaceChildren(drawn, cursor, ...scale.map(y => at("y", y, 0, up(y))), ...parts.map(([x, name]) => at("x", name, x, 100)),
      ...ends.map((percent, seat) => at(`n seat${seat}`, seat, wide, percent)),
      ...marks.map(({ x, y, kind, seat, text, label, href }) => (
        Object.assign(at(`mark seat${seat} ${kind}`, kind || place.clientWidth / wide > 14 ? text : "", x, up(y), "a"), { href, title: label, ariaLabel: label })
      )));
    drawn.onclick = ({ offsetX }) => act(Math.min(wide - 1, Math.floor((offsetX / place.clientWidth) * wide)));
    return x => { cursor.style.left = `${(100 * x) / wide}%`; };
  };

  return { make, card, icon, number, cloth, graph };
})();
