import { toHex, utf8 } from '../../kernel/bytes.ts'
import { buildOts, writeOts } from '../../modules/verification/domain/opentimestamps/write-ots.ts'
import { treeOf } from '../../modules/verification/domain/opentimestamps/tree.ts'
import { mineHeader } from '../bitcoin/mine-header.ts'
import { digest, header, height, operations, proof } from './anchored-file.ts'
import { writeGallery } from './gallery.ts'
import type { Case, Known } from './gallery.ts'

/** Writes the vectors of OpenTimestamps: `node testing/proof-vectors/make-opentimestamps-vectors.ts`. */
const given = { digest: toHex(digest) }
const headers = (each: Uint8Array): Known => ({ headers: [{ height, header: toHex(each), source: 'node' }] })
const of = (name: string, file: string, bytes: Uint8Array, finds: Case['finds'], more: Partial<Case> = {}): Case => ({
  name,
  file: `${file}.ots`,
  bytes,
  input: given,
  finds,
  ...more,
})
const ended = (end: Parameters<typeof buildOts>[0]['end']): Uint8Array => buildOts({ digest, operations, end })
const octet = (at: number, value: number): Uint8Array => proof.map((each, i) => (i === at ? value : each))
const bad = { attestation: 'indeterminate bad_header' }

await writeGallery('opentimestamps', {
  known: { now: '2026-11-21T12:00:00Z', ...headers(header) },
  unusable: ['another kind of file'],
  cases: [
    of('a file that a block dates', 'good', proof, {}),
    of('another kind of file', 'other', utf8('something else that is no proof at all, and long enough'), {
      format: 'failed magic',
    }),
    of('another version', 'version', octet(31, 2), { format: 'failed version' }),
    of('a digest of an unknown kind', 'algorithm', octet(32, 0x42), { format: 'failed file_hash' }),
    of('cut short', 'cut', proof.subarray(0, -3), { format: 'failed truncated' }),
    of('octets after the end', 'more', Uint8Array.from([...proof, 0]), { format: 'failed trailing' }),
    of(
      'more blocks than any real one',
      'blocks',
      buildOts({ digest, operations: [], end: Array.from({ length: 17 }, (_, i) => ({ kind: 'bitcoin', height: i })) }),
      { format: 'failed too_many' },
    ),
    of('another file', 'good', proof, { digest: 'failed differs' }, { input: { digest: '00'.repeat(32) } }),
    of(
      'a digest of another length',
      'good',
      proof,
      { digest: 'indeterminate other_algorithm' },
      { input: { digest: '00'.repeat(20) } },
    ),
    of('no file', 'good', proof, { digest: 'indeterminate nothing_given' }, { input: {} }),
    of(
      'a digest of a broken algorithm',
      'sha1',
      writeOts({
        hash: 'sha1',
        tree: treeOf(
          digest.subarray(0, 20),
          [{ op: 'append', data: digest.subarray(20) }, ...operations],
          [{ kind: 'bitcoin', height }],
        ),
      }),
      { digest: 'indeterminate weak_algorithm' },
      { input: { digest: toHex(digest.subarray(0, 20)) } },
    ),
    of(
      'a way that leads to another block',
      'way',
      buildOts({ digest, operations: operations.slice(0, -1), end: [{ kind: 'bitcoin', height }] }),
      { attestation: 'failed merkle_root' },
    ),
    of('a promise of a calendar', 'pending', ended([{ kind: 'pending', uri: 'https://calendar.example' }]), {
      attestation: 'indeterminate pending',
    }),
    of(
      'a block and a promise',
      'both',
      ended([
        { kind: 'bitcoin', height },
        { kind: 'pending', uri: 'https://calendar.example' },
      ]),
      { attestation: 'noted pending' },
    ),
    of('a chain that is not read', 'litecoin', ended([{ kind: 'litecoin', height }]), { attestation: 'indeterminate litecoin' }),
    of(
      'an attestation of nobody known',
      'unknown',
      ended([{ kind: 'unknown', tag: new Uint8Array(8).fill(7), payload: utf8('x') }]),
      { attestation: 'indeterminate unknown' },
    ),
    of(
      'no header known',
      'good',
      proof,
      { attestation: 'indeterminate no_header', block_header: 'indeterminate no_header' },
      { known: { headers: [] } },
    ),
    of(
      'a header without work',
      'good',
      proof,
      { ...bad, block_header: 'failed no_work' },
      { known: headers(header.map((each, i) => (i === 79 ? each ^ 1 : each))) },
    ),
    of(
      'a header of too little work',
      'good',
      proof,
      { ...bad, block_header: 'failed difficulty' },
      { known: headers(mineHeader(header.slice(36, 68))) },
    ),
    of(
      'a block so old that anybody makes one today, on the word of the proof alone',
      'good',
      proof,
      { block_header: 'indeterminate cheap_work' },
      { known: { headers: [{ height, header: toHex(header), source: 'package' }] } },
    ),
    of(
      'a header of 79 octets',
      'good',
      proof,
      { ...bad, block_header: 'failed header_length' },
      { known: headers(header.subarray(1)) },
    ),
  ],
})
