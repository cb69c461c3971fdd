#!/usr/bin/python3
"""Reports of small runs: the page needs nothing but itself, and its numbers are recomputed from the run's files.

usage: test_report.py DAMA
"""
import collections
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import h5py
import numpy

SECTIONS = ["summary", "strength", "losses", "calibration", "weights", "board", "results", "lengths", "phases",
            "duplicates", "throughput", "request"]
ENDS = 6
SET_QUICK = ["--threads", "2", "--set", "nodes=30", "--set", "table_kb=16", "--set", "block_games=10", "--set",
             "max_plies=120"]


def check(is_good, what):
    if not is_good:
        sys.exit(f"FAILED: {what}")


def same(found, expected, what):
    check(found == expected, f"{what}: expected {expected}, found {found}")


def run(*command, status=0, path=None):
    environment = dict(os.environ, PATH=path) if path else None
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment, check=False)
    check(done.returncode == status, f"{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Page:
    """An HTML page: well-formed, and its tables by section."""

    def __init__(self, text):
        root = xml.etree.ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
        self.sections = {}
        self.figures = {}
        for section in root.iter("section"):
            tables = []
            for table in section.iter("table"):
                head = [cell.text or "" for cell in table.iterfind("thead/tr/th")]
                rows = [[cell.text or "" for cell in row.iterfind("td")] for row in table.iterfind("tbody/tr")]
                tables.append((head, [row for row in rows if row]))
            self.sections[section.get("id")] = tables
            self.figures[section.get("id")] = len(list(section.iter("svg")))
        names = [element.get("id") for element in root.iter() if element.get("id")]
        same(len(names), len(set(names)), "ids that are used once")
        for element in root.iter():
            for name, value in element.attrib.items():
                check(name not in ("src", "srcset", "data", "action"), f"{element.tag} fetches {value}")
                check(name != "href" or value[1:] in names, f"{element.tag} refers to {value}")
                for target in re.findall(r"url\(([^)]*)\)", value):
                    check(target.strip("'\"").startswith("#"), f"{element.tag} fetches {target}")

    def rows(self, section, index=0):
        return self.sections[section][index][1]


def check_alone(text):
    for word in ("http:", "https:", "//", "@import", "src=", "<script", "<link", "file:"):
        check(word not in text, f"the page contains {word}")


def as_text(value, form):
    return "-" if value is None else form % value


class Games:
    """The games of one folder, summed by numpy."""

    def __init__(self, folder):
        self.results = collections.Counter()
        self.ends = collections.Counter()
        self.lengths = collections.Counter()
        self.pieces = collections.Counter()
        self.plies = self.games = self.rows = 0
        games, openings = set(), set()
        self.scores = collections.defaultdict(lambda: [0, 0])
        self.block_rows = {}
        for path in sorted((folder / "shards").glob("*.h5")):
            with h5py.File(path, "r") as file:
                position = {name: data[:] for name, data in file["positions"].items()}
                game = {name: data[:] for name, data in file["games"].items()}
            self.block_rows[int(path.stem.split("-")[-1])] = len(position["ply"])
            self.add(position, game, games, openings)
        self.distinct_games, self.distinct_openings = len(games), len(openings)

    def add(self, position, game, games, openings):
        sets = [position[name] for name in ("white_men", "white_kings", "black_men", "black_kings")]
        words = numpy.stack(sets + [position[name] for name in ("side_to_move", "from", "to", "captured")], axis=1)
        for row in words:
            self.pieces[sum(bin(int(word)).count("1") for word in row[:4])] += 1
        for first, rows, plies, result, end in zip(game["first_row"], game["rows"], game["plies"], game["result"],
                                                   game["termination"]):
            own = slice(int(first), int(first) + int(rows))
            games.add(words[own].tobytes())
            played = numpy.flatnonzero(position["flags"][own] & 1 == 0)
            openings.add(words[own][played[0], :5].tobytes() if len(played) else b"")
            self.results[int(result)] += 1
            self.ends[int(end)] += 1
            self.lengths[int(plies) // 10] += 1
            self.plies += int(plies)
            self.games += 1
            self.rows += int(rows)
            if end != 3:
                self.add_scores(position, own)

    def add_scores(self, position, own):
        for score, result, flags in zip(position["score"][own], position["result"][own], position["flags"][own]):
            if score != -32768 and not flags & 1:
                bin_of = min((abs(int(score)) + 25) // 50, 12) * (1 if score >= 0 else -1)
                self.scores[50 * bin_of][0] += 1
                self.scores[50 * bin_of][1] += int(result) + 1

    def share(self, part, whole=None):
        return "%.2f" % (100.0 * part / (whole or self.games))


def check_games(page, names, generations):
    expected = [[name, str(g.games)] + [str(g.results[r]) for r in (1, 0, -1)] +
                [g.share(g.results[r]) for r in (1, 0, -1)] for name, g in zip(names, generations)]
    same(page.rows("results"), expected, "results")
    expected = [[name] + [g.share(g.ends[end]) for end in range(ENDS)] for name, g in zip(names, generations)]
    same(page.rows("results", 1), expected, "endings")
    first, last = generations[0], generations[-1]
    classes = max(list(first.lengths) + list(last.lengths)) + 1
    expected = [[str(10 * c), str(first.lengths[c]), first.share(first.lengths[c]), str(last.lengths[c]),
                 last.share(last.lengths[c])] for c in range(classes)]
    same(page.rows("lengths"), expected, "lengths")
    most = max(list(first.pieces) + list(last.pieces))
    expected = [[str(p), str(first.pieces[p]), first.share(first.pieces[p], first.rows), str(last.pieces[p]),
                 last.share(last.pieces[p], last.rows)] for p in range(1, most + 1)]
    same(page.rows("phases"), expected, "phases")
    found = [row[:5] for row in page.rows("duplicates")]
    expected = [[name, str(g.games), str(g.distinct_games), str(g.distinct_openings), str(g.rows)]
                for name, g in zip(names, generations)]
    same(found, expected, "duplicates")


def check_search_scores(page, index, games, slope):
    expected = []
    for score in range(-600, 601, 50):
        rows, half_points = games.scores[score]
        expected.append([str(score), str(rows), "%.4f" % (half_points / (2 * rows)) if rows else "-",
                         "%.4f" % (1 / (1 + math.exp(-slope * score))) if slope else "-"])
    same(page.rows("calibration", index), expected, "search scores")


def check_matches(page, folders, final):
    expected = []
    for name, against, path in [(f.name, "holder", f / "match.json") for f in folders] + [("best", "start", final)]:
        if path.exists():
            match = json.loads(path.read_text())
            verdict = "-" if path == final else "promoted" if match["promoted"] else "kept the holder"
            expected.append([name, against] +
                            [str(match[key]) for key in ("games", "distinct_games", "wins", "draws", "losses")] +
                            ["%.1f" % match[key] for key in ("elo", "elo_low", "elo_high")] +
                            [as_text(match.get("llr"), "%.2f"), verdict])
    same(page.rows("strength"), expected, "matches")


def check_fits(page, folders):
    tunes = [json.loads((folder / "tune.json").read_text()) for folder in folders]
    expected = [[folder.name] + [cell for part in ("held_out", "train") for cell in
                                 ["%.6f" % tune["log_loss"][part][key] for key in ("constant", "parent", "rounded")] +
                                 [str(tune["rows"][part])]] for folder, tune in zip(folders, tunes)]
    same(page.rows("losses"), expected, "losses")
    steps = [[("%.9f" % (step["loss"] / tune["rows"]["train"]), "%.2e" % (step["gradient"] / tune["rows"]["train"]))
              for step in tune["steps"]] for tune in (tunes[0], tunes[-1])]
    expected = [[str(s)] + [cell for part in steps for cell in (part[s] if s < len(part) else ("-", "-"))]
                for s in range(max(map(len, steps)))]
    same(page.rows("losses", 1), expected, "Newton steps")


def check_weights(page, tune, dump):
    entries = {(entry["name"], entry["phase"]): entry for entry in tune["weights"]}
    expected = []
    for name in [entry["name"] for entry in tune["weights"] if entry["phase"] == 1]:
        both = [entries[name, 1], entries[name, 2]]
        if all(entry["state"] == "silent" for entry in both):
            continue
        cells = [name]
        for entry in both:
            cells += [str(entry["weight"]), as_text(entry.get("low"), "%.1f"), as_text(entry.get("high"), "%.1f")]
        expected.append(cells)
    same(page.rows("weights"), expected, "weights")
    first = dump["weights"]["king"]["first"][0]
    same([row[1] for row in page.rows("weights") if row[0] == "king"], [str(first)], "the king of the table")


def check_throughput(page, run_folder, generations):
    generation_of = {block: i for i, g in enumerate(generations) for block in g.block_rows}
    last, seconds = None, 0.0
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for line in (run_folder / "log.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["event"] != "block":
            continue
        numbers = re.fullmatch(r"block (\d+) job \d+ rank (\d+) games (\d+)", entry["text"]).groups()
        block, rank, games = map(int, numbers)
        if block not in generation_of:
            continue
        here = (entry["process"], generation_of[block])
        sums[rank]
        if last and last[0] == here:
            seconds += entry["time"] - last[1]
            sums[rank] = [a + b for a, b in zip(sums[rank], (1, games, generations[here[1]].block_rows[block]))]
        last = (here, entry["time"])
    expected = [[str(rank)] + [str(part) for part in sums[rank]] + ["%.2f" % (sums[rank][1] / seconds),
                                                                   "%.0f" % (sums[rank][2] / seconds)]
                for rank in sorted(sums)]
    same(page.rows("throughput"), expected, "throughput")


def check_text(page, text):
    """The plain text has every row of every table, cell for cell, in the same order."""
    lines = [re.split(r" {2,}", line.strip()) for line in text.splitlines()]
    at = 0
    for section in SECTIONS:
        for head, rows in page.sections[section]:
            for row in ([head] if any(head) else []) + rows:
                while at < len(lines) and lines[at] != row:
                    at += 1
                check(at < len(lines), f"the text of {section} lacks {row}")


def report(dama, folder, page_path):
    run(dama, "report", folder, "--out", page_path)
    text = page_path.read_text()
    check_alone(text)
    page = Page(text)
    same(list(page.sections), SECTIONS, "sections")
    check_text(page, run(dama, "report", folder, "--terminal", path="/nonexistent").stdout)
    return page


def a_training_is_reported(dama, work):
    folder = work / "training"
    run(dama, "train", "italian", "--out", folder, *SET_QUICK, "--set", "games=60", "--set", "generations=2", "--set",
        "match_pairs=6", "--set", "match_nodes=20")
    folders = sorted(folder.glob("gen-*"))
    page = report(dama, folder, work / "training.html")
    generations = [Games(f) for f in folders]
    check_matches(page, folders, folder / "final.json")
    check_fits(page, folders)
    check_games(page, [f.name for f in folders], generations)
    check_throughput(page, folder, generations)
    promoted = [f for f in folders if json.loads((f / "match.json").read_text())["promoted"]]
    shown = (promoted or folders)[-1]
    same(page.rows("summary")[1][1], "training", "kind of run")
    check(["table shown", shown.name] in page.rows("summary"), "the table shown")
    tune = json.loads((shown / "tune.json").read_text())
    dump = json.loads(run(dama, "weights", "show", "--json", shown / "weights.dama").stdout)
    check_weights(page, tune, dump)
    expected = [[str(b["score"]), str(b["rows"]), "%.4f" % b["scored"], "%.4f" % b["expected"]]
                for b in tune["calibration"]["bins"]]
    same(page.rows("calibration"), expected, "calibration of the table")
    player = json.loads(run(dama, "weights", "show", "--json", folders[-1] / "player.dama").stdout)
    check_search_scores(page, 1, generations[-1], 1e-6 * player["slope_ppm"])
    same({name: page.figures[name] for name in SECTIONS},
         {"summary": 0, "strength": 1, "losses": 2, "calibration": 2, "weights": 1, "board": 2, "results": 2,
          "lengths": 1, "phases": 1, "duplicates": 0, "throughput": 1, "request": 0}, "plots")
    request = [line.split(" = ", 1) for line in (folder / "run.conf").read_text().splitlines()]
    same(page.rows("request", 2), request, "request")
    one = report(dama, folders[0], work / "one.html")
    same(one.rows("summary")[1][1], "one generation of a training", "kind of run")
    check_games(one, [folders[0].name], generations[:1])
    check_throughput(one, folder, generations[:1])
    check_matches(one, folders[:1], folder / "none")


def generations_freed_by_clean_are_told(dama, work):
    """No fit to come needs the games of the first generation."""
    folder = work / "cleaned"
    run(dama, "train", "italian", "--out", folder, *SET_QUICK, "--set", "games=20", "--set", "generations=2", "--set",
        "window=1", "--set", "match_pairs=2", "--set", "match_nodes=20")
    run(dama, "clean", folder, "--yes")
    first, last = sorted(folder.glob("gen-*"))
    check(not list(first.glob("shards/*.h5")), "clean frees the games of the first generation")
    page = report(dama, folder, work / "cleaned.html")
    check_games(page, [last.name], [Games(last)])
    for row in (["generations with games", "1"], ["generations whose games were freed by clean", "1"]):
        check(row in page.rows("summary"), f"the summary has {row}")
    same([row[0] for row in page.rows("request")], [first.name, last.name], "generations of the lineage")
    check(not re.search(r"\bnan\b", (work / "cleaned.html").read_text()), "no mean of no games")


def games_alone_are_reported(dama, work):
    folder = work / "games"
    run(dama, "selfplay", "--variant", "international", "--weights", "material", "--out", folder, *SET_QUICK, "--set",
        "games=20")
    page = report(dama, folder, work / "games.html")
    same(page.rows("summary")[1][1], "self-play games", "kind of run")
    check_games(page, ["games"], [Games(folder)])
    check_search_scores(page, 0, Games(folder), 0)
    same([page.sections[name] for name in ("strength", "losses")], [[], []], "what a run without fits has not")
    # By material alone every man is worth 100 and every king its value, wherever they stand.
    dump = json.loads(run(dama, "weights", "show", "--json", folder / "player.dama").stdout)
    king = "%.1f" % dump["weights"]["king"]["first"][0]
    board = page.rows("board")
    same([row[0] for row in board], [str(square) for square in range(1, 51)], "squares")
    same({row[3] for row in board}, {"100.0", "-"}, "men")
    check({row[5] for row in board} <= {king, "-"}, f"kings: expected {king}, found {board}")
    same([row[3] for row in board[:5]], ["-"] * 5, "men on the crowning row")


def games_of_others_are_named(dama, work):
    pdn = work / "one.pdn"
    pdn.write_text('[Event "x"]\n[GameType "21"]\n[Result "1-0"]\n1. 11-15 23-19 2. 8-11 22-17 1-0\n')
    run(dama, "import", pdn, "--out", work / "imported")
    run(dama, "rescore", work / "imported", "--depth", "2", "--out", work / "rescored")
    for name, kind in (("imported", "imported games"), ("rescored", "games of another run, scored again")):
        page = report(dama, work / name, work / f"{name}.html")
        same(page.rows("summary")[1][1], kind, "kind of run")
        check_games(page, [name], [Games(work / name)])
    text = (work / "imported.html").read_text()
    check("what these imported games hold" in text and "self-play" not in text, "the words for imported games")
    page = Page(text)
    same([page.sections[name] for name in ("calibration", "weights", "board", "throughput")], [[]] * 4,
         "what games without a player have not")
    same(page.rows("request")[0][1:], ["-"] * 3, "the tables of imported games")


def shards_that_do_not_belong_are_refused(dama, work):
    folder = work / "games"
    other = work / "seed"
    run(dama, "selfplay", "--variant", "international", "--weights", "material", "--out", other, *SET_QUICK, "--set",
        "games=20", "--set", "seed=99")
    first, second = sorted((folder / "shards").glob("*.h5"))
    for source, reason in ((other / "shards" / second.name, "request differs: expected 'seed = 1', found 'seed = 99'"),
                           (first, "expected games behind 9, found game 0: a copy or another name")):
        kept = second.read_bytes()
        second.write_bytes(source.read_bytes())
        said = run(dama, "report", folder, "--terminal", status=1).stderr
        check(f"{second.name}: {reason}" in said and said.count("\n") == 1, f"{reason}: {said}")
        second.write_bytes(kept)


def data_is_counted(dama, work):
    folder = work / "training"
    found = json.loads(run(dama, "data", folder, "--set", "score_cap=0", "--json").stdout)
    rows = collections.Counter()
    results = collections.defaultdict(collections.Counter)
    games_of = collections.defaultdict(dict)
    for path in sorted(folder.glob("gen-*/shards/*.h5")):
        with h5py.File(path, "r") as file:
            position = {name: data[:] for name, data in file["positions"].items()}
            ends = file["games"]["termination"][:]
        sets = [position[name] for name in ("white_men", "white_kings", "black_men", "black_kings")]
        for i, words in enumerate(numpy.stack(sets + [position["side_to_move"]], axis=1)):
            flags, game = position["flags"][i], int(position["game"][i])
            fate = "capped" if ends[game] == 3 else "random" if flags & 1 else "capture" if flags & 2 else "used"
            rows[fate] += 1
            if fate == "used":
                result = int(position["result"][i])
                results[sum(bin(int(word)).count("1") for word in words[:4])][result] += 1
                games_of[words.tobytes()][path, game] = result
    same({name: found["rows"][name] for name in ("all", "capped", "random", "capture")},
         {"all": sum(rows.values())} | {name: rows[name] for name in ("capped", "random", "capture")}, "rows")
    same(found["rows"]["train"] + found["rows"]["held_out"], rows["used"], "rows used")
    same(found["results"], [{"pieces": pieces, "won": part[1], "drawn": part[0], "lost": part[-1]}
                            for pieces, part in sorted(results.items())], "results by pieces")
    repeated = [games for games in games_of.values() if len(games) > 1]
    conflicting = [games for games in repeated if len(set(games.values())) > 1]
    expected = {"sampled": 1, "rows": rows["used"], "distinct": len(games_of), "repeated": len(repeated),
                "repeated_rows": sum(map(len, repeated)), "conflicting": len(conflicting),
                "conflicting_rows": sum(map(len, conflicting))}
    same({name: found["positions"][name] for name in expected}, expected, "positions")
    loss = 0.0
    for games in conflicting:
        mean = sum(1 + result for result in games.values()) / (2 * len(games))
        loss -= len(games) * (mean * math.log(mean) + (1 - mean) * math.log(1 - mean))
    for games in repeated:
        loss += len(games) * math.log(2) if set(games.values()) == {0} else 0
    check(abs(found["positions"]["floor"] - loss / max(1, expected["repeated_rows"])) < 1e-8, "the floor")
    text = run(dama, "data", folder, "--set", "score_cap=0").stdout
    check(f"{len(games_of)} distinct positions" in text, text)


def what_is_missing_is_named(dama, work):
    folder = work / "games"
    out = work / "none.html"
    said = run(dama, "report", folder, "--out", out, status=1, path="/nonexistent").stderr
    same(said, "dama: expected the program gnuplot to draw plots, found none: install the package gnuplot-nox, or take "
               "--terminal\n", "message without gnuplot")
    check(not out.exists(), "a page in spite of a missing gnuplot")
    run(dama, "report", work, "--terminal", status=1)
    run(dama, "report", folder, "--terminal", "--out", out, status=2)
    shard = sorted((folder / "shards").glob("*.h5"))[0]
    data = bytearray(shard.read_bytes())
    data[3000] ^= 1
    shard.write_bytes(data)
    said = run(dama, "report", folder, "--out", out, status=1).stderr
    check(shard.name in said and said.count("\n") == 1, f"a damaged shard: {said}")
    check(not out.exists(), "a page in spite of damage")


def main():
    dama = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        for test in (a_training_is_reported, generations_freed_by_clean_are_told, games_alone_are_reported,
                     games_of_others_are_named, data_is_counted, shards_that_do_not_belong_are_refused,
                     what_is_missing_is_named):
            print(test.__name__, flush=True)
            test(dama, pathlib.Path(name))


main()
