#!/usr/bin/python3
"""Shards as h5py sees them: names, types, filters, attributes and values are those documented and those of what was written.

usage: test_h5py.py WRITE_SHARDS
"""
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy

POSITIONS = {
    "white_men": "set", "white_kings": "set", "black_men": "set", "black_kings": "set",
    "side_to_move": "u1", "score": "<i2", "result": "i1", "from": "u1", "to": "u1", "captured": "set",
    "ply": "<u2", "game": "<u4", "flags": "u1",
}
GAMES = {
    "id": "<u8", "first_row": "<u8", "rows": "<u4", "plies": "<u2", "result": "i1", "termination": "u1",
    "opening": "<u8", "seed": "<u8",
}
ROOT = {
    "format_version": "1", "engine_signature": "0badcafe", "request": "seed = 1\nnodes = 2000\n",
    "rules_hash": "11" * 32, "weights_hash": "a5" * 32, "features_hash": "ff" * 32,
}


def check(is_good, what):
    if not is_good:
        sys.exit(f"FAILED: {what}")


def check_group(file, name, columns, board_size, text):
    group = file[name]
    check(set(group) == set(columns), f"{name}: datasets {sorted(group)}")
    lines = [line.split() for line in text.read_text().splitlines()]
    for column, kind in columns.items():
        data = group[column]
        where = f"{file.filename} {name}/{column}"
        expected = numpy.dtype(("<u4" if board_size == 8 else "<u8") if kind == "set" else kind)
        check(data.dtype == expected, f"{where}: type {data.dtype}, expected {expected}")
        at = lines[0].index(column)
        values = numpy.array([int(line[at]) for line in lines[1:]], dtype=expected)
        check(numpy.array_equal(data[:], values), f"{where}: other values than written")
        for attribute in ("description", "units"):
            check(isinstance(data.attrs[attribute], str) and data.attrs[attribute], f"{where}: {attribute}")
        rows = len(lines) - 1
        check(data.shape == (rows,), f"{where}: shape {data.shape}")
        if rows:
            chunk = 65536 if data.maxshape == (None,) else min(rows, 65536)
            check(data.chunks == (chunk,), f"{where}: chunks {data.chunks}")
            check(data.compression == "gzip" and data.compression_opts == 1 and data.shuffle and data.fletcher32,
                  f"{where}: filters")


def check_file(folder, name, board_size, user_block):
    with h5py.File(folder / f"{name}.h5", "r") as file:
        check(file.userblock_size == user_block, f"{name}: user block of {file.userblock_size} bytes")
        check(set(file) == {"positions", "games"}, f"{name}: groups {sorted(file)}")
        variant = "american" if board_size == 8 else "international"
        root = ROOT | {"variant": variant, "board_size": str(board_size), "men": "12" if board_size == 8 else "20"}
        check(dict(file.attrs) == root, f"{name}: attributes {dict(file.attrs)}")
        check_group(file, "positions", POSITIONS, board_size, folder / f"{name}.rows.txt")
        check_group(file, "games", GAMES, board_size, folder / f"{name}.games.txt")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], name], check=True)
        for shard, board_size in (("small", 8), ("large_board", 10), ("empty", 8), ("chunks", 8)):
            check_file(folder, shard, board_size, 512)
        check_file(folder, "merged", 8, 0)
        check((folder / "small.h5").read_bytes() == (folder / "small_later.h5").read_bytes(),
              "the same rows a second later give other bytes")


main()
