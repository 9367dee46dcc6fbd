"""The page's QR codes, read by a decoder that is none of ours."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest
import zxingcpp

import gridlock.web

MODULE = Path(gridlock.web.__file__).parent / "static" / "script" / "games" / "qr.js"
ENCODE = f"""
import {{ encode }} from {json.dumps(MODULE.as_uri())};
import {{ readFileSync }} from "node:fs";
for (const text of JSON.parse(readFileSync(0, "utf8"))) {{
  const rows = encode(Buffer.from(text, "hex"));
  console.log(rows.map((row) => row.map(Number).join("")).join(" "));
}}
"""
CAPACITIES = [
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858,
    929, 1003, 1091, 1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431,
    2563, 2699, 2809, 2953,
]  # fmt: skip
"""The bytes that each version holds at level L, as the standard has them."""
MARGIN, SCALE = 4, 2


def encode(contents: list[bytes]) -> list[list[str]]:
    """Return the rows of a code for each content."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: apt-get install nodejs")
    run = subprocess.run(
        [node, "--input-type=module", "-e", ENCODE],
        input=json.dumps([content.hex() for content in contents]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return [line.split() for line in run.stdout.splitlines()]


def decode(rows: list[str]) -> bytes:
    """Return what a picture of a code says."""
    side = (len(rows) + 2 * MARGIN) * SCALE
    light = "0" * MARGIN
    blank = ["0" * (side // SCALE)] * MARGIN
    lines = [*blank, *(f"{light}{row}{light}" for row in rows), *blank]
    pixels = b"".join(
        b"".join((b"\x00" if module == "1" else b"\xff") * SCALE for module in line) * SCALE
        for line in lines
    )
    picture = memoryview(pixels).cast("B", (side, side))
    (found,) = zxingcpp.read_barcodes(picture)
    assert found.ec_level == "L"
    return bytes(found.bytes)


def test_full_codes_of_every_version_are_read_and_hardly_filled_ones() -> None:
    rng = random.Random(1)
    hardly_filled = [1, *(CAPACITIES[version - 2] + 1 for version in (2, 7, 10, 27, 40))]
    contents = [rng.randbytes(length) for length in [*CAPACITIES, *hardly_filled]]
    versions = [*range(1, 41), 1, 2, 7, 10, 27, 40]
    for content, version, code in zip(contents, versions, encode(contents), strict=True):
        assert len(code) == 17 + 4 * version, len(content)
        assert decode(code) == content, len(content)


@pytest.mark.parametrize(
    "content",
    [
        b"\x00" * 300, b"\xff" * 300, b"A" * 300, bytes(range(256)), b"0123456789" * 20,
        "grüße ● 格".encode(), b"https://grid.example/games#eJyrVkrLz1eyUkpKLFKqBQAdDwQu" * 4,
    ],
    ids=["zeros", "ones", "letters", "all-bytes", "digits", "utf-8", "link"],
)  # fmt: skip
def test_a_code_is_read_whatever_it_says(content: bytes) -> None:
    assert decode(*encode([content])) == content
