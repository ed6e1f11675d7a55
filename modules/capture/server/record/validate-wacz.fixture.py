"""Rules of py-wacz `validate` and of WARC 1.1 digests, re-implemented with Python's standard library: shares no code with the writer.
Prints one JSON object: {"errors": [...], "records": n, "responses": {url: [status, sha256 of payload]}}."""
import datetime, gzip, hashlib, json, re, sys, zipfile

errors, responses, records = [], {}, 0


def check(ok, message):
    if not ok:
        errors.append(message)


archive = zipfile.ZipFile(sys.argv[1])
check(archive.testzip() is None, "zip is damaged")
names = archive.namelist()
check(len(names) == len(set(names)), "duplicate entries")
package = json.loads(archive.read("datapackage.json"))
check(package["profile"] == "data-package", "profile")
check(package["wacz_version"] == "1.1.1", "wacz_version")
datetime.datetime.strptime(package["created"], "%Y-%m-%dT%H:%M:%SZ")
check(any(re.fullmatch(r"archive/[^/]+\.warc(\.gz)?", n) for n in names), "no WARC")
check("indexes/index.cdx.gz" in names, "no index")
check("pages/pages.jsonl" in names, "no pages")
listed = {r["path"]: r for r in package["resources"]}
check(len({r["name"] for r in package["resources"]}) == len(package["resources"]), "resource names repeat")
for name in names:
    if name in ("datapackage.json", "datapackage-digest.json"):
        continue
    check(name in listed, f"{name} is not listed")
    check(name.count("/") == 1, f"{name} is too deep")
for path, resource in listed.items():
    check(re.fullmatch(r"[-a-z0-9._/]+", resource["name"]) is not None, f"name {resource['name']}")
    data = archive.read(path)
    check(resource["hash"] == "sha256:" + hashlib.sha256(data).hexdigest(), f"hash of {path}")
    check(resource["bytes"] == len(data), f"bytes of {path}")
    if path.endswith(".gz"):
        check(archive.getinfo(path).compress_type == zipfile.ZIP_STORED, f"{path} is compressed in the ZIP")
digest = json.loads(archive.read("datapackage-digest.json"))
check(digest["path"] == "datapackage.json", "digest path")
check(digest["hash"] == "sha256:" + hashlib.sha256(archive.read("datapackage.json")).hexdigest(), "digest hash")
pages = [json.loads(line) for line in archive.read("pages/pages.jsonl").decode().splitlines()]
check(pages[0]["format"] == "json-pages-1.0", "pages header")
check(all("url" in page and "ts" in page for page in pages[1:]), "page fields")


def record_at(data):
    head, rest = data.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    check(lines[0] == "WARC/1.1", "version line")
    fields = [tuple(line.split(": ", 1)) for line in lines[1:]]
    values = dict(fields)
    length = int(values["Content-Length"])
    block = rest[:length]
    check(rest[length:] == b"\r\n\r\n", "record end")
    check(values["WARC-Block-Digest"] == "sha256:" + hashlib.sha256(block).hexdigest(), f"block digest {values.get('WARC-Target-URI')}")
    payload = None
    if values["Content-Type"].startswith("application/http"):
        payload = block.split(b"\r\n\r\n", 1)[1]
        check(values["WARC-Payload-Digest"] == "sha256:" + hashlib.sha256(payload).hexdigest(), f"payload digest {values['WARC-Target-URI']}")
    check(re.fullmatch(r"<urn:uuid:[0-9a-f-]{36}>", values["WARC-Record-ID"]) is not None, "record id")
    return values, block, payload


warcs = {n: archive.read(n) for n in names if n.startswith("archive/")}
ids = set()
for data in warcs.values():
    import zlib

    while data:
        member = zlib.decompressobj(31)
        values, block, payload = record_at(member.decompress(data))
        check(values["WARC-Record-ID"] not in ids, "record id repeats")
        ids.add(values["WARC-Record-ID"])
        data = member.unused_data
        records += 1
lines = gzip.decompress(archive.read("indexes/index.cdx.gz")).decode().splitlines()
check(lines == sorted(lines, key=str.encode), "index is not sorted")
for line in lines:
    surt, timestamp, fields = line.split(" ", 2)
    check(re.fullmatch(r"\d{14}", timestamp) is not None, "timestamp")
    fields = json.loads(fields)
    start = int(fields["offset"])
    values, block, payload = record_at(gzip.decompress(warcs["archive/" + fields["filename"]][start : start + int(fields["length"])]))
    check(values["WARC-Type"] == "response" and values["WARC-Target-URI"] == fields["url"], "index points elsewhere")
    check(fields["digest"] == values["WARC-Payload-Digest"], "index digest")
    status = block.split(b" ", 2)[1].decode()[:3]
    check(int(fields["status"]) == int(status), "index status")
    responses[fields["url"]] = [int(status), hashlib.sha256(payload).hexdigest()]
blocks = archive.read("indexes/index.cdx.gz")
for line in archive.read("indexes/index.idx").decode().splitlines()[1:]:
    entry = json.loads(line.split(" ", 2)[2])
    part = blocks[entry["offset"] : entry["offset"] + entry["length"]]
    check(entry["digest"] == "sha256:" + hashlib.sha256(part).hexdigest(), "index block digest")
    check(gzip.decompress(part).decode().startswith(" ".join(line.split(" ", 2)[:2])), "index block key")
print(json.dumps({"errors": errors, "records": records, "responses": responses}))
