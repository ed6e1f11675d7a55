import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base64 } from '@scure/base'
import { concatBytes, utf8 } from '../../kernel/bytes.ts'
import { addressOfKey, readAddress } from '../../modules/verification/domain/bitcoin-message/address.ts'
import { toSign, toSpend } from '../../modules/verification/domain/bitcoin-message/generic-signature.ts'
import { doubleSha256, magicMessage } from '../../modules/verification/domain/bitcoin-message/recover-key.ts'
import { witnessDigest } from '../../modules/verification/domain/bitcoin-message/signature-digest.ts'
import { serialize, transactionId } from '../../modules/verification/domain/bitcoin-message/transaction.ts'
import { writeGallery } from './gallery.ts'
import type { Case, FieldText, Known } from './gallery.ts'

/** Writes the vectors of Bitcoin messages: `node testing/proof-vectors/make-bitcoin_message-vectors.ts`. The keys are forgotten. */
const secret = new Uint8Array(randomBytes(32))
const key = secp256k1.getPublicKey(secret, true)
const own = addressOfKey(key, 'p2pkh').text
const segwit = addressOfKey(key, 'p2wpkh').text
const other = addressOfKey(secp256k1.getPublicKey(new Uint8Array(randomBytes(32)), true), 'p2pkh').text
const text = 'probant-seal/1 '.concat('ab'.repeat(32))

/** BIP-137, as Bitcoin Core signs. */
function sign(message: string, kind = 31): string {
  const bytes = secp256k1.sign(doubleSha256(magicMessage(utf8(message))), secret, { prehash: false, format: 'recovered' })
  return base64.encode(concatBytes(Uint8Array.of(kind + (bytes[0] ?? 0)), bytes.subarray(1)))
}
const signature = sign(text)
const octets = base64.decode(signature)
const withFirst = (octet: number): string => base64.encode(concatBytes(Uint8Array.of(octet), octets.subarray(1)))
const block = (address: string): string =>
  `-----BEGIN BITCOIN SIGNED MESSAGE-----\n${text}\n-----BEGIN SIGNATURE-----\n${address}\n${signature}\n-----END BITCOIN SIGNED MESSAGE-----\n`

/** BIP-322, of the address of the same key. */
const script = readAddress(segwit)?.script ?? new Uint8Array()
const bare = toSign(transactionId(toSpend(utf8(text), script)), [])
const der = secp256k1.sign(witnessDigest(bare, readAddress(own)?.script ?? new Uint8Array()), secret, {
  prehash: false,
  format: 'der',
})
const item = (bytes: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(bytes.length), bytes)
const simple = (...witness: readonly Uint8Array[]): string =>
  `smp${base64.encode(concatBytes(Uint8Array.of(witness.length), ...witness.map(item)))}`
const full = (transaction: typeof bare): string => `ful${base64.encode(serialize(transaction))}`
const generic = simple(concatBytes(der, Uint8Array.of(1)), key)
const [input] = bare.inputs
if (input === undefined) throw new Error('no input')
const junk = concatBytes(new Uint8Array(70), Uint8Array.of(1))

const period = (since: string, until: string | null = null, ids: readonly string[] = [own, segwit]): Known => ({
  keys: { bitcoin: ids.map((id) => ({ id, since, until })), nano: [], log: [], witnesses: [] },
})
const of = (
  name: string,
  fields: Readonly<Record<string, FieldText>>,
  finds: Case['finds'] = {},
  more: Partial<Case> = {},
): Case => ({ name, input: { message: text, signature, address: own, ...fields }, finds, ...more })
const bip322 = (name: string, given: string, reason: string, grade = 'failed'): Case =>
  of(name, { signature: given, address: segwit }, { script: `${grade} ${reason}` })

await writeGallery('bitcoin_message', {
  known: { now: '2026-11-21T12:00:00Z', ...period('2026-01-01T00:00:00Z') },
  unusable: ['no signature', 'a character that base64 has not', 'without padding', 'an octet too few', 'too long a signature'],
  cases: [
    of('BIP-137', {}),
    of('BIP-322', { signature: generic, address: segwit }),
    of('the armoured block of a wallet', { message: block(own), signature: '' }, {}, { refused: true }),
    of('no signature', { signature: ' \n' }, { format: 'failed empty' }, { refused: true }),
    of('a character that base64 has not', { signature: `${signature.slice(0, -2)}%=` }, { format: 'failed not_base64' }),
    of('without padding', { signature: signature.slice(0, -1) }, { format: 'failed not_base64' }),
    of('an octet too few', { signature: base64.encode(octets.subarray(0, 64)) }, { format: 'failed length' }),
    of('too long a signature', { signature: { repeat: 'A', times: 65_540 } }, { format: 'failed too_long' }, { refused: true }),
    of(
      'too long a text',
      { message: { repeat: 'x', times: 1_048_577 } },
      { format: 'failed message_too_long' },
      { refused: true },
    ),
    of('a header below any', { signature: withFirst(26) }, { format: 'failed header' }),
    of('a header above any', { signature: withFirst(43) }, { format: 'failed header' }),
    of(
      'S beyond the order',
      { signature: base64.encode(concatBytes(octets.subarray(0, 33), new Uint8Array(32).fill(255))) },
      { format: 'failed range' },
    ),
    of('a variant of nothing', { signature: `ful${base64.encode(new Uint8Array(90))}` }, { format: 'failed variant' }),
    of('a proof of funds', { signature: `pof${base64.encode(new Uint8Array(90))}` }, { format: 'indeterminate proof_of_funds' }),
    of('an address cut short', { address: own.slice(0, -1) }, { address: 'failed unreadable' }),
    of(
      'another text',
      { message: `${text}!` },
      { given_address: 'failed other_address', published_signer: 'noted unknown_signer' },
    ),
    of('the address of another', { address: other }, { given_address: 'failed other_address' }),
    of(
      'the header of another kind of address',
      { signature: sign(text, 35) },
      { given_address: 'failed other_address', published_signer: 'noted unknown_signer' },
    ),
    of(
      'a block that names another',
      { message: block(other), signature: '', address: '' },
      { named_address: 'failed other_address' },
      { refused: true },
    ),
    of(
      'a block that names no address',
      { message: block(own.slice(0, -1)), signature: '' },
      { address: 'failed unreadable' },
      { refused: true },
    ),
    of(
      'nobody vouches for the key',
      { address: '' },
      { published_signer: 'indeterminate no_published_keys' },
      { known: { keys: { bitcoin: [], nano: [], log: [], witnesses: [] } } },
    ),
    of(
      'a key that was not published',
      { address: '' },
      { published_signer: 'indeterminate unknown_signer' },
      { known: period('2026-01-01T00:00:00Z', null, [other]) },
    ),
    of('a key not yet in force', {}, { period: 'failed before' }, { known: period('2027-01-01T00:00:00Z') }),
    of('made before the key was in force', { at: '2025-07-01T00:00:00Z' }, { period: 'failed before' }),
    of(
      'made after the key was retired',
      { at: '2026-07-01T00:00:00Z' },
      { period: 'failed after' },
      { known: period('2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z') },
    ),
    of('an instant that is none', { at: 'yesterday' }, { period: 'indeterminate instant' }),
    of(
      'a retired key, and nothing says when',
      {},
      { period: 'noted retired' },
      { known: period('2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z') },
    ),
    of('a line break too many', { message: `${text}\n` }, { text: 'indeterminate without_last_break' }),
    of('other line ends', { message: 'a\r\nb', signature: sign('a\nb') }, { text: 'indeterminate line_feeds' }),
    bip322('BIP-322: no witness', simple(key), 'witness'),
    bip322('BIP-322: a signature that is none', simple(new Uint8Array(71), key), 'signature_form'),
    bip322('BIP-322: the key of another', simple(junk, secp256k1.getPublicKey(new Uint8Array(randomBytes(32)), true)), 'script'),
    bip322('BIP-322: another message', full(toSign(new Uint8Array(32), [])), 'other_message'),
    bip322('BIP-322: no output', full({ ...bare, outputs: [] }), 'transaction'),
    bip322(
      'BIP-322: an output that pays',
      full({ ...bare, outputs: [{ value: 1n, script: Uint8Array.of(0x6a) }] }),
      'transaction',
    ),
    bip322('BIP-322: two inputs', full({ ...bare, inputs: [input, input] }), 'transaction'),
    bip322(
      'BIP-322: a script where none may be',
      full({ ...bare, inputs: [{ ...input, script: Uint8Array.of(1, 1) }] }),
      'script',
    ),
    of('BIP-322: another text', { message: `${text}!`, signature: generic, address: segwit }, { script: 'failed signature' }),
  ],
})
