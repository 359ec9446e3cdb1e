"""A repository to be audited, in a place of its own, and a service to ask."""

from collections.abc import Iterator

import pytest

from tests.system.audit.service import Service, one_a_file, serving
from tests.system.harness import Place

FILES = 12


@pytest.fixture
def service(place: Place) -> Iterator[Service]:
    """It is the model of the place, in which there are FILES files, each as large as a chunk."""
    for number in range(FILES):
        lines = "".join(f"value_{number}_{line} = run_it(argument_{line})\n" for line in range(300))
        (place.workspace / f"file_{number:02}.py").write_text(lines)
    with serving(one_a_file) as service:
        service.configure(place.home)
        yield service
