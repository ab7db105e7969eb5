"""Who may act for a seat: tokens that are good once, cookies, and whose requests are answered at all."""

from __future__ import annotations

import pytest

from arena.people.access import Address, Entrance


def cookie(header: str | None) -> dict[str, str]:
    """The header that a browser sends after this one was set."""
    assert header is not None
    return {"cookie": header.partition(";")[0]}


def test_a_token_is_good_once() -> None:
    entrance = Entrance([0, 1])
    token = entrance.token(0)
    assert not entrance.may_act(0, {})
    assert entrance.enter(1, token) is None, "it is for its own seat"
    assert entrance.enter(0, token + "x") is None
    assert entrance.enter(0, "") is None
    own = cookie(entrance.enter(0, token))
    assert entrance.may_act(0, own)
    assert not entrance.may_act(1, own)
    assert entrance.enter(0, token) is None
    assert entrance.may_act(0, own), "a bad token takes nothing from anybody"


def test_a_newer_token_and_a_newer_browser() -> None:
    entrance = Entrance([0])
    old, new = entrance.token(0), entrance.token(0)
    assert entrance.enter(0, old) is None
    first = cookie(entrance.enter(0, new))
    second = cookie(entrance.enter(0, entrance.token(0)))
    assert not entrance.may_act(0, first)
    assert entrance.may_act(0, second)


def test_cookies_of_others_do_no_harm() -> None:
    entrance, other = Entrance([0]), Entrance([0])
    own = cookie(entrance.enter(0, entrance.token(0)))["cookie"]
    foreign = cookie(other.enter(0, other.token(0)))["cookie"]
    assert entrance.may_act(0, {"cookie": f'a="x; {own}; broken;;= ; {foreign}; {{"j": 1}}=é'})
    assert not entrance.may_act(0, {"cookie": foreign})
    name, _, value = own.partition("=")
    for bad in (f"{name}=", f"{name}", f"{name}={value}x", f"x{own}", f"{name}={foreign.partition('=')[2]}"):
        assert not entrance.may_act(0, {"cookie": bad}), bad
    assert not entrance.may_act(0, {"cookie": f"{name}="}), "a seat that nobody has entered"


def test_the_cookie_is_for_one_seat_and_no_script() -> None:
    plain, safe = Entrance([3]), Entrance([3], secure=True)
    header = plain.enter(3, plain.token(3))
    assert header is not None
    assert header.split("; ")[1:] == ["Path=/seat/3/", "Max-Age=86400", "HttpOnly", "SameSite=Strict"]
    assert str(safe.enter(3, safe.token(3))).endswith("; Secure")


@pytest.mark.parametrize(
    ("host", "meant"),
    [
        ("127.0.0.1:7251", True),
        ("localhost:9", True),
        ("LOCALHOST", True),
        ("[::1]:7251", True),
        ("192.168.1.7:7251", True),
        ("box.example:7251", True),
        ("evil.example:7251", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("", False),
        ("[", False),
        ("[::1", False),
        (":7251", False),
    ],
)
def test_which_hosts_are_meant(host: str, meant: bool) -> None:
    assert Address("box.example", 7251).is_meant({"host": host}) == meant


def test_a_name_that_nobody_gave_is_not_meant() -> None:
    assert not Address("127.0.0.1", 7251).is_meant({"host": "box.example"})
    assert not Address("127.0.0.1", 7251).is_meant({})


def test_what_an_address_looks_like() -> None:
    assert Address("127.0.0.1", 7251).origin == "http://127.0.0.1:7251"
    assert Address("::1", 7251, tls=True).origin == "https://[::1]:7251"
