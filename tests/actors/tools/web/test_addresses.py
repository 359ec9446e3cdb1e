"""Public addresses: what Python's tables call special is none, and neither is what they miss."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.tools.web.addresses import NOT_PUBLIC, is_public


@pytest.mark.parametrize(
    "address",
    [
        *("1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.255.255", "172.32.0.1", "100.63.0.1", "192.0.1.1"),
        *("223.255.255.1", "2606:4700:4700::1111", "2a00:1450:4001:800::200e", "2001:4860:4860::8888"),
    ],
)
def test_a_public_address(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("network", [str(network) for network in NOT_PUBLIC])
def test_both_ends_of_a_special_range(network: str) -> None:
    ends = ipaddress.ip_network(network)

    assert not is_public(str(ends[0]))
    assert not is_public(str(ends[-1]))


@given(st.ip_addresses())
def test_nothing_that_python_calls_special_is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    special = (
        address.is_private
        or address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_reserved
    )

    assert not (special and is_public(str(address)))


@given(st.ip_addresses(v=4))
def test_no_address_is_hidden_in_one_of_the_other_kind(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    low, mapped = ipaddress.IPv6Address(number), ipaddress.IPv6Address((0xFFFF << 32) | number)
    translated = ipaddress.IPv6Address((0x64FF9B << 96) | number)
    sixtofour = ipaddress.IPv6Address((0x2002 << 112) | (number << 80))

    assert not any(is_public(str(found)) for found in (low, mapped, translated, sixtofour))
