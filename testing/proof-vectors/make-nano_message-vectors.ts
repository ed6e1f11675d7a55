import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes, fromHex, toHex, utf8 } from '../../kernel/bytes.ts'
import { nanoAccount } from '../../modules/verification/domain/nano-message/nano-account.ts'
import { nanoEd25519, nanoPublicKey } from '../../modules/verification/domain/nano-message/nano-ed25519.ts'
import { nanoSchemes, nanoSignedBytes } from '../../modules/verification/domain/nano-message/nano-schemes.ts'
import { writeGallery } from './gallery.ts'
import type { Case, FieldText, Known } from './gallery.ts'

/** Writes the vectors of Nano messages: `node testing/proof-vectors/make-nano_message-vectors.ts`. The keys are forgotten. */
const secret = new Uint8Array(randomBytes(32))
const own = nanoAccount(nanoPublicKey(secret))
const other = nanoAccount(nanoPublicKey(new Uint8Array(randomBytes(32))))
const text = 'A text, œuvre'
const sign = (message: string, scheme: (typeof nanoSchemes)[number] = 'oris_001'): string =>
  toHex(nanoEd25519.sign(nanoSignedBytes(scheme, message, utf8(message)) ?? new Uint8Array(), secret))
const signature = sign(text)
const octets = fromHex(signature)
/** The same signature with S beyond the order (RFC 8032 §5.1.7 refuses it). */
const larger = BigInt(`0x${toHex(octets.slice(32).toReversed())}`) + ed25519.Point.Fn.ORDER
const highS = concatBytes(octets.subarray(0, 32), fromHex(larger.toString(16).padStart(64, '0')).toReversed())
/** y = p + 1: another encoding of the point of y = 1. */
const alias = concatBytes(fromHex(`ee${'ff'.repeat(30)}7f`), octets.subarray(32))
/** The identity: under cofactored rules it would fit every text. */
const weak = concatBytes(Uint8Array.of(1), new Uint8Array(31))

const keys = (ids: readonly string[], since = '2026-01-01T00:00:00Z', until: string | null = null): Known => ({
  keys: { bitcoin: [], nano: ids.map((id) => ({ id, since, until })), log: [], witnesses: [] },
})
const of = (
  name: string,
  fields: Readonly<Record<string, FieldText>>,
  finds: Case['finds'] = {},
  more: Partial<Case> = {},
): Case => ({ name, input: { message: text, signature, account: own, ...fields }, finds, ...more })

await writeGallery('nano_message', {
  known: { now: '2026-11-21T12:00:00Z', ...keys([own]) },
  unusable: ['no signature', 'digits that are none', 'an octet too few', 'too long a signature'],
  cases: [
    ...nanoSchemes.map((scheme) => {
      const message = scheme === 'block_hash' ? 'ab'.repeat(32) : text
      return of(scheme, { message, signature: sign(message, scheme) })
    }),
    of('no signature', { signature: ' ' }, { format: 'failed empty' }, { refused: true }),
    of('digits that are none', { signature: { repeat: 'z', times: 128 } }, { format: 'failed not_hex' }),
    of('an octet too few', { signature: signature.slice(2) }, { format: 'failed length' }),
    of('too long a signature', { signature: { repeat: 'a', times: 5000 } }, { format: 'failed length' }, { refused: true }),
    of(
      'too long a text',
      { message: { repeat: 'x', times: 1_048_577 } },
      { format: 'failed message_too_long' },
      { refused: true },
    ),
    of('S beyond the order', { signature: toHex(highS) }, { canonical: 'failed high_s' }),
    of('a point in another encoding', { signature: toHex(alias) }, { canonical: 'failed no_point' }),
    of('an account cut short', { account: own.slice(0, -1) }, { account: 'failed unreadable' }),
    of(
      'a key of small order, which fits every text',
      { signature: toHex(concatBytes(weak, new Uint8Array(32))), account: nanoAccount(weak) },
      { account: 'failed weak_key' },
    ),
    of('another text', { message: `${text}.` }, { signature: 'failed does_not_fit' }),
    of(
      'one bit of the signature',
      { signature: toHex(octets.with(40, (octets[40] ?? 0) ^ 1)) },
      { signature: 'failed does_not_fit' },
    ),
    of('another account', { account: other }, { given_account: 'failed other_account' }),
    of('no account named', { account: '' }, { signature: 'indeterminate no_account' }, { known: keys([]) }),
    of(
      'none of the published accounts',
      { account: '' },
      { signature: 'indeterminate unknown_signer' },
      { known: keys([other]) },
    ),
    of('an account that was not published', {}, { published_signer: 'noted unknown_signer' }, { known: keys([other]) }),
    of('a key not yet in force', {}, { period: 'failed before' }, { known: keys([own], '2027-01-01T00:00:00Z') }),
    of('made before the key was in force', { at: '2025-07-01T00:00:00Z' }, { period: 'failed before' }),
    of(
      'made after the key was retired',
      { at: '2026-07-01T00:00:00Z' },
      { period: 'failed after' },
      { known: keys([own], '2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z') },
    ),
    of('a line break too many', { message: `${text}\n` }, { text: 'indeterminate without_last_break' }),
    of('other line ends', { message: 'a\r\nb', signature: sign('a\nb') }, { text: 'indeterminate line_feeds' }),
  ],
})
