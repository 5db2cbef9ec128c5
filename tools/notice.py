#!/usr/bin/env python3
"""Writes licences/THIRD-PARTY.md: every crate that is built into the game with
its window, by licence, and the licence texts that come with them.

    tools/notice.py           writes the file
    tools/notice.py --check   says whether it is current; exit 1 if it is not

Both stop at a crate whose licence is not in deny.toml.

Covers what `./play` builds for: Linux and macOS, on x86-64 and ARM. Build tools
and test crates are not part of the game and are left out. Needs only Python 3
and cargo; the crates' sources are fetched by cargo if they are not there.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "licences" / "THIRD-PARTY.md"
PLATFORMS = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
]
# What a crate's folder calls its licence. Texts of other people's works that a
# crate only quotes (LICENSE-3RD-PARTY and the like) begin with these too.
NAMES = re.compile(
    r"^(licen[cs]e|copying|copyright|notice|unlicense|ofl|ufl)([-._ ].*)?$", re.IGNORECASE
)
# A crate that may be had under any of several licences is taken under the first
# of these that it offers; only the texts of what is taken are printed.
PREFERRED = ["MIT", "Apache-2.0", "Zlib", "BSD-3-Clause", "BSD-2-Clause", "ISC", "Unlicense"]
# How to tell a text by its words.
SIGNS = [
    ("Apache-2.0", "Apache License"),
    ("MPL-2.0", "Mozilla Public License"),
    ("BSL-1.0", "Boost Software License"),
    ("OFL-1.1", "SIL OPEN FONT LICENSE"),
    ("Unicode-3.0", "UNICODE LICENSE V3"),
    ("CC0-1.0", "CC0 1.0 Universal"),
    ("Unlicense", "This is free and unencumbered software"),
    ("Ubuntu-font-1.0", "UBUNTU FONT LICENCE"),
    ("GPL", "GNU GENERAL PUBLIC LICENSE"),
    ("GPL", "GNU LESSER GENERAL PUBLIC LICENSE"),
    ("MIT", "Permission is hereby granted, free of charge"),
    ("Zlib", "This software is provided 'as-is'"),
    ("Zlib", 'provided "as-is", without any express or'),
    ("BSD-3-Clause", "Redistribution and use in source and binary forms"),
    ("ISC", "Permission to use, copy, modify, and/or distribute"),
    ("ISC", "Permission to use, copy, modify, and distribute"),
]


def cargo_metadata(platform):
    run = subprocess.run(
        ["cargo", "metadata", "--locked", "--format-version", "1", "--features", "desktop",
         "--filter-platform", platform],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
    )
    if run.returncode != 0:
        sys.exit(f"cargo metadata failed:\n{run.stderr}")
    return json.loads(run.stdout)


def crates():
    """The packages that the game is linked from, on any of the platforms."""
    found = {}
    for platform in PLATFORMS:
        meta = cargo_metadata(platform)
        packages = {p["id"]: p for p in meta["packages"]}
        nodes = {n["id"]: n for n in meta["resolve"]["nodes"]}
        own = meta["resolve"]["root"]
        seen, todo = set(), [own]
        while todo:
            here = todo.pop()
            if here in seen:
                continue
            seen.add(here)
            for dep in nodes[here]["deps"]:
                if any(kind["kind"] is None for kind in dep["dep_kinds"]):
                    todo.append(dep["pkg"])
        for package in seen - {own}:
            found[package] = packages[package]
    return sorted(found.values(), key=lambda p: (p["name"], p["version"]))


def offers(expression):
    """A licence expression as a list of what must be kept, each a list to choose from."""
    expression = expression.replace("/", " OR ")
    parts = re.split(r"\s+AND\s+(?![^(]*\))", expression)
    return [[o.strip("() ") for o in re.split(r"\s+OR\s+", part)] for part in parts]


def taken(expression):
    kept = []
    for choice in offers(expression):
        kept.append(next((p for p in PREFERRED if p in choice), choice[0]))
    return kept


def kind_of(text):
    flat = " ".join(text.split())
    for kind, sign in SIGNS:
        if sign.lower() in flat.lower():
            if kind == "BSD-3-Clause" and "endorse or promote" not in flat.lower():
                return "BSD-2-Clause"
            return kind
    return None


def tidy(text):
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


def refused(packages):
    """Crates whose licence deny.toml does not allow."""
    listed = re.search(r"^allow = \[(.*?)^\]", (ROOT / "deny.toml").read_text(), re.S | re.M)
    allow = set(re.findall(r'^\s*"([^"]+)"', listed.group(1), re.M))
    return [p for p in packages
            if not all(allow & set(choice) for choice in offers(p["license"] or ""))]


def texts_of(package):
    """The licence texts in a crate's folder that belong to what is taken."""
    folder = pathlib.Path(package["manifest_path"]).parent
    kept = taken(package["license"] or "")
    files = [f for f in folder.iterdir() if f.is_file() and NAMES.match(f.name)]
    for sub in folder.iterdir():
        if sub.is_dir() and sub.name.lower() in ("licenses", "licences", "license", "fonts"):
            files += [f for f in sub.rglob("*") if f.is_file() and (
                sub.name.lower() != "fonts" or f.suffix == ".txt") and f.suffix.lower() in ("", ".txt", ".md")]
    if package["license_file"]:
        files.append(folder / package["license_file"])
    found = []
    for file in sorted(set(files)):
        if not file.is_file():
            continue
        text = tidy(file.read_text(encoding="utf-8", errors="replace"))
        kind = kind_of(text)
        notice = re.match(r"(?i)notice|copyright", file.name)
        if text and (kind is None and notice or kind in kept or
                     (kind == "MIT" and "MIT-0" in kept) or
                     (kind or "").startswith("Apache") and any(k.startswith("Apache") for k in kept)):
            found.append((kind or "notice", text))
    return found


def fence(text):
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)


def notice(packages):
    groups = {}
    for package in packages:
        groups.setdefault(package["license"] or "no licence stated", []).append(package)

    out = [
        "# Third parties",
        "",
        "<!-- Written by tools/notice.py from Cargo.lock: do not edit. -->",
        "",
        f"Nine Gates is built from {len(packages)} crates by other people, for Linux and macOS,",
        "with the window. A crate offered under several licences is used under the first that",
        "is named in its group's line. The source of each is on crates.io under its name and",
        "version, unchanged. The Rust standard library is part of the game too (MIT OR",
        "Apache-2.0, by the Rust Project's contributors). The fonts are named in `README.md`",
        "beside this file.",
        "",
    ]
    for licence in sorted(groups, key=lambda l: (-len(groups[l]), l)):
        used = " and ".join(dict.fromkeys(taken(licence)))
        out += [f"## {licence}", ""]
        if used != licence:
            out += [f"Used under {used}.", ""]
        out += [", ".join(f"{p['name']} {p['version']}" for p in groups[licence]) + ".", ""]

    # One text may serve many crates: those that differ only in white space are one.
    texts = {}
    bare = []
    for package in packages:
        found = texts_of(package)
        if not found:
            bare.append(package)
        for kind, text in found:
            key = (kind, " ".join(text.split()))
            texts.setdefault(key, (text, []))[1].append(f"{package['name']} {package['version']}")

    # MIT texts of many crates differ only in the line that names the owner: the
    # body stands once, the owners' lines above it.
    grouped = {}
    for (kind, _), (text, users) in texts.items():
        lines = text.split("\n")
        owner = [l.strip() for l in lines if re.match(r"(?i)\s*(copyright|\(c\)|©)\b", l) and kind in ("MIT", "ISC", "Zlib", "BSD-2-Clause", "BSD-3-Clause")]
        head = re.compile(r"(?i)^\W*(the )?(mit|isc|zlib|bsd)?[\w\s-]*licen[cs]e\W*(\(mit\))?\W*$")
        body = [l for l in lines if l.strip() not in owner and not head.match(l)] if owner else lines
        key = (kind, re.sub(r"\W+", " ", " ".join(body)).strip().lower())
        entry = grouped.setdefault(key, {"body": tidy("\n".join(body)), "owners": {}, "users": []})
        for line in owner:
            entry["owners"].setdefault(line, None)
        entry["users"] += users

    out += ["# Texts", ""]
    order = sorted(grouped.items(), key=lambda item: (item[0][0], -len(item[1]["users"]), item[0][1]))
    for (kind, _), entry in order:
        users = list(dict.fromkeys(entry["users"]))
        out += [f"## {kind}, for {len(users)} crate{'s' if len(users) > 1 else ''}", ""]
        out += [", ".join(users) + ".", ""]
        text = entry["body"]
        if entry["owners"]:
            text = "\n".join(entry["owners"]) + "\n\n" + text
        mark = fence(text)
        out += [mark, text, mark, ""]
    if bare:
        out += [
            "## Crates whose folders hold no text",
            "",
            "Their licence is stated in their manifest; the text is that of the same licence above.",
            "",
        ]
        for package in bare:
            authors = "; ".join(re.sub(r"\s*<[^>]*>", "", a) for a in package["authors"]) or "its contributors"
            out.append(f"- {package['name']} {package['version']}, {package['license']}, by {authors}")
        out.append("")
    return "\n".join(out)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(f"{__doc__}\nUnknown argument: {' '.join(sys.argv[1:])}")
    packages = crates()
    for package in refused(packages):
        print(f"{package['name']} {package['version']}: {package['license']} is not in deny.toml")
    if refused(packages):
        sys.exit("Licences that deny.toml does not allow.")
    text = notice(packages)
    if sys.argv[1:] == ["--check"]:
        there = OUT.read_text(encoding="utf-8") if OUT.is_file() else ""
        if there != text:
            sys.exit(f"{OUT.relative_to(ROOT)} is stale: run tools/notice.py and commit it.")
        print(f"{OUT.relative_to(ROOT)} is current.")
    else:
        OUT.parent.mkdir(exist_ok=True)
        OUT.write_text(text, encoding="utf-8", newline="\n")
        print(f"{OUT.relative_to(ROOT)}: {len(text.encode()) // 1000} kB")


if __name__ == "__main__":
    main()
