#!/usr/bin/env python3
"""Lets an engine of Hub version 1 (Scan 2.0) be spoken to in version 2: hub1_adapter.py COMMAND...

Version 1 has commands of plain words, moves sent one by one, times in milliseconds and no parameters that it
declares; a node limit does not exist. COMMAND is started in the present folder with its own argument `hub`.
"""
import shlex
import subprocess
import sys


def say(text):
    print(text, flush=True)


def pairs(line):
    """Command and name=value pairs of a line of version 2."""
    words = shlex.split(line)
    return words[0] if words else "", dict(word.partition("=")[::2] for word in words[1:])


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(1)
        return line.split()

    def wait_for(self, *commands):
        while True:
            words = self.hear()
            if words and words[0] in commands:
                return words


def introduce(engine):
    engine.tell("hub")
    known = {}
    while (words := engine.hear())[:1] != ["wait"]:
        if words:
            known[words[0]] = " ".join(words[1:])
    say(f'id name="{known.get("name", "unknown")}" author="{known.get("author", "unknown")}"')
    say("wait")


def set_position(engine, values):
    text = values.get("pos", "W" + 20 * "b" + 10 * "e" + 20 * "w")
    engine.tell("pos " + text[0].lower() + text[1:])
    for move in values.get("moves", "").split():
        engine.tell("move " + move)


def set_level(engine, values):
    def milliseconds(name):
        return round(1000 * float(values.get(name, 0)))

    if "nodes" in values:
        say('error message="version 1 of Hub has no node limit"')
    if "depth" in values:
        engine.tell(f'depth {values["depth"]}')
    if "move-time" in values:
        engine.tell(f'time {milliseconds("move-time")}')
    if "time" in values:
        engine.tell(f'level {values.get("moves", 0)} {milliseconds("time")} {milliseconds("inc")}')


def search(engine, values):
    engine.tell("analyse" if "analyze" in values else "go")
    words = engine.wait_for("move", "error")
    if words[0] == "error":
        say(f'error message="{" ".join(words[1:])}"')
    else:
        ponder = f" ponder={words[2]}" if len(words) > 2 else ""
        say(f"done move={words[1]}{ponder}")


def main():
    engine = Engine(sys.argv[1:])
    for line in sys.stdin:
        command, values = pairs(line)
        if command == "hub":
            introduce(engine)
        elif command == "set-param":
            engine.tell(f'set {values["name"]} {values["value"]}')
        elif command == "init":
            engine.tell("init")
            engine.wait_for("ready")
            say("ready")
        elif command == "pos":
            set_position(engine, values)
        elif command == "level":
            set_level(engine, values)
        elif command == "go":
            search(engine, values)
        elif command == "ping":
            say("pong")
        elif command == "new-game":
            engine.tell("new")
        elif command == "quit":
            break
    engine.process.stdin.close()


if __name__ == "__main__":
    main()
