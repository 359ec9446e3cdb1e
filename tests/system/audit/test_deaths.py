"""An audit in which something is killed: what was answered is not asked again, and the report is the same."""

from collections import Counter

import pytest

from tests.system.audit.service import Service
from tests.system.audit.test_audit import report
from tests.system.harness import Place, kill

pytestmark = pytest.mark.slow
AT_ONCE = 3
OWN_REPORT = "- Skipped: 1 file (1 own report)\n"
ANSWERED = 5


def undisturbed(place: Place, service: Service) -> str:
    """Its report."""
    assert place.run("audit", "--out", "undisturbed.md").code == 0
    whole = report(place, "undisturbed.md")
    service.asked.clear()
    service.answered.clear()
    return whole.replace(" --out undisturbed.md", f" --workers {AT_ONCE}").replace(OWN_REPORT, "")


@pytest.mark.parametrize("killed", ["store", "providers", "ui", "zygote"])
def test_an_actor_dies_in_the_middle(place: Place, service: Service, killed: str) -> None:
    whole = undisturbed(place, service)
    service.hold(after=ANSWERED)
    session = place.start("audit", "--workers", str(AT_ONCE))
    session.err.until(lambda lines: any(line.startswith(b"[5/12]") for line in lines))
    service.until(lambda now: now.waiting == AT_ONCE)

    on_disk = {question.prompt for question in service.answered}
    if killed == "zygote":
        kill(session.zygote())
    else:
        session.kill(killed)
    service.let_go()
    finished = session.finish()

    asked = Counter(question.prompt for question in service.asked)
    assert finished.code == 0, finished.err
    assert report(place).replace(OWN_REPORT, "") == whole
    assert len(on_disk) == ANSWERED
    assert {asked[prompt] for prompt in on_disk} == {1}
    assert asked.total() <= 12 + 1 + AT_ONCE  # those that were under way may be asked again


def test_all_of_it_dies_in_the_middle_and_is_gone_on_with(place: Place, service: Service) -> None:
    whole = undisturbed(place, service)
    service.hold(after=ANSWERED)
    session = place.start("audit", "--workers", str(AT_ONCE))
    session.err.until(lambda lines: any(line.startswith(b"[5/12]") for line in lines))
    service.until(lambda now: now.waiting == AT_ONCE)

    assert session.kill_supervisor() == []
    on_disk = [question.prompt for question in service.answered]
    service.let_go()
    before = len(service.asked)
    finished = place.run("audit", "--resume")

    asked = [question.prompt for question in service.asked[before:]]
    assert finished.code == 0, finished.err
    assert len(on_disk) == ANSWERED
    assert set(on_disk).isdisjoint(asked)
    assert len(asked) == len(set(asked)) == 12 - ANSWERED + 1
    assert report(place).replace(OWN_REPORT, "") == whole
