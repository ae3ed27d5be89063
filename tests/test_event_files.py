"""TensorBoard's event files and benchopt's folders as tables: what is read, and what is said of damage."""

from __future__ import annotations

import contextlib
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from workbench.cli.app import app
from workbench.report.judging import table
from workbench.report.judging.event_files import BadEvents, masked_checksum, scalars

STEPS = np.unique(np.round(np.geomspace(10, 10_000, 40))).astype(int)


def varint(number: int) -> bytes:
    number %= 1 << 64
    groups = []
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    return bytes([*groups, number])


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def record(body: bytes) -> bytes:
    head = struct.pack("<Q", len(body))
    return head + struct.pack("<I", masked_checksum(head)) + body + struct.pack("<I", masked_checksum(body))


def event(step: int, summary: bytes, wall: float = 0.0) -> bytes:
    return record(b"\x09" + struct.pack("<d", wall) + b"\x10" + varint(step) + field(5, summary))


def simple(tag: str, value: float) -> bytes:
    return field(1, field(1, tag.encode()) + b"\x15" + struct.pack("<f", value))


def tensor(tag: str, kind: int, body: bytes) -> bytes:
    return field(1, field(1, tag.encode()) + field(8, b"\x08" + varint(kind) + body))


def file_of(*events: bytes) -> bytes:
    return record(b"\x09" + struct.pack("<d", 1.0) + field(3, b"brain.Event:2")) + b"".join(events)


def written(folder: Path, runs: int, power: float, scale: float = 1.0) -> None:
    """One folder a run, with a loss and another scalar."""
    rng = np.random.default_rng(0)
    for run in range(runs):
        (folder / str(run)).mkdir(parents=True)
        values = scale * STEPS**power * np.exp(0.2 * rng.normal(size=STEPS.size))
        events = [
            event(int(t), simple("loss", v) + simple("lr", 0.1)) for t, v in zip(STEPS, values, strict=True)
        ]
        (folder / str(run) / "events.out.tfevents.1.host").write_bytes(file_of(*events))


def test_the_checksum_is_crc_32c() -> None:
    """The check value of the catalogue of CRCs: CRC-32C of "123456789" is e3069283."""
    crc = 0xE3069283
    assert masked_checksum(b"123456789") == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


@pytest.mark.parametrize(
    "value",
    [
        simple("loss", 0.5),
        tensor("loss", 1, b"\x2d" + struct.pack("<f", 0.5)),
        tensor("loss", 1, field(5, struct.pack("<f", 0.5))),
        tensor("loss", 1, field(4, struct.pack("<f", 0.5))),
        tensor("loss", 2, field(6, struct.pack("<d", 0.5))),
    ],
)
def test_every_way_to_write_a_number(value: bytes) -> None:
    (found,) = scalars(file_of(event(7, value, 2.0)))
    assert found == ("loss", 7, 0.5, 2.0)


def test_whole_numbers_and_steps_may_be_negative() -> None:
    whole = [tensor("n", 9, field(10, varint(-3))), tensor("n", 3, b"\x38" + varint(5))]
    found = list(scalars(file_of(event(-1, whole[0]), event(2, whole[1]))))
    assert [(x.step, x.value) for x in found] == [(-1, -3.0), (2, 5.0)]


def test_what_is_no_number_is_left_out() -> None:
    vector = tensor("weights", 1, field(5, struct.pack("<2f", 1, 2)))
    text = tensor("text", 7, field(8, b"words"))
    picture = field(1, field(1, b"picture") + field(4, b"\x08\x01"))
    assert not list(scalars(file_of(event(1, vector + text + picture))))


def test_a_file_that_still_grows_is_read_up_to_its_last_whole_record() -> None:
    data = file_of(event(1, simple("loss", 0.5)), event(2, simple("loss", 0.25)))
    assert [x.step for x in scalars(data[:-3])] == [1]


def test_damage_is_told_by_the_checksums() -> None:
    data = bytearray(file_of(event(1, simple("loss", 0.5)), event(2, simple("loss", 0.25))))
    data[-6] ^= 1
    with pytest.raises(BadEvents, match="record 3 does not fit its checksum"):
        list(scalars(bytes(data)))


@given(st.binary(max_size=60))
def test_any_message_is_an_event_or_a_sentence(body: bytes) -> None:
    with contextlib.suppress(BadEvents):
        list(scalars(file_of(record(body))))


def test_a_folder_of_runs_is_judged(tmp_path: Path) -> None:
    written(tmp_path / "logs", 100, -0.25)
    words = ["judge", str(tmp_path / "logs"), "--value", "loss", "--picture", "none"]
    assert CliRunner().invoke(app, [*words, "--claimed", "-1/4"]).exit_code == 0
    assert CliRunner().invoke(app, [*words, "--claimed", "-1/2"]).exit_code == 1


def test_folders_of_runs_are_methods(tmp_path: Path) -> None:
    written(tmp_path / "sgd", 3, -0.25)
    written(tmp_path / "adam", 2, -0.5)
    found = table.read(tmp_path, table.Roles(value="loss"))
    assert {group.name: group.values.shape for group in found.groups} == {
        "adam": (2, STEPS.size),
        "sgd": (3, STEPS.size),
    }
    with pytest.raises(
        table.TableError, match="there is no scalar 'los'; name one of 'loss', 'lr' with --value"
    ):
        table.read(tmp_path, table.Roles(value="los"))


def test_what_a_resumed_run_wrote_later_counts(tmp_path: Path) -> None:
    first = [event(t, simple("loss", 1.0), wall=1.0) for t in (1, 2, 3)]
    again = [event(t, simple("loss", 2.0), wall=2.0) for t in (3, 4)]
    for name, events in (("b", first), ("a", again)):  # the later file comes first by name
        (tmp_path / f"events.out.tfevents.{name}").write_bytes(file_of(*events))
    (group,) = table.read(tmp_path).groups
    assert group.values.tolist() == [[1.0, 1.0, 2.0, 2.0]]


def benchopt(solvers: dict[str, float], data: tuple[str, ...] = ("simulated",)) -> str:
    """A result of benchopt: a row per solver, data set, repetition and stopping value."""
    rng = np.random.default_rng(1)
    rows = ["objective_name,dataset_name,solver_name,idx_rep,stop_val,time,objective_value"]
    for solver, power in solvers.items():
        for name in data:
            for rep in range(40):
                values = STEPS**power * np.exp(0.1 * rng.normal(size=STEPS.size))
                rows += [
                    f"lasso,{name},{solver},{rep},{t},0.1,{v:.9g}" for t, v in zip(STEPS, values, strict=True)
                ]
    return "\n".join(rows)


def test_the_newest_result_of_benchopt_is_read(tmp_path: Path) -> None:
    (tmp_path / "outputs").mkdir()
    for age, name in enumerate(("benchopt_run_1.csv", "benchopt_run_2.csv")):
        file = tmp_path / "outputs" / name
        file.write_text(benchopt({"gd": -1.0, "agd": -2.0} if age else {"old": -1.0}))
        os.utime(file, (age, age))
    found = table.read(tmp_path)
    assert [group.name for group in found.groups] == ["gd", "agd"]
    assert "benchopt_run_2.csv, the newest of 2 results" in found.layout


def test_solvers_on_several_data_sets_are_several_groups(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(benchopt({"gd": -1.0}, ("small", "large")))
    assert [group.name for group in table.read(tmp_path).groups] == ["gd small", "gd large"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("", "", "the folder holds neither event files"),
        ("a.csv", "step,run1\n1,2\n2,3", "a.csv is no result of benchopt; name the file itself"),
        ("events.out.tfevents.1", "x" * 64, "the length of record 1 does not fit its checksum"),
    ],
)
def test_a_folder_that_cannot_be_read_gets_one_sentence(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    if name:
        (tmp_path / name).write_text(text)
    done = CliRunner().invoke(app, ["judge", str(tmp_path), "--claimed", "-1/4"])
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
