import { createHash } from 'node:crypto'
import { writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'

/** Writes the vectors of digests: `node testing/proof-vectors/make-digest-vectors.ts`. */
const hash = (text: string, name = 'sha256'): string => createHash(name).update(text).digest('hex')
const text = 'Constat n° 3\r\nœuvre\r\n'
const of = (name: string, digest: string | undefined, finds: string | undefined, typed = text): Case => ({
  name,
  input: { text: typed, ...(digest === undefined ? {} : { digest }) },
  finds: finds === undefined ? {} : { compared: finds },
})

await writeGallery('digest', {
  known: { now: '2026-11-21T12:00:00Z' },
  cases: [
    of('the digest of the text', hash(text), undefined),
    of('the same in base64', Buffer.from(hash(text), 'hex').toString('base64'), undefined),
    of('another text', hash('other'), 'failed differs'),
    of(
      'one digit of the digest',
      hash(text).replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      'failed differs',
    ),
    of('other line ends', hash(text.replaceAll('\r\n', '\n')), 'failed line_ends'),
    of('the last line end left out', hash(text.trim()), 'failed final_line_end', `${text.trim()}\n`),
    of('letters composed otherwise', hash('e\u0301'), 'failed normal_form', '\u00e9'),
    of('no digest at all', 'not a digest', 'failed not_a_digest'),
    of('a digest cut short', hash(text).slice(2), 'failed length'),
    of('a digest of a broken algorithm', hash(text, 'sha1'), 'indeterminate weak_algorithm'),
    of('nothing to compare with', undefined, 'indeterminate nothing_given'),
  ],
})
