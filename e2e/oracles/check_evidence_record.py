#!/usr/bin/env python3
"""An evidence record by the rules of RFC 4998 (4.3 and 5.3), written again from the standard: the standard library and openssl alone.

Usage: check_evidence_record.py RECORD.ers [--document FILE]... [--roots ROOTS.pem]
Every document given must be in the first hash list of each chain. With roots, openssl verifies each time stamp as of its own date.
Prints {"chains", "dates", "algorithms", "leaves", "root", "problems"}. Exit code 0 when there are no problems.
"""
import argparse
import calendar
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

problems = []
folder = tempfile.TemporaryDirectory()
DIGESTS = {"sha1", "sha224", "sha256", "sha384", "sha512", "sha3-256", "sha3-384", "sha3-512"}


def expect(condition, text):
    if not condition:
        problems.append(text)
    return condition


def openssl(*args):
    done = subprocess.run(["openssl", *args], capture_output=True, env={**os.environ, "LC_ALL": "C", "TZ": "UTC"})
    return done.returncode, done.stdout.decode("latin1"), done.stderr.decode("latin1")


def keep(name, data):
    path = os.path.join(folder.name, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


class Element:
    """One line of `openssl asn1parse`: where it stands, what it is, and what stands inside it."""

    def __init__(self, data, offset, depth, head, length, kind, value):
        self.offset, self.depth, self.kind, self.value = offset, depth, kind, value
        self.encoded = data[offset : offset + head + length]
        self.contents = data[offset + head : offset + head + length]
        self.inside = []


def parse(path):
    with open(path, "rb") as file:
        data = file.read()
    code, out, error = openssl("asn1parse", "-inform", "DER", "-in", path)
    if code != 0:
        sys.exit("not DER: " + error)
    stack = []
    top = None
    for line in out.splitlines():
        found = re.match(r"\s*(\d+):d=(\d+)\s+hl=\s*(\d+)\s+l=\s*(\d+)\s+(?:prim|cons):\s*([^:]*?)\s*(?::(.*))?$", line)
        if found is None:
            continue
        offset, depth, head, length = (int(each) for each in found.groups()[:4])
        element = Element(data, offset, depth, head, length, found.group(5), found.group(6) or "")
        del stack[depth:]
        if stack:
            stack[-1].inside.append(element)
        else:
            top = element
        stack.append(element)
    expect(top is not None and len(top.encoded) == len(data), "something follows the record")
    return top


def name_of(identifier):
    name = identifier.inside[0].value.lower()
    return name if name in DIGESTS else None


def hashed(name, data):
    return hashlib.new(name.replace("-", "_"), data).digest()


def root_of(lists, name):
    """4.3 point 3: each list with the hash of the one before, in binary ascending order; a value alone at first is itself."""
    node = None
    for values in lists:
        values = sorted(values + ([] if node is None else [node]))
        node = values[0] if len(values) == 1 else hashed(name, b"".join(values))
    return node


def read_time_stamp(element):
    members = list(element.inside)
    stated, lists = None, None
    if members[0].kind == "cont [ 0 ]":
        stated = name_of(members.pop(0))
    if members[0].kind == "cont [ 1 ]":
        members.pop(0)
    if members[0].kind == "cont [ 2 ]":
        lists = [[value.contents for value in part.inside] for part in members.pop(0).inside]
    expect(len(members) == 1, "members after a time stamp")
    token = members[0].encoded
    path = keep(f"stamp-{element.offset}.tst", token)
    # The signature is verified over what is read; whose it is, `ts -verify` says, where there are roots.
    info = os.path.join(folder.name, f"info-{element.offset}.der")
    code, _, error = openssl("cms", "-verify", "-noverify", "-inform", "DER", "-in", path, "-out", info)
    if not expect(code == 0, "a time stamp that openssl cannot verify: " + error.strip()):
        return None
    fields = parse(info).inside
    algorithm, imprint = fields[2].inside
    stamped = name_of(algorithm)
    at = datetime.datetime.strptime(re.sub(r"\.\d+", "", fields[4].value), "%Y%m%d%H%M%SZ")
    return {
        "token": token,
        "path": path,
        "imprint": imprint.contents,
        "stamped": stamped,
        "algorithm": stated or stamped,
        "lists": lists,
        "at": calendar.timegm(at.timetuple()),
    }


def sequence(parts):
    body = b"".join(parts)
    if len(body) < 128:
        return b"\x30" + bytes([len(body)]) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return b"\x30" + bytes([0x80 | len(length)]) + length + body


arguments = argparse.ArgumentParser()
arguments.add_argument("record")
arguments.add_argument("--document", action="append", default=[])
arguments.add_argument("--roots")
given = arguments.parse_args()

documents = [open(path, "rb").read() for path in given.document]
members = list(parse(given.record).inside)
expect(members[0].kind == "INTEGER" and members[0].contents == b"\x01", "not version 1")
listed = [name_of(each) for each in members[1].inside]
elements = members[-1].inside
chains = [[read_time_stamp(each) for each in chain.inside] for chain in elements]
if not problems:
    used = {stamp["algorithm"] for chain in chains for stamp in chain}
    expect(len(listed) == len(set(listed)) and set(listed) == used, "the algorithms listed are not those used")
    before = None
    for number, chain in enumerate(chains):
        for place, stamp in enumerate(chain):
            name = f"time stamp {number + 1}.{place + 1}"
            algorithm, lists = stamp["algorithm"], stamp["lists"] or [[stamp["imprint"]]]
            expect(algorithm == chain[0]["algorithm"], f"{name}: another algorithm than its chain")
            expect(stamp["stamped"] == algorithm, f"{name}: stamped by another algorithm")
            expect(all(values for values in lists), f"{name}: an empty list")
            expect(root_of(lists, algorithm) == stamp["imprint"], f"{name}: the lists do not lead to what was stamped")
            if place > 0:
                expect(hashed(algorithm, before["token"]) in lists[0], f"{name}: does not cover the time stamp before it")
            else:
                earlier = sequence([each.encoded for each in elements[:number]])
                for document in documents:
                    leaf = hashed(algorithm, document)
                    if number > 0:
                        leaf = hashed(algorithm, leaf + hashed(algorithm, earlier))
                    expect(leaf in lists[0], f"{name}: the document is not in its first list")
            if before is not None:
                expect(stamp["at"] >= before["at"] - 300, f"{name}: before the one that it renews")
            if given.roots is not None:
                digest = root_of(lists, algorithm).hex()
                code, out, error = openssl(
                    "ts", "-verify", "-digest", digest, "-in", stamp["path"], "-token_in",
                    "-CAfile", given.roots, "-attime", str(stamp["at"]),
                )  # fmt: skip
                expect(code == 0, f"{name}: openssl: " + (out + error).strip().splitlines()[-1])
            before = stamp

first = chains[0][0] if chains and chains[0] and chains[0][0] else None
print(
    json.dumps(
        {
            "chains": [len(chain) for chain in chains],
            "dates": [
                datetime.datetime.fromtimestamp(stamp["at"], datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
                for chain in chains
                for stamp in chain
                if stamp
            ],
            "algorithms": listed,
            "leaves": [value.hex() for value in (first["lists"] or [[first["imprint"]]])[0]] if first else [],
            "root": first["imprint"].hex() if first else None,
            "problems": problems,
        }
    )
)
sys.exit(1 if problems else 0)
