"""Which addresses are public; everything else belongs to somebody's own machine or network. Pure.

Python's tables are asked, which follow IANA's registries, and a list of our own adds what they count as global or, in
older versions, do not know yet.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All that IANA has given out of IPv6. Mapped, translated and local addresses lie outside."""
_NOT_PUBLIC = (
    "0.0.0.0/8",  # this network
    "100.64.0.0/10",  # shared by a carrier's customers
    "168.63.129.16/32",  # Azure: the host of a virtual machine
    "192.0.0.0/24",  # protocol assignments, some of them global
    "192.88.99.0/24",  # relays from IPv6
    "198.18.0.0/15",  # benchmarks
    "224.0.0.0/4",  # multicast
    "240.0.0.0/4",  # reserved
    "2001::/23",  # protocol assignments: Teredo, which holds an IPv4 address, ORCHID and others
    "2001:db8::/32",  # documentation
    "2002::/16",  # 6to4, which holds an IPv4 address
    "3fff::/20",  # documentation
)
NOT_PUBLIC: tuple[IPv4Network | IPv6Network, ...] = tuple(map(ip_network, _NOT_PUBLIC))


def is_public(address: str) -> bool:
    """Raises ValueError for what is no address."""
    found = ip_address(address)
    return _is_ordinary(found) and not any(
        found in network for network in NOT_PUBLIC if network.version == found.version
    )


def _is_ordinary(found: IPv4Address | IPv6Address) -> bool:
    if isinstance(found, IPv6Address) and (found.scope_id or found not in GLOBAL_UNICAST):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)
