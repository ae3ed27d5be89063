"""What is kept of runs at the horizon of the profile full."""

import sys

import numpy as np
import pytest

from workbench.claims import full_horizon
from workbench.claims.families import BadFound
from workbench.claims.full_horizon import Longer
from workbench.run import catalog
from workbench.verdicts.studies import full_horizon as study


def test_what_is_written_is_read(tmp_path, monkeypatch):
    file = tmp_path / full_horizon.NAME
    monkeypatch.setattr(full_horizon, "file_of", lambda paper: file)
    assert full_horizon.load("a") == {}
    found = {"a/sim-b": Longer("2026-01-02", 2, 10, {"gap": 0.125, "lost": np.inf})}
    file.write_text(full_horizon.text(found))
    assert full_horizon.load("a") == found
    assert list(full_horizon.load("copy_of_a")) == ["copy_of_a/sim-b"]


@pytest.mark.parametrize("text", ["", "[]", '{"sim-b": {}}', '{"sim-b": 3}', "\x00"])
def test_another_file_is_one_sentence(text, tmp_path, monkeypatch, capsys):
    """From what reads it, and from the command, before it simulates."""
    file = tmp_path / full_horizon.NAME
    file.write_text(text)
    monkeypatch.setattr(full_horizon, "file_of", lambda paper: file)
    with pytest.raises(BadFound, match="does not hold the ends of longer runs"):
        full_horizon.load("a")
    monkeypatch.setattr(study, "ensure", lambda *_, **__: pytest.fail("simulated"))
    monkeypatch.setattr(sys, "argv", ["longer", next(iter(catalog.simulations()))])
    with pytest.raises(SystemExit):
        study.main()
    assert "does not hold the ends" in capsys.readouterr().err


def test_the_catalog_has_what_is_kept():
    """Records of simulations that are gone, or of fewer iterations than the profile full has, say nothing."""
    sims = catalog.simulations()
    for paper in catalog.papers_in_view():
        for key, found in full_horizon.load(paper).items():
            assert found.horizon == sims[key].horizon[study.PROFILE]
            assert found.ends


def test_a_failed_run_is_infinitely_far(monkeypatch, tmp_path, capsys):
    """The command, with a horizon that takes no time: medians at the end, added to what is there."""
    from types import SimpleNamespace

    key = next(iter(catalog.simulations()))
    paper = key.partition("/")[0]
    values = np.array([[1.0, -2.0], [1.0, np.nan], [1.0, 4.0], [1.0, np.inf]])
    made = SimpleNamespace(data={"gap": values, "alone": values[:, 0]}, runs=4, horizon=7)
    monkeypatch.setattr(study, "ensure", lambda sims, options, store, warn: {sim.key: made for sim in sims})
    file = tmp_path / full_horizon.NAME
    monkeypatch.setattr(full_horizon, "file_of", lambda paper: file)
    before = Longer("2026-01-02", 1, 1, {})
    file.write_text(full_horizon.text({f"{paper}/old": before}))
    monkeypatch.setattr(sys, "argv", ["longer", key, "--store", str(tmp_path)])
    study.main()
    found = full_horizon.load(paper)
    assert found[f"{paper}/old"] == before
    assert (found[key].runs, found[key].horizon, found[key].ends) == (4, 7, {"gap": np.inf})
    monkeypatch.setattr(sys, "argv", ["longer", "nobody"])
    with pytest.raises(SystemExit):
        study.main()
    assert "no simulation whose key begins with nobody" in capsys.readouterr().err
