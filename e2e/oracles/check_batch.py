#!/usr/bin/env python3
"""Evidence records of one batch, each by itself, by the rules of RFC 4998 4.3: the standard library, and openssl for the one token.

Usage: check_batch.py FINGERPRINTS RECORDS CA.pem
FINGERPRINTS: a line of 64 hexadecimal digits for each record; RECORDS: the records, each after its length as 4 octets, big-endian.
Every record must lead from its own fingerprint, and from that alone, to what the token of all is over. openssl verifies that token.
Prints {"records", "steps", "root", "problems"}. Exit code 0 when there are no problems.
"""
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile

SHA256 = bytes.fromhex("0609608648016503040201")


def element(data, at):
    """Tag, contents, whole, and where the next one begins: definite lengths alone."""
    tag, length, start = data[at], data[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[start : start + count], "big")
        start += count
    end = start + length
    if end > len(data):
        raise ValueError("cut off")
    return tag, data[start:end], data[at:end], end


def inside(data):
    found, at = [], 0
    while at < len(data):
        tag, contents, whole, at = element(data, at)
        found.append((tag, contents, whole))
    return found


def read(record):
    (tag, body, whole, end) = element(record, 0)
    if tag != 0x30 or end != len(record):
        raise ValueError("not one SEQUENCE")
    version, algorithms, sequence = inside(body)
    if version[2] != b"\x02\x01\x01" or SHA256 not in algorithms[1]:
        raise ValueError("not version 1 with SHA-256")
    (chain,) = inside(sequence[1])
    (stamp,) = inside(chain[1])
    members = inside(stamp[1])
    lists = []
    for tag, contents, _ in members[:-1]:
        if tag == 0xA0 and contents != SHA256:
            raise ValueError("another algorithm")
        if tag == 0xA2:
            lists = [[value for _, value, _ in inside(part)] for _, part, _ in inside(contents)]
    return lists, members[-1][2]


def root_of(lists):
    node = None
    for values in lists:
        values = sorted(values + ([] if node is None else [node]))
        node = values[0] if len(values) == 1 else hashlib.sha256(b"".join(values)).digest()
    return node


with open(sys.argv[1]) as file:
    fingerprints = file.read().split()
with open(sys.argv[2], "rb") as file:
    blob = file.read()
records, at = [], 0
while at < len(blob):
    (length,) = struct.unpack_from(">I", blob, at)
    records.append(blob[at + 4 : at + 4 + length])
    at += 4 + length

problems, tokens, roots, steps = [], set(), set(), set()
if len(records) != len(fingerprints):
    problems.append(f"{len(records)} records of {len(fingerprints)} fingerprints")
for number, (fingerprint, record) in enumerate(zip(fingerprints, records)):
    try:
        lists, token = read(record)
    except (ValueError, IndexError) as error:
        problems.append(f"record {number}: {error}")
        continue
    leaf = bytes.fromhex(fingerprint)
    if lists and lists[0] != [leaf]:
        problems.append(f"record {number}: its first list is not its fingerprint")
    tokens.add(token)
    roots.add(root_of(lists) if lists else leaf)
    steps.add(max(0, len(lists) - 1))

if len(tokens) != 1 or len(roots) != 1:
    problems.append(f"{len(tokens)} tokens and {len(roots)} roots")
else:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "token.tst")
        with open(path, "wb") as file:
            file.write(next(iter(tokens)))
        verify = ["openssl", "ts", "-verify", "-digest", next(iter(roots)).hex(), "-in", path, "-token_in", "-CAfile", sys.argv[3]]
        done = subprocess.run(verify, capture_output=True)
        if done.returncode != 0:
            problems.append("openssl: " + (done.stdout + done.stderr).decode("latin1").strip())
print(
    json.dumps(
        {
            "records": len(records),
            "steps": sorted(steps),
            "root": next(iter(roots)).hex() if len(roots) == 1 else None,
            "problems": problems[:10],
        }
    )
)
sys.exit(1 if problems else 0)
