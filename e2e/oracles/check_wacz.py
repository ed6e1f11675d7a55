#!/usr/bin/env python3
"""The rules by which py-wacz validates a WACZ (version 1.1.1), written again from its behaviour with the standard library.

Exit code 0 when the archive holds. Usage: check_wacz.py ARCHIVE.wacz
"""
import gzip
import hashlib
import io
import json
import sys
import zipfile

problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def main(path):
    archive = zipfile.ZipFile(path)
    names = archive.namelist()
    package_raw = archive.read("datapackage.json")
    package = json.loads(package_raw)
    expect(package.get("profile") == "data-package", "profile")
    expect(package.get("wacz_version") == "1.1.1", "wacz_version")
    listed = set()
    for resource in package["resources"]:
        listed.add(resource["path"])
        data = archive.read(resource["path"])
        expect(resource["name"] == resource["path"].split("/")[-1].lower(), f"name of {resource['path']}")
        expect(resource["hash"] == "sha256:" + hashlib.sha256(data).hexdigest(), f"hash of {resource['path']}")
        expect(resource["bytes"] == len(data), f"bytes of {resource['path']}")
    expect(set(names) - listed <= {"datapackage.json", "datapackage-digest.json"}, "files that are not listed")
    expect(any(name.startswith("archive/") for name in names), "no archive/")
    expect(any(name.startswith("indexes/") for name in names), "no indexes/")
    expect("pages/pages.jsonl" in names, "no pages/pages.jsonl")
    digest = json.loads(archive.read("datapackage-digest.json"))
    expect(digest["path"] == "datapackage.json", "path of the digest")
    expect(digest["hash"] == "sha256:" + hashlib.sha256(package_raw).hexdigest(), "hash of datapackage.json")
    for name in names:
        if name.startswith("archive/"):
            expect(archive.getinfo(name).compress_type == zipfile.ZIP_STORED, f"{name} is compressed twice")

    lines = archive.read("pages/pages.jsonl").decode("utf-8").strip().split("\n")
    header, pages = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    expect(header.get("format") == "json-pages-1.0", "format of pages.jsonl")
    expect(all("url" in page and "ts" in page for page in pages) and pages, "pages without url or ts")

    # Each line of the index must point to a record of that address, whole within its own gzip member.
    index = next(name for name in names if name.startswith("indexes/"))
    raw = archive.read(index)
    text = (gzip.decompress(raw) if index.endswith(".gz") else raw).decode("utf-8")
    records = 0
    previous = ""
    for line in text.strip().split("\n"):
        expect(line >= previous, "the index is not sorted")
        previous = line
        fields = json.loads(line.split(" ", 2)[2])
        warc = archive.read("archive/" + fields["filename"])
        start, length = int(fields["offset"]), int(fields["length"])
        record = gzip.GzipFile(fileobj=io.BytesIO(warc[start : start + length])).read()
        expect(record.startswith(b"WARC/1."), f"no record at {start}")
        expect(("WARC-Target-URI: " + fields["url"]).encode() in record[:8192], f"another address at {start}")
        records += 1
    expect(records > 0, "an empty index")
    urls = {page["url"] for page in pages}
    indexed = {json.loads(line.split(" ", 2)[2])["url"] for line in text.strip().split("\n")}
    expect(urls <= indexed, "a page that is not in the index")
    print(json.dumps({"records": records, "resources": len(listed), "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
