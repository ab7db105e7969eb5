"use strict";
// Follows a league that is being played: gets the page again and again, and changes on it only what is new.
// `arena serve` puts this script into the pages it sends, before all others. So it sees the page as it was sent,
// and compares that with what it gets later; nodes that other scripts made, moved or hid stay as they are.
// After a change it says "arena:swapped", and they do again what the reader chose (sort, filter).
(() => {
  const LONGEST = 300; // seconds between two attempts
  const all = (selector, page = document) => [...page.querySelectorAll(selector)];
  const parts = page => all(".top, main", page);
  const { seconds } = document.currentScript.dataset;
  let kept = {}; // whether the reader paused, on all pages of the tab
  try { kept = sessionStorage; } catch { /* a browser may forbid it */ }

  // A node as it was sent knows the one that is shown for it, wherever scripts have put that.
  const link = (node, shown) => {
    node.shown = shown;
    shown.childNodes.forEach((child, at) => link(node.childNodes[at], child));
    return node;
  };
  let { title } = document, sent = parts(document).map(part => link(part.cloneNode(true), part));

  // The children of a node by what they are: a section by its heading, a column by its words, a row by where it leads.
  const known = node => {
    const count = {};
    return [...node.childNodes].map((child, place) => {
      const at = name => child.getAttribute?.(name), { nodeName } = child;
      const what = [nodeName, at("id") || at("aria-labelledby") || at("scope") === "col" && child.textContent
        || nodeName === "TR" && child.querySelector("a")?.href];
      count[what] = -~count[what];
      return [what + count[what], [child, place]];
    });
  };
  const merge = (old, fresh) => {
    const shown = fresh.shown = old.shown, before = new Map(known(old));
    if (fresh.data !== old.data) shown.data = fresh.data;
    for (const { name } of [...old.attributes || [], ...fresh.attributes || []]) {
      const value = fresh.getAttribute(name);
      if (value === null) shown.removeAttribute(name);
      else if (value !== old.getAttribute(name)) shown.setAttribute(name, value);
    }
    let last, furthest = -1;
    for (let [key, [child]] of known(fresh)) {
      const [same, place = -1] = before.get(key) || [];
      before.delete(key);
      if (!same) link(child, document.importNode(child, true));
      else if (!same.isEqualNode(child)) merge(same, child);
      else child.replaceWith(child = same);
      // Only what is new or has changed its place goes anywhere.
      if (place > furthest) furthest = place;
      else if (last?.parentNode) last.after(child.shown);
      else shown.prepend(child.shown);
      last = child.shown;
    }
    before.forEach(([gone]) => gone.shown.remove());
  };
  const change = page => {
    const files = of => all("script, link", of).map(node => node.src || node.href), own = files();
    // Other static files: the page was made by another arena, or has got a part that needs a script.
    if (!files(page).every(file => own.includes(file))) location.reload();
    const held = document.activeElement, fresh = parts(page);
    sent.forEach((old, at) => merge(old, fresh[at]));
    sent = fresh;
    if (page.title !== title) document.title = title = page.title;
    document.dispatchEvent(new Event("arena:swapped"));
    if (held.isConnected) held.focus({ preventScroll: true });
  };

  const [top] = parts(document), clock = time => new Date(time).toTimeString().slice(0, 5);
  top.insertAdjacentHTML("beforeend", "<p class=live><span role=status></span> <span></span> <button></button>");
  let seen = Date.now(), wait = seconds, lost, over, busy, tag, timer;
  const nodes = [...top.lastChild.children];
  const tell = () => {
    const { paused } = kept, why = paused ? "Updates are paused."
      : lost ? `No answer since ${clock(lost)}.` : over && "The league is not being played now.";
    [
      why || "Live:", why ? `As of ${clock(seen)}.` : `updated ${Math.round((Date.now() - seen) / 1000)} s ago`,
      `${paused ? "Resume" : "Pause"} updates`,
    ].forEach((words, at) => { if (nodes[at].textContent !== words) nodes[at].textContent = words; });
  };
  const get = async () => {
    const answer = await fetch(location, { cache: "no-cache" }), text = await answer.text();
    return answer.ok && [answer.headers.get("ETag"), text];
  };
  const look = async () => {
    clearTimeout(timer);
    if (busy || kept.paused || document.hidden) return;
    busy = true;
    const [found, text] = await get().catch(() => 0) || [];
    busy = false;
    if (kept.paused) return;
    if (found) {
      const page = new DOMParser().parseFromString(text, "text/html");
      if (found !== tag) change(page);
      over = !page.querySelector("[data-seconds]");
      [tag, seen, lost, wait] = [found, Date.now(), 0, over ? LONGEST : seconds];
    } else {
      lost ||= Date.now();
      wait = Math.min(2 * wait, LONGEST);
    }
    tell();
    timer = setTimeout(look, 1000 * wait);
  };
  nodes[2].onclick = () => {
    kept.paused = kept.paused ? "" : "yes";
    tell();
    look();
  };
  document.addEventListener("visibilitychange", look);
  setInterval(tell, 1000);
  timer = setTimeout(look, 1000 * wait);
  tell();
})();
