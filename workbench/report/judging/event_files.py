"""Reads the scalars of TensorBoard's event files; neither TensorBoard nor TensorFlow is needed.

A file is a sequence of records: the length (8 bytes, little endian), its checksum (4 bytes), the message, its checksum.
The checksum is the CRC-32C, rotated and shifted by a constant. A message is an `Event` of Protocol Buffers; of it are
read step and summary, and of the summary's values the tag and a number: `simple_value`, or a tensor of one element.

Source: tensorflow/core/lib/io/record_writer.h and the .proto files event, summary and tensor.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

MARK = b"brain.Event:"  # in the first record of a file
Fields = dict[int, list[Any]]
VARINT, DOUBLE, BYTES, FLOAT = 0, 1, 2, 5  # wire types
# Of TensorProto: type of the elements -> (its field of values, format of an element in `tensor_content`).
ELEMENTS = {1: (5, "f"), 2: (6, "d"), 3: (7, "i"), 9: (10, "q")}


class BadEvents(ValueError):
    """What is wrong with a file. The message completes "<name>: ..."."""


class Scalar(NamedTuple):
    """One number of an event file. wall: when it was written, in seconds since 1970."""

    tag: str
    step: int
    value: float
    wall: float


def is_events(data: bytes) -> bool:
    """Whether a file begins as an event file does."""
    return MARK in data[12:64]


def scalars(data: bytes) -> Iterator[Scalar]:
    """The scalars of a file, in order. A last record that is cut off, as of a run that goes on, is left out.

    Raises BadEvents for a record whose checksum is wrong, and for a message that is none.
    """
    for number, record in enumerate(_records(data), 1):
        try:
            yield from _of_event(record)
        except (IndexError, TypeError, AttributeError, ValueError, struct.error):
            raise BadEvents(f"record {number} is no event") from None


def _records(data: bytes) -> Iterator[bytes]:
    at, number = 0, 1
    while at + 16 <= len(data):
        head = data[at : at + 8]
        length, check = struct.unpack("<QI", data[at : at + 12])
        if masked_checksum(head) != check:
            raise BadEvents(f"the length of record {number} does not fit its checksum: the file is damaged")
        body, end = data[at + 12 : at + 12 + length], data[at + 12 + length : at + 16 + length]
        if len(end) < 4:
            return
        if masked_checksum(body) != struct.unpack("<I", end)[0]:
            raise BadEvents(f"record {number} does not fit its checksum: the file is damaged")
        yield body
        at, number = at + 16 + length, number + 1


def _of_event(record: bytes) -> Iterator[Scalar]:
    event = _fields(record)
    wall, step = _last(event, 1, 0.0), _last(event, 2, 0)
    step -= step >> 63 << 64  # a negative number is written as its two's complement
    for summary in event.get(5, ()):
        for value in map(_fields, _fields(summary).get(1, ())):
            number = _number(value)
            if number is not None:
                yield Scalar(_last(value, 1, b"").decode(), step, number, wall)


def _number(value: Fields) -> float | None:
    """The number of a summary's value; None for pictures, histograms and tensors of several elements."""
    if 2 in value:
        return float(value[2][-1])
    if 8 not in value:
        return None
    tensor = _fields(value[8][-1])
    place, form = ELEMENTS.get(_last(tensor, 1, 0), (0, ""))
    if not form:
        return None
    if content := _last(tensor, 4, b""):
        elements = struct.unpack(f"<{len(content) // struct.calcsize(form)}{form}", content)
    else:
        elements = tuple(x for part in tensor.get(place, ()) for x in _elements(part, form))
    return float(elements[0]) if len(elements) == 1 else None


def _elements(part: Any, form: str) -> Iterator[float]:
    """The elements of a repeated field, which is packed into bytes or written one by one."""
    if not isinstance(part, bytes):
        yield part
    elif form in "fd":
        yield from struct.unpack(f"<{len(part) // struct.calcsize(form)}{form}", part)
    else:
        at = 0
        while at < len(part):
            number, at = _varint(part, at)
            yield number - (number >> 63 << 64)


def _fields(message: bytes) -> Fields:
    """Number of a field -> its values. Raises IndexError or struct.error for bytes that are no message."""
    fields: Fields = {}
    value: Any
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == VARINT:
            value, at = _varint(message, at)
        elif kind == DOUBLE:
            (value,), at = struct.unpack_from("<d", message, at), at + 8
        elif kind == FLOAT:
            (value,), at = struct.unpack_from("<f", message, at), at + 4
        elif kind == BYTES:
            length, at = _varint(message, at)
            if at + length > len(message):
                raise IndexError
            value, at = message[at : at + length], at + length
        else:
            raise IndexError
        fields.setdefault(key >> 3, []).append(value)
    return fields


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, the lowest first, and the place behind it."""
    number = shift = 0
    while shift < 70:
        byte = message[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
    raise IndexError  # a number has ten groups at most


def _last(fields: Fields, number: int, default: Any) -> Any:
    return fields[number][-1] if number in fields else default


def _table() -> list[int]:
    """CRC-32C of each byte (polynomial 0x1EDC6F41, reflected)."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_TABLE = _table()


def masked_checksum(data: bytes) -> int:
    """The CRC-32C of some bytes, rotated by 15 bits and increased by a constant, as records hold it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
