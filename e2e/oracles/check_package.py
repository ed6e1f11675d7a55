#!/usr/bin/env python3
"""Recomputes everything that docs/package-format.md says of a package, from the Python standard library alone.

It shares no code with the product: neither its language, nor its ZIP reader, nor its JSON. Exit code 0 when all holds.
Usage: check_package.py PACKAGE.zip
"""
import base64
import hashlib
import json
import re
import sys
import zipfile
import xml.etree.ElementTree as ET

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def canonical(value):
    # RFC 8785 for objects with ASCII keys, strings and integers, which is all that a manifest holds.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def tree_hash(leaves):
    # RFC 9162 section 2.1.1, by its recursive definition.
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + tree_hash(leaves[:split]) + tree_hash(leaves[split:])).digest()


def read_stream_hash(archive, name):
    digest = hashlib.sha256()
    size = 0
    with archive.open(name) as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
            size += len(chunk)
    return digest.hexdigest(), size


def main(path):
    archive = zipfile.ZipFile(path)
    names = [info.filename for info in archive.infolist()]
    expect(len(names) == len(set(names)), "a name stands twice")
    expect(names[0] == "mimetype", "mimetype is not first")
    expect(archive.read("mimetype") == b"application/vnd.etsi.asic-e+zip", "mimetype")
    for info in archive.infolist():
        expect(info.compress_type == zipfile.ZIP_STORED, f"{info.filename} is compressed")
        expect(info.date_time == (1980, 1, 1, 0, 0, 0), f"{info.filename} is dated {info.date_time}")
        expect(re.fullmatch(r"[A-Za-z0-9._/-]+", info.filename), f"{info.filename} is not a name of the format")

    raw = archive.read("manifest.json")
    manifest = json.loads(raw)
    expect(raw == canonical(manifest), "manifest.json is not canonical")
    expect(set(manifest) == {"format", "subject", "pieces", "root"}, "members of the manifest")
    paths = [piece["path"] for piece in manifest["pieces"]]
    expect(paths == sorted(paths), "pieces are not sorted")
    for piece in manifest["pieces"]:
        digest, size = read_stream_hash(archive, piece["path"])
        expect(digest == piece["sha256"], f"{piece['path']}: digest differs")
        expect(size == piece["bytes"], f"{piece['path']}: length differs")
    head = {"format": manifest["format"], "subject": manifest["subject"]}
    root = tree_hash([canonical(head)] + [canonical(piece) for piece in manifest["pieces"]])
    expect(root.hex() == manifest["root"], "the root differs")
    expect(archive.read("seal/root.bin") == root, "seal/root.bin differs")

    present = set(names)
    sealing = ["seal/keys.json", "seal/keys.p7s", "seal/message.txt", "seal/message-signatures.json"]
    expect(len(present & set(sealing)) in (0, 4), "some of the platform's keys and of the seal's message are missing")
    if "seal/message.txt" in present:
        expect(archive.read("seal/message.txt") == b"probant-seal/1 " + root.hex().encode(), "the text of the seal")
        for name in ("seal/keys.json", "seal/message-signatures.json"):
            expect(archive.read(name) == canonical(json.loads(archive.read(name))), f"{name} is not canonical")
        keys = json.loads(archive.read("seal/keys.json"))
        signed = json.loads(archive.read("seal/message-signatures.json"))
        for kind, name in (("bitcoin", "address"), ("nano", "account")):
            in_force = [key["id"] for key in keys[kind] if key["until"] is None]
            expect(in_force == [signed[kind][name]], f"the {kind} key that signed is not the one in force")

    space = {"asic": "http://uri.etsi.org/02918/v1.2.1#", "ds": "http://www.w3.org/2000/09/xmldsig#"}
    covered = {"mimetype"}
    for number in ("001", "002"):
        name = f"META-INF/ASiCManifest{number}.xml"
        tree = ET.fromstring(archive.read(name))
        token = tree.find("asic:SigReference", space).get("URI")
        chain = token.removesuffix(".tst") + "-ca.pem"
        covered |= {name, token, chain}
        blocks = archive.read(chain).decode("ascii").split("-----END CERTIFICATE-----\n")
        expect(blocks.pop() == "" and len(blocks) > 0, f"{chain} is not a list of certificates")
        for block in blocks:
            expect(block.startswith("-----BEGIN CERTIFICATE-----\n"), f"{chain}: something else than certificates")
        for reference in tree.findall("asic:DataObjectReference", space):
            entry = reference.get("URI")
            covered.add(entry)
            value = base64.b64decode(reference.find("ds:DigestValue", space).text)
            expect(read_stream_hash(archive, entry)[0] == value.hex(), f"{entry}: digest of {name} differs")
    expect(covered == set(names), f"not covered: {sorted(set(names) - covered)}; missing: {sorted(covered - set(names))}")
    print(json.dumps({"pieces": len(paths), "entries": len(names), "root": manifest["root"], "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
