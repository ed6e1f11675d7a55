import { toHex, utf8 } from '../../kernel/bytes.ts'
import { writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'
import {
  at,
  cosigned,
  flip,
  leaves,
  log,
  madeAt,
  nobody,
  path,
  proofWith,
  publicKeys,
  root,
  salt,
  signed,
  text,
  witness,
} from './public-log.ts'

/** Writes the vectors of log proofs: `node testing/proof-vectors/make-log_proof-vectors.ts`. */
const second = madeAt.getTime() / 1000
const good = proofWith({})
const given = { root: toHex(root) }
const notice = { witnesses: 'noted no_cosignature' }
const of = (name: string, file: string, bytes: Uint8Array, finds: Case['finds'], more: Partial<Case> = {}): Case => ({
  name,
  file: `${file}.txt`,
  bytes,
  input: given,
  finds,
  ...more,
})
const written = (lines: string): Uint8Array => utf8(`c2sp.org/tlog-proof@v1\n${lines}`)
const liar = { ...cosigned(witness, text, second), signature: new Uint8Array(72).fill(1) }

await writeGallery('log_proof', {
  known: { now: madeAt.toISOString(), keys: publicKeys },
  unusable: ['another kind of file'],
  cases: [
    of('a sound proof', 'good', good, {}),
    of('another kind of file', 'other', utf8('hello\n'), { form: 'failed not_proof' }),
    of('a salt that is none', 'extra', written('extra !\nindex 0\n\n'), { form: 'failed extra' }),
    of('an index with a zero before it', 'index', written('index 00\n\n'), { form: 'failed index' }),
    of('a short hash', 'path', written('index 0\nAAAA\n\n'), { form: 'failed path' }),
    of('no checkpoint', 'checkpoint', written('index 0\n\nx\n'), { form: 'failed checkpoint' }),
    of(
      'nothing given',
      'good',
      good,
      { commitment: 'indeterminate nothing_given', inclusion: 'indeterminate no_entry' },
      { input: {} },
    ),
    of(
      'a root of 31 octets',
      'good',
      good,
      { commitment: 'failed root_length', inclusion: 'indeterminate no_entry' },
      { input: { root: toHex(root.subarray(1)) } },
    ),
    of('no salt', 'no-salt', proofWith({ extra: null }), { commitment: 'failed no_salt', inclusion: 'indeterminate no_entry' }),
    of('another root', 'good', good, { inclusion: 'failed wrong_root' }, { input: { root: toHex(flip(root, 3)) } }),
    of('another salt', 'salt', proofWith({ extra: flip(salt, 0) }), { inclusion: 'failed wrong_root' }),
    of('another hash on the way', 'way', proofWith({ path: [at(3), flip(at(0), 1), at(4)] }), { inclusion: 'failed wrong_root' }),
    of('another index', 'other-index', proofWith({ index: 3 }), { inclusion: 'failed wrong_root' }),
    of('a way too short', 'short', proofWith({ path: path.slice(1) }), { inclusion: 'failed wrong_length' }),
    of('a way too long', 'long', proofWith({ path: [...path, at(0)] }), { inclusion: 'failed wrong_length' }),
    of('an index beyond the log', 'beyond', proofWith({ index: leaves.length }), { inclusion: 'failed beyond_size' }),
    of(
      'a false signature of the log',
      'false',
      proofWith({ signatures: [{ ...signed(log, text), signature: new Uint8Array(64).fill(1) }] }),
      { checkpoint_signature: 'failed false_signature', ...notice },
    ),
    of('not signed by the log', 'unsigned', proofWith({ signatures: [cosigned(witness, text, second)] }), {
      checkpoint_signature: 'failed not_signed',
    }),
    of(
      'a log that nobody knows',
      'good',
      good,
      { checkpoint_signature: 'indeterminate unknown_log' },
      { known: { keys: { ...publicKeys, log: [] } } },
    ),
    of('a witness that lies', 'liar', proofWith({ signatures: [signed(log, text), liar] }), {
      witnesses: 'failed false_cosignature',
    }),
    of('no witness', 'alone', proofWith({ signatures: [signed(log, text)] }), notice),
    of(
      'a witness ahead of its time',
      'future',
      proofWith({ signatures: [signed(log, text), cosigned(witness, text, second + 3600)] }),
      { witnesses: 'noted future' },
    ),
    of('a witness that nobody knows', 'nobody', proofWith({ signatures: [signed(log, text), cosigned(nobody, text, second)] }), {
      witnesses: 'noted unknown_witness',
    }),
  ],
})
