import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `same`: upstream writes the octets that it read. An attestation is its message, its class and its calendar or height. */
export type UpstreamReading = { readonly digest: string; readonly same: boolean; readonly attestations: string[][] }

/** What python-opentimestamps (Debian's python3-opentimestamps) makes of each file: the attestations, or the error's name. */
export function readUpstream(files: readonly Uint8Array[]): UpstreamReading[] {
  const dir = mkdtempSync(join(tmpdir(), 'ots-'))
  const program = `
import json, sys, warnings
warnings.simplefilter('ignore')
from opentimestamps.core.timestamp import DetachedTimestampFile
from opentimestamps.core.serialize import BytesDeserializationContext, BytesSerializationContext
out = []
for i in range(int(sys.argv[2])):
    raw = open('%s/%d' % (sys.argv[1], i), 'rb').read()
    try:
        ctx = BytesDeserializationContext(raw)
        d = DetachedTimestampFile.deserialize(ctx)
        w = BytesSerializationContext()
        d.serialize(w)
        known = {'PendingAttestation': 'uri', 'BitcoinBlockHeaderAttestation': 'height', 'LitecoinBlockHeaderAttestation': 'height'}
        name = lambda a: type(a).__name__ if type(a).__name__ in known else 'UnknownAttestation'
        found = [[m.hex(), name(a), str(getattr(a, known[name(a)])) if name(a) in known else ''] for m, a in d.timestamp.all_attestations()]
        out.append({'digest': d.file_digest.hex(), 'same': w.getbytes() == raw, 'attestations': found})
    except Exception as e:
        out.append({'digest': '', 'same': False, 'attestations': [[type(e).__name__]]})
print(json.dumps(out))
`
  try {
    files.forEach((bytes, i) => writeFileSync(join(dir, String(i)), bytes))
    const printed = execFileSync('/usr/bin/python3', ['-c', program, dir, String(files.length)], { maxBuffer: 1 << 26 })
    return JSON.parse(printed.toString()) as UpstreamReading[]
  } finally {
    rmSync(dir, { recursive: true })
  }
}
