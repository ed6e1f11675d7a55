#!/usr/bin/env python3
"""Recomputes what was dated during the session, from an unpacked package alone: the rolling hash out of network.pcap, the chain
of statements, the digests of the images; then asks `openssl ts -verify` for each token and compares its time.

It shares no code with the product (docs/package-format.md, decisions 0022 and 0125). Exit code 0 when all holds.
Usage: check_session.py FOLDER
"""
import datetime
import hashlib
import json
import os
import struct
import subprocess
import sys

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def canonical(value):
    # RFC 8785 for objects with ASCII keys, strings and integers.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def segments(path):
    """(stream, direction, payload) of each TCP segment, in the order of the file. Classic PCAP, nanoseconds, raw IP."""
    streams = {}
    count = 0
    with open(path, "rb") as file:
        magic, major, minor, _, _, _, link = struct.unpack("<IHHiIII", file.read(24))
        assert (magic, major, minor, link) == (0xA1B23C4D, 2, 4, 101), "not the PCAP of the format"
        while head := file.read(16):
            _, _, length, original = struct.unpack("<IIII", head)
            packet = file.read(length)
            assert length == original == len(packet), "a packet is cut"
            if packet[0] >> 4 == 4:
                start = (packet[0] & 15) * 4
                source, target, protocol = packet[12:16], packet[16:20], packet[9]
            else:
                start = 40
                source, target, protocol = packet[8:24], packet[24:40], packet[6]
            assert protocol == 6, "not TCP"
            source_port, target_port = struct.unpack(">HH", packet[start : start + 4])
            flags = packet[start + 13]
            ends = ((source, source_port), (target, target_port))
            if flags & 0x12 == 0x02:
                streams[ends] = (count, 1)
                streams[ends[::-1]] = (count, 2)
                count += 1
            stream, direction = streams[ends]
            yield stream, direction, packet[start + (packet[start + 12] >> 4) * 4 :]


def rolling_hashes(path, wanted):
    """SHA-256 over runs (stream u32, direction u8, bytes, their count u64; big-endian), after each wanted count of bytes."""
    state = hashlib.sha256()
    run = None
    run_bytes = 0
    total = 0
    found = {}

    def read_off():
        if total in wanted and total not in found:
            copy = state.copy()
            if run is not None:
                copy.update(struct.pack(">Q", run_bytes))
            found[total] = copy.hexdigest()

    read_off()
    for stream, direction, payload in segments(path):
        while payload:
            # Never past the next wanted count.
            ahead = [count - total for count in wanted if count > total]
            part, payload = payload[: min(ahead + [len(payload)])], payload[min(ahead + [len(payload)]) :]
            if run != (stream, direction):
                if run is not None:
                    state.update(struct.pack(">Q", run_bytes))
                state.update(struct.pack(">IB", stream, direction))
                run, run_bytes = (stream, direction), 0
            state.update(part)
            run_bytes += len(part)
            total += len(part)
            read_off()
    return found, total


def token_time(file):
    text = subprocess.run(["openssl", "ts", "-reply", "-in", file, "-text"], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    stamp = next(line.split(": ", 1)[1] for line in text.splitlines() if line.startswith("Time stamp: "))
    form = "%b %d %H:%M:%S.%f %Y GMT" if "." in stamp else "%b %d %H:%M:%S %Y GMT"
    return datetime.datetime.strptime(stamp, form)


def instant(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")


def main(folder):
    at = lambda path: os.path.join(folder, path)
    manifest = json.load(open(at("manifest.json"), encoding="utf-8"))
    raw = open(at("capture/rolling-hash.json"), "rb").read()
    record = json.loads(raw)
    expect(raw == canonical(record), "rolling-hash.json is not canonical")
    expect(record["format"] == "probant-session/1", "format")
    checkpoints = record["checkpoints"]
    wanted = {checkpoint["statement"]["bytes"] for checkpoint in checkpoints}
    found, total = rolling_hashes(at(record["pcap"]), wanted)
    previous = None
    images = {}
    times = []
    verified = 0
    for number, checkpoint in enumerate(checkpoints, 1):
        statement = checkpoint["statement"]
        name = f"checkpoint {number}"
        expect(hashlib.sha256(canonical(statement)).hexdigest() == checkpoint["sha256"], f"{name}: digest of the statement")
        expect(statement["previous"] == previous, f"{name}: does not hold the one before")
        expect(statement["index"] == number, f"{name}: number")
        expect(statement["evidence_id"] == manifest["subject"]["evidence_id"], f"{name}: another evidence")
        expect(statement["requested_url"] == manifest["subject"]["requested_url"], f"{name}: another address")
        expect(statement["session"] == checkpoints[0]["statement"]["session"], f"{name}: another session")
        expect(found.get(statement["bytes"]) == statement["rolling_hash"], f"{name}: rolling hash")
        images.update({image["path"]: image["sha256"] for image in statement["images"]})
        previous = checkpoint["sha256"]
        if checkpoint["token"] is None:
            expect(checkpoint["error"], f"{name}: neither a token nor why")
            continue
        command = ["openssl", "ts", "-verify", "-digest", checkpoint["sha256"], "-in", at(checkpoint["token"]), "-CAfile", at(checkpoint["ca"])]
        done = subprocess.run(command, capture_output=True, text=True)
        expect("Verification: OK" in done.stdout + done.stderr and done.returncode == 0, f"{name}: {done.stderr}")
        verified += 1
        time = token_time(at(checkpoint["token"]))
        times.append(time)
        expect(abs(time - instant(statement["at"])) < datetime.timedelta(minutes=1), f"{name}: dated {time}")
    expect([c["statement"]["reason"] for c in checkpoints][0] == "start", "no start")
    expect([c["statement"]["reason"] for c in checkpoints][-1] == "end", "no end")
    expect(checkpoints[0]["statement"]["bytes"] == 0, "something passed before the start")
    expect(checkpoints[-1]["statement"]["bytes"] == total, "the recording goes on after the end")
    expect(times == sorted(times), "the times are not in their order")
    expect(not times or times[-1] <= token_time(at("seal/timestamp-1.tsr")), "the seal is older than the session")
    # Of a page that was captured anew, images of the round that was given up may not be there; none that is there may differ.
    listed = {piece["path"] for piece in manifest["pieces"]}
    images = {path: digest for path, digest in images.items() if path in listed}
    for path, digest in images.items():
        expect(hashlib.sha256(open(at(path), "rb").read()).hexdigest() == digest, f"{path} is not the image that was dated")
    answer = {"checkpoints": len(checkpoints), "tokens": verified, "images": sorted(images), "bytes": total, "problems": problems}
    print(json.dumps(answer))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
