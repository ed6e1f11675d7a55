"""Recomputes a log proof without any code of the product: formats of c2sp.org, tree of RFC 9162, signatures by openssl.

    check_log.py LOG-PROOF ROOT.bin VKEY [--tiles PREFIX]

With --tiles, every leaf hash is read from the served files and the root of the whole tree is computed from them.
"""
import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import urllib.request


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\x01", tree(leaves[:half]), tree(leaves[half:]))


def inclusion(index, size, leaf, path):
    """The recursive definition of RFC 9162, section 2.1.3.1, read backwards."""
    def root(i, n, rest):
        if n == 1:
            assert not rest, "path too long"
            return leaf
        assert rest, "path too short"
        half = 1 << ((n - 1).bit_length() - 1)
        if i < half:
            return sha(b"\x01", root(i, half, rest[:-1]), rest[-1])
        return sha(b"\x01", rest[-1], root(i - half, n - half, rest[:-1]))

    assert 0 <= index < size, "no such entry"
    return root(index, size, path)


def openssl_verifies(public, message, signature):
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        spki = bytes.fromhex("302a300506032b6570032100") + public
        for name, data in (("key", spki), ("message", message), ("signature", signature)):
            names[name] = os.path.join(folder, name)
            with open(names[name], "wb") as file:
                file.write(data)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", names["key"], "-rawin",
                   "-in", names["message"], "-sigfile", names["signature"]]
        return subprocess.run(command, capture_output=True).returncode == 0


def main():
    proof_file, root_file, vkey = sys.argv[1:4]
    text = open(proof_file, "rb").read().decode("utf-8", "strict")
    root = open(root_file, "rb").read()
    head, checkpoint = text.split("\n\n", 1)
    lines = head.split("\n")
    assert lines[0] == "c2sp.org/tlog-proof@v1" and lines[1].startswith("extra ") and lines[2].startswith("index ")
    salt = base64.b64decode(lines[1][6:], validate=True)
    index = int(lines[2][6:])
    path = [base64.b64decode(line, validate=True) for line in lines[3:]]
    body, signatures = checkpoint.rsplit("\n\n", 1)
    body += "\n"
    origin, size, tree_root = body.split("\n")[:3]
    size, tree_root = int(size), base64.b64decode(tree_root, validate=True)

    assert len(root) == 32 and len(salt) == 32
    leaf = sha(b"\x00", sha(b"probant-log/1\n", salt, root))
    assert inclusion(index, size, leaf, path) == tree_root, "the path does not lead to the signed root"

    name, key_id, key = vkey.split("+", 2)
    typed = base64.b64decode(key, validate=True)
    assert name == origin and typed[0] == 1 and sha(name.encode(), b"\n", typed)[:4].hex() == key_id
    own = [line for line in signatures.strip("\n").split("\n") if line.startswith("\u2014 " + name + " ")]
    raw = base64.b64decode(own[0].split(" ")[2], validate=True)
    assert raw[:4].hex() == key_id and openssl_verifies(typed[1:], body.encode(), raw[4:]), "the signature does not hold"
    print(f"entry {index} of {size}")

    if len(sys.argv) > 5 and sys.argv[4] == "--tiles":
        leaves = []
        for number in range((size + 255) // 256):
            width = min(256, size - 256 * number)
            digits = f"{number:03d}" if number < 1000 else f"x{number // 1000:03d}/{number % 1000:03d}"
            suffix = "" if width == 256 else f".p/{width}"
            data = urllib.request.urlopen(f"{sys.argv[5]}/tile/0/{digits}{suffix}").read()
            bundle = urllib.request.urlopen(f"{sys.argv[5]}/tile/entries/{digits}{suffix}").read()
            assert len(data) == 32 * width and len(bundle) == 34 * width
            for i in range(width):
                entry = bundle[34 * i + 2 : 34 * i + 34]
                assert bundle[34 * i : 34 * i + 2] == b"\x00\x20" and sha(b"\x00", entry) == data[32 * i : 32 * i + 32]
                leaves.append(data[32 * i : 32 * i + 32])
        assert leaves[index] == leaf and tree(leaves) == tree_root, "the tiles give another tree"
        print("the tiles give the same root")


main()
