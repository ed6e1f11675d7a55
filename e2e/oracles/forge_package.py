#!/usr/bin/env python3
"""Alters a package and writes its container anew, so that lengths, checksums and the directory are right again.

What a careful forger would do: only the seal can still tell. It shares no code with the product.
Usage: forge_package.py IN.zip OUT.zip OPERATION [ARGUMENT...]
   or: forge_package.py, and each line of its input is a JSON list of these arguments; a line `done` answers each
  flip PATH OFFSET MASK | remove PATH | add PATH | exchange PATH PATH (their bytes) | reorder PATH PATH | rename PATH PATH
"""
import json
import sys
import zipfile


def forge(items, operation, *arguments):
    names = [name for name, _ in items]
    if operation == "flip":
        path, offset, mask = arguments[0], int(arguments[1]), int(arguments[2])
        at = names.index(path)
        data = bytearray(items[at][1])
        data[offset] ^= mask
        items[at] = (path, bytes(data))
    elif operation == "remove":
        del items[names.index(arguments[0])]
    elif operation == "add":
        # Before META-INF, where a piece would stand.
        items.insert(next(i for i, name in enumerate(names) if name.startswith("META-INF/")), (arguments[0], b"added"))
    elif operation == "exchange":
        a, b = (names.index(path) for path in arguments)
        items[a], items[b] = (names[a], items[b][1]), (names[b], items[a][1])
    elif operation == "reorder":
        a, b = (names.index(path) for path in arguments)
        items[a], items[b] = items[b], items[a]
    elif operation == "rename":
        at = names.index(arguments[0])
        items[at] = (arguments[1], items[at][1])
    else:
        raise SystemExit(f"no such operation: {operation}")
    return items


def main(source, target, *operation):
    with zipfile.ZipFile(source) as archive:
        items = [(info.filename, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, data in forge(items, *operation) if operation else items:
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(*sys.argv[1:])
    else:
        for line in sys.stdin:
            main(*json.loads(line))
            print("done", flush=True)
