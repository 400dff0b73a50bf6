from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory

from accounts.network import client_address, source_address


def ask(proxies: int, settings: Any, forwarded: str | None = None, remote: str = "10.0.0.9") -> str:
    settings.TRUSTED_PROXIES = proxies
    more = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=remote, **more))


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, None, "10.0.0.9"),
        (0, "1.2.3.4", "10.0.0.9"),  # nobody in front: the header is a claim of the client
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),  # the left part came from the client
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "10.0.0.9"),  # came past a proxy
        (1, None, "10.0.0.9"),
        (1, "", "10.0.0.9"),
        (1, "nonsense", "unknown"),
        (1, "1.2.3.4:5555", "1.2.3.4"),
        (1, "[2001:db8::1]:5555", "2001:db8::1"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "1.2.3.4\r\nx", "unknown"),
        (1, "a" * 9000, "unknown"),
    ],
)
def test_only_what_our_proxies_wrote_counts(settings: Any, proxies: int, forwarded: str | None, address: str) -> None:
    assert ask(proxies, settings, forwarded) == address


def test_no_address_is_unknown(settings: Any) -> None:
    assert ask(0, settings, remote="") == "unknown"


def test_a_home_is_one_source(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 0

    def source(remote: str) -> str:
        return source_address(RequestFactory().get("/", REMOTE_ADDR=remote))

    assert source("2001:db8:1:2::1") == source("2001:db8:1:2:ffff::9")
    assert source("2001:db8:1:2::1") != source("2001:db8:1:3::1")
    assert source("192.0.2.1") != source("192.0.2.2")
