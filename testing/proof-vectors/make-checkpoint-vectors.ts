import { toHex, utf8 } from '../../kernel/bytes.ts'
import { formatCheckpoint } from '../../modules/verification/domain/log/checkpoint.ts'
import { formatNote } from '../../modules/verification/domain/log/note.ts'
import { merkleRoot, nodeHash } from '../../modules/verification/domain/hash/merkle.ts'
import { writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'
import { at, cosigned, leaves, log, madeAt, nobody, origin, other, publicKeys, signed, text, witness } from './public-log.ts'

/** Writes the vectors of checkpoints: `node testing/proof-vectors/make-checkpoint-vectors.ts`. */
const second = madeAt.getTime() / 1000
const body = (size: number, rootHash: Uint8Array = new Uint8Array(32), name = origin): string =>
  formatCheckpoint({ origin: name, size, rootHash, extensions: [] })
const noteOf = (said: string): Uint8Array<ArrayBuffer> => formatNote(said, [signed(log, said)])
const note = formatNote(text, [signed(log, text), cosigned(witness, text, second), cosigned(other, text, second - 5)])
const proof = [at(2), at(3), nodeHash(at(0), at(1)), at(4)]
const twin = body(5)
const from = (earlier: Uint8Array, hashes: readonly Uint8Array[] = proof): Partial<Case> => ({
  input: { earlier: new TextDecoder().decode(earlier), proof: hashes.map(toHex).join(' ') },
})
const earlier = noteOf(body(3, merkleRoot(leaves.slice(0, 3))))
const of = (name: string, file: string, bytes: Uint8Array, finds: Case['finds'], more: Partial<Case> = {}): Case => ({
  name,
  file: `${file}.txt`,
  bytes,
  finds,
  ...more,
})

await writeGallery('checkpoint', {
  known: { now: madeAt.toISOString(), keys: publicKeys },
  unusable: ['another kind of file', 'cut short'],
  cases: [
    of('a sound checkpoint', 'good', note, {}),
    of('one that follows an earlier one', 'good', note, {}, from(earlier)),
    of('another kind of file', 'other', utf8('hello\n'), { form: 'failed not_checkpoint' }),
    of('cut short', 'cut', note.subarray(0, -2), { form: 'failed not_checkpoint' }),
    of('a signature of another checkpoint', 'false', formatNote(text, [signed(log, twin), cosigned(witness, text, second)]), {
      checkpoint_signature: 'failed false_signature',
    }),
    of('not signed by the log', 'unsigned', formatNote(text, [cosigned(witness, text, second)]), {
      checkpoint_signature: 'failed not_signed',
    }),
    of(
      'a log that nobody knows',
      'good',
      note,
      { checkpoint_signature: 'indeterminate unknown_log' },
      { known: { keys: { ...publicKeys, log: [] } } },
    ),
    of('a witness that saw another log', 'liar', formatNote(text, [signed(log, text), cosigned(witness, twin, second)]), {
      witnesses: 'failed false_cosignature',
    }),
    of('no witness', 'alone', noteOf(text), { witnesses: 'noted no_cosignature' }),
    of('a witness ahead of its time', 'future', formatNote(text, [signed(log, text), cosigned(witness, text, second + 3600)]), {
      witnesses: 'noted future',
    }),
    of('a witness that nobody knows', 'nobody', formatNote(text, [signed(log, text), cosigned(nobody, text, second)]), {
      witnesses: 'noted unknown_witness',
    }),
    of('an earlier one that cannot be read', 'good', note, { consistency: 'failed earlier_unreadable' }, from(utf8('x'))),
    of(
      'an earlier one of another log',
      'good',
      note,
      { consistency: 'failed other_log' },
      from(noteOf(body(3, new Uint8Array(32), 'elsewhere.example'))),
    ),
    of('two roots of one size', 'good', note, { consistency: 'failed two_roots' }, from(noteOf(twin), [])),
    of('an earlier one that is larger', 'good', note, { consistency: 'failed larger' }, from(noteOf(body(6)))),
    of('a way left out', 'good', note, { consistency: 'failed not_consistent' }, from(earlier, proof.slice(1))),
    of('another way', 'good', note, { consistency: 'failed not_consistent' }, from(earlier, [at(2), at(3), at(0), at(4)])),
  ],
})
