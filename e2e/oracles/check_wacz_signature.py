#!/usr/bin/env python3
"""The signature of a WACZ by the rules of WACZ Signing and Verification 0.1.0, and in the domain form by those of authsign's verifier,
written again from their behaviour: the standard library and openssl alone.

Usage: check_wacz_signature.py ARCHIVE.wacz [--domain-root SHA256]... [--time-root SHA256]...
Roots are fingerprints of the last certificate of each chain; without any, trust in the roots is not examined.
Prints {"form", "observer", "time", "problems"}. Exit code 0 when the archive is signed and the signature holds.
"""
import argparse
import base64
import calendar
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

problems = []
folder = tempfile.TemporaryDirectory()


def expect(condition, text):
    if not condition:
        problems.append(text)
    return condition


def keep(name, data):
    path = os.path.join(folder.name, name)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path


def openssl(*args):
    done = subprocess.run(["openssl", *args], capture_output=True, env={**os.environ, "LC_ALL": "C"})
    return done.returncode, done.stdout.decode("latin1") + done.stderr.decode("latin1")


def der_integer(value):
    data = value.to_bytes((value.bit_length() + 8) // 8, "big")
    return b"\x02" + bytes([len(data)]) + data


def certificates(text):
    return re.findall(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", text, re.S)


def fingerprint(pem):
    return hashlib.sha256(base64.b64decode("".join(pem.strip().splitlines()[1:-1]))).hexdigest()


def chain_holds(name, chain):
    """authsign.crypto.validate_cert_chain: each certificate is signed by the next."""
    for i, (child, issuer) in enumerate(zip(chain, chain[1:])):
        files = keep(f"{name}-issuer-{i}.pem", issuer), keep(f"{name}-child-{i}.pem", child)
        code, text = openssl("verify", "-partial_chain", "-no_check_time", "-trusted", files[0], files[1])
        expect(code == 0, f"{name}: certificate {i} is not signed by the next: {text}")


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")


def openssl_time(text):
    return datetime.datetime.strptime(text.replace(" GMT", ""), "%b %d %H:%M:%S.%f %Y" if "." in text else "%b %d %H:%M:%S %Y")


def anonymous(signed):
    key = keep("key.der", base64.b64decode(signed["publicKey"], validate=True))
    code, text = openssl("pkey", "-pubin", "-inform", "DER", "-in", key, "-noout", "-text")
    expect(code == 0 and "secp384r1" in text, "the public key is not of P-384, which ReplayWeb.page imports")
    raw = base64.b64decode(signed["signature"], validate=True)
    expect(len(raw) == 96, "the signature is not r and s of 48 octets, which Web Cryptography checks")
    body = der_integer(int.from_bytes(raw[:48], "big")) + der_integer(int.from_bytes(raw[48:], "big"))
    signature = keep("signature.der", b"\x30" + bytes([len(body)]) + body)
    verify = ("dgst", "-sha256", "-verify", key, "-keyform", "DER", "-signature", signature, keep("hash", signed["hash"]))
    expect(openssl(*verify)[0] == 0, "the signature does not hold")
    return {"form": "anonymous", "observer": None, "time": None}


def domain(signed, options):
    chain = certificates(signed["domainCert"])
    chain_holds("domainCert", chain)
    if options.domain_root:
        expect(fingerprint(chain[-1]) in options.domain_root, f"root {fingerprint(chain[-1])} of the domain is not trusted")
    leaf = keep("leaf.pem", chain[0])
    key = keep("leaf-key.pem", openssl("x509", "-in", leaf, "-noout", "-pubkey")[1])
    signature = keep("signature.der", base64.b64decode(signed["signature"], validate=True))
    holds = openssl("dgst", "-sha256", "-verify", key, "-signature", signature, keep("hash", signed["hash"]))[0] == 0
    expect(holds, "the signature does not hold")
    subject = openssl("x509", "-in", leaf, "-noout", "-subject", "-nameopt", "multiline")[1]
    named = re.search(r"commonName\s*=\s*(.+)", subject)
    names = re.findall(r"DNS:([^,\s]+)", openssl("x509", "-in", leaf, "-noout", "-ext", "subjectAltName")[1])
    name = named.group(1).strip() if named else (names or [""])[0]
    expect(name == signed["domain"], f"the certificate is of {name}")
    created = moment(signed["created"])
    start = openssl_time(re.search(r"notBefore=(.+)", openssl("x509", "-in", leaf, "-noout", "-startdate")[1]).group(1))
    expect(start <= created <= start + datetime.timedelta(days=7), f"created {created}, certificate of {start}: over seven days")

    times = certificates(signed["timestampCert"])
    chain_holds("timestampCert", times)
    if options.time_root:
        expect(fingerprint(times[-1]) in options.time_root, f"root {fingerprint(times[-1])} of the time authority is not trusted")
    reply = keep("reply.tsr", base64.b64decode(signed["timeSignature"], validate=True))
    text = openssl("ts", "-reply", "-in", reply, "-text")[1]
    stamp = openssl_time(re.search(r"Time stamp: (.+)", text).group(1))
    # The text of the signature is dated, not its octets.
    verify = ("ts", "-verify", "-data", keep("signature.txt", signed["signature"]), "-in", reply, "-CAfile", keep("root.pem", times[-1]))
    verify += ("-untrusted", keep("times.pem", "".join(times)), "-attime", str(calendar.timegm(stamp.timetuple())))
    code, text = openssl(*verify)
    expect(code == 0 and "Verification: OK" in text, f"the timestamp does not hold: {text}")
    whole = stamp.replace(microsecond=0)
    expect(whole - datetime.timedelta(minutes=10) <= created <= whole, f"created {created}, dated {whole}: not within ten minutes")
    return {"form": "domain", "observer": name, "time": whole.strftime("%Y-%m-%dT%H:%M:%SZ")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("--domain-root", action="append", default=[])
    parser.add_argument("--time-root", action="append", default=[])
    options = parser.parse_args()
    archive = zipfile.ZipFile(options.archive)
    answer = {"form": None, "observer": None, "time": None}
    names = archive.namelist()
    digest = json.loads(archive.read("datapackage-digest.json")) if "datapackage-digest.json" in names else {}
    package = archive.read("datapackage.json")
    signed = digest.get("signedData")
    if expect(isinstance(signed, dict), "not signed"):
        measured = "sha256:" + hashlib.sha256(package).hexdigest()
        expect(digest.get("path") == "datapackage.json", "path")
        expect(digest.get("hash") == measured and signed.get("hash") == measured, "hash of datapackage.json")
        expect(json.loads(package).get("created") == signed.get("created"), "created is not that of datapackage.json")
        moment(signed["created"])
        # The specification: no property that is not listed in either form.
        common = {"hash", "created", "software", "version", "signature"}
        forms = {
            "publicKey": (common | {"publicKey"}, set()),
            "domainCert": (common | {"domain", "domainCert", "timeSignature", "timestampCert"}, {"crossSignedCert"}),
        }
        form = "domainCert" if "domainCert" in signed else "publicKey"
        required, optional = forms[form]
        if expect(required <= set(signed) <= required | optional, f"members {sorted(signed)}"):
            answer = domain(signed, options) if form == "domainCert" else anonymous(signed)
    print(json.dumps({**answer, "problems": problems}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
