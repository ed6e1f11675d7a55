import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base64 } from '@scure/base'
import { Verifier } from 'bip322-js'
import { array, assert, property, string, uint8Array } from '../../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { concatBytes, fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { allSaid } from '../package/platform-keys/all-said.test-data.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { addressOfKey, addressOfProgram, readAddress } from './address.ts'
import { messageHash, toSign, toSpend } from './generic-signature.ts'
import { readArmoured, readSignature } from './read-signature.ts'
import { doubleSha256, magicMessage } from './recover-key.ts'
import { runScript } from './run-script.ts'
import { witnessDigest } from './signature-digest.ts'
import { readTransaction, readWitness, serialize, transactionId } from './transaction.ts'
import { bitcoinMessageChecks, verifyBitcoinMessage } from './verify-bitcoin-message.ts'
import { share } from '../../../../testing/sweep.ts'

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`./vectors/${file}.json`, import.meta.url), 'utf8'))
const deps: VerifyDeps = { now: () => new Date('2026-11-21T10:00:00Z') }
const verify = async (message: string, signature: string, address?: string, more: Partial<VerifyDeps> = {}) =>
  allSaid(await verifyBitcoinMessage({ message, signature, ...(address === undefined ? {} : { address }) }, { ...deps, ...more }))
const failures = (report: ProofReport) =>
  report.checks.flatMap(({ id, status, data }) => (status === 'failed' ? [`${id}:${data['reason']}`] : []))
const doubts = (report: ProofReport) =>
  report.checks.flatMap(({ id, status, data }) => (status === 'indeterminate' ? [`${id}:${data['reason']}`] : []))

describe('BIP-137', () => {
  type Vector = { network: string; address: string; message: string; signature: string; valid: boolean; what: string }
  test.each(read('bitcoinj') as Vector[])('bitcoinj: $what ($address)', async ({ message, signature, address, valid }) => {
    const report = await verify(message, signature, address)
    expect(failures(report)).toEqual(valid ? [] : [expect.stringMatching(/^given_address:other_address$|^recovery/)])
    expect(report.verdict).toBe(valid ? 'TOTAL-PASSED' : 'TOTAL-FAILED')
  })

  test('Bitcoin Core: message_verify', async () => {
    const expected: Record<string, string[]> = {
      ERR_INVALID_ADDRESS: ['format:not_base64'],
      // Core refuses addresses of scripts; here they are read, and the signature is what fails.
      ERR_ADDRESS_NO_KEY: ['format:not_base64'],
      ERR_MALFORMED_SIGNATURE: ['format:not_base64'],
      ERR_PUBKEY_NOT_RECOVERED: ['format:header'],
      ERR_NOT_SIGNED: ['given_address:other_address'],
      OK: [],
    }
    for (const { address, signature, message, result } of read('bitcoin-core') as Record<
      'address' | 'signature' | 'message' | 'result',
      string
    >[])
      expect(failures(await verify(message, signature, address)), result).toEqual(expected[result])
  })

  test('the headers of segwit addresses, and by habit that of others; a header that is none, and lengths that are none', async () => {
    // Signed once with the key 1: the octets after the header are those of bitcoinj's vectors.
    const message = 'vires is numeris'
    const signature = 'F8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8='
    for (const [letter, address] of [
      ['J', '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN'],
      ['K', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ] as const) {
      expect((await verify(message, `${letter}${signature}`, address)).verdict).toBe('TOTAL-PASSED')
      const report = await verify(message, `I${signature}`, address)
      expect(report.verdict).toBe('TOTAL-PASSED')
      expect(report.facts).toContainEqual({ id: 'header', value: 'by_habit', form: 'word' })
    }
    const bytes = base64.decode(`J${signature}`)
    for (const header of [0, 26, 43, 255])
      expect(failures(await verify('m', base64.encode(Uint8Array.of(header, ...bytes.subarray(1)))))).toEqual(['format:header'])
    for (const other of [concatBytes(bytes, new Uint8Array(3)), bytes.subarray(0, 60)])
      expect(failures(await verify('m', base64.encode(other)))).toEqual([expect.stringMatching(/^format:(length|variant)$/)])
  })
})

describe('BIP-322', () => {
  type Vector = { message: string; address: string; type: string; bip322_signatures: string[] }
  type Hashes = Record<'message' | 'address' | 'message_hash' | 'to_spend_tx_hash' | 'to_sign_tx_hash', string>
  type File = {
    tx_hashes?: Hashes[]
    simple: Vector[]
    full?: Vector[]
    proof_of_funds?: Vector[]
    error: { description: string; message: string; address: string; signature: string; error_substr: string }[]
  }
  const files = ['bip-0322-basic', 'bip-0322-generated'].map((file) => read(file) as File)

  test('message hashes and transaction identifiers', () => {
    for (const each of files.flatMap(({ tx_hashes = [] }) => tx_hashes)) {
      const spend = toSpend(utf8(each.message), readAddress(each.address)?.script ?? new Uint8Array())
      expect(toHex(messageHash(utf8(each.message)))).toBe(each.message_hash)
      expect(toHex(transactionId(spend).toReversed())).toBe(each.to_spend_tx_hash)
      expect(toHex(transactionId(toSign(transactionId(spend), [])).toReversed())).toBe(each.to_sign_tx_hash)
    }
  })

  test.each(files.flatMap(({ simple, full = [] }) => [...simple, ...full]))('published: $type, "$message"', async (vector) => {
    for (const signature of vector.bip322_signatures) {
      const report = await verify(vector.message, signature, vector.address)
      expect([report.verdict, ...failures(report)]).toEqual(['TOTAL-PASSED'])
      // What the time locks of the signature ask for is said, not judged: the chain is not here.
      const locks = report.facts.filter(({ id }) => id === 'lock_time' || id === 'sequence').map(({ value }) => value)
      expect(locks).toEqual(signature.startsWith('ful') ? [2016, 2016] : [])
    }
  })

  test.each(files.flatMap(({ error }) => error))(
    'negative: $description',
    async ({ message, signature, address, error_substr }) => {
      const found = failures(await verify(message, signature, address))
      expect(found).toHaveLength(1)
      if (error_substr.includes('base64')) expect(found).toEqual(['format:not_base64'])
      else if (error_substr.includes('short')) expect(found).toEqual(['format:empty'])
      else if (error_substr.includes('parsing')) expect(found).toEqual(['format:variant'])
      else expect(found[0]).toMatch(/^script:(signature|other_message|script|witness)$|^given_address:other_address$/)
    },
  )

  test('a proof of funds is read as one, and left open', async () => {
    for (const { message, address, bip322_signatures } of files.flatMap(({ proof_of_funds = [] }) => proof_of_funds))
      for (const signature of bip322_signatures)
        expect(doubts(await verify(message, signature, address))).toEqual(['format:proof_of_funds'])
  })

  test('without an address the key or the script in the signature names one, and nobody vouches for it', async () => {
    const [first] = files[0]?.simple ?? []
    const report = await verify(first?.message ?? '', first?.bip322_signatures[0] ?? '')
    expect(report.verdict).toBe('INDETERMINATE')
    expect(doubts(report)).toEqual(['published_signer:no_published_keys'])
    expect(report.facts).toContainEqual({ id: 'address', value: first?.address, form: 'text' })
    const taproot = files[0]?.simple.find(({ type }) => type === 'p2tr')
    expect(doubts(await verify(taproot?.message ?? '', taproot?.bip322_signatures[0] ?? ''))).toEqual(['script:no_address'])
  })
})

const secret = fromHex('0000000000000000000000000000000000000000000000000000000000000007')
const publicKey = secp256k1.getPublicKey(secret, true)
const own = addressOfKey(publicKey, 'p2pkh').text
/** As Bitcoin Core signs. */
function sign(message: string, kind = 31, key = secret): string {
  const bytes = secp256k1.sign(doubleSha256(magicMessage(utf8(message))), key, { prehash: false, format: 'recovered' })
  return base64.encode(concatBytes(Uint8Array.of(kind + (bytes[0] ?? 0)), bytes.subarray(1)))
}
const keys = (until: string | null = null) => ({
  bitcoin: [{ id: own, since: '2026-01-01T00:00:00Z', until }],
  nano: [],
  log: [],
  witnesses: [],
})

test('a text and a signature alone are never valid; an altered text leads to another address, and is open or false', async () => {
  const text = 'probant-seal/1 '.concat('ab'.repeat(32))
  const signature = sign(text)
  const alone = await verify(text, signature)
  expect(alone.verdict).toBe('INDETERMINATE')
  expect(doubts(alone)).toEqual(['published_signer:no_published_keys'])
  expect(alone.bound).toContainEqual({ algorithm: 'sha256', hex: 'ab'.repeat(32), of: 'root' })
  const published = await verify(text, signature, undefined, { keys: keys() })
  expect([published.verdict, ...doubts(published)]).toEqual(['TOTAL-PASSED'])
  const altered = await verify(`${text}!`, signature, undefined, { keys: keys() })
  expect([altered.verdict, ...doubts(altered)]).toEqual(['INDETERMINATE', 'published_signer:unknown_signer'])
  expect(failures(await verify(`${text}!`, signature, own, { keys: keys() }))).toEqual(['given_address:other_address'])
})

test('what was made while a published key was in force stays good when the key is retired', async () => {
  const input = { message: 'text', signature: sign('text'), at: '2026-05-01T00:00:00Z' }
  const report = allSaid(await verifyBitcoinMessage(input, { ...deps, keys: keys('2026-06-01T00:00:00Z') }))
  expect(report.verdict).toBe('TOTAL-PASSED')
})

test.each([
  ['a\r\nb', 'a\nb', 'line_feeds'],
  ['a\nb', 'a\r\nb', 'carriage_returns'],
  ['a\n', 'a', 'without_last_break'],
  ['a\r\n', 'a', 'without_last_break'],
  ['a', 'a\n', 'with_last_break'],
  [' a ', 'a', 'trimmed'],
])('%j was given and %j signed: said as %s, and not green', async (given, signed, form) => {
  const report = await verify(given, sign(signed), own)
  expect([report.verdict, ...doubts(report)]).toEqual(['INDETERMINATE', 'published_signer:no_published_keys', `text:${form}`])
  expect((await verify(given, sign(given), own)).verdict).toBe('TOTAL-PASSED')
})

test('H-29: the digest of a text, or of a seal, stands for it', async () => {
  const root = 'cd'.repeat(32)
  for (const given of [root, root.toUpperCase(), ` ${root}\n`]) {
    const report = await verify(given, sign(`probant-seal/1 ${root}`), own)
    expect([report.verdict, ...failures(report)]).toEqual(['TOTAL-PASSED'])
    expect(report.checks.at(-1)).toMatchObject({ id: 'text', status: 'passed', data: { reason: 'seal_of_root' } })
  }
  expect((await verify(root, sign(root), own)).checks.map(({ id }) => id)).not.toContain('text')
  const long = 'A long text. '.repeat(400)
  const report = await verify(long, sign(createHash('sha256').update(long).digest('hex')), own)
  expect(report.verdict).toBe('TOTAL-PASSED')
  expect(report.checks.at(-1)).toMatchObject({ id: 'text', status: 'passed', data: { reason: 'digest_of_text' } })
})

test('blocks that wallets make are recognised; the address in them is a claim', async () => {
  const signature = sign('Line one\n-----dashes\nend')
  const block = (address: string) =>
    `-----BEGIN BITCOIN SIGNED MESSAGE-----\nLine one\n- -----dashes\nend\n-----BEGIN SIGNATURE-----\n${address}\n${signature}\n-----END BITCOIN SIGNED MESSAGE-----\n`
  const named = await verify(block(own), '')
  expect([named.verdict, ...doubts(named)]).toEqual(['INDETERMINATE', 'published_signer:no_published_keys'])
  expect((await verify(block(own), '', own)).verdict).toBe('TOTAL-PASSED')
  const headed = block(own)
    .replace('SIGNATURE-----\n1', 'BITCOIN SIGNATURE-----\nVersion: 1\nAddress: 1')
    .replace('END BITCOIN SIGNED MESSAGE', 'END BITCOIN SIGNATURE')
  expect(readArmoured(headed.replaceAll('\n', '\r\n'))).toMatchObject({ address: own, signature })
  expect(readArmoured(block(own).slice(0, -5))).toBeUndefined()
})

test('BIP-322: octets that look like a signature, and a transaction without witness', async () => {
  const address = addressOfKey(publicKey, 'p2wpkh').text
  const script = readAddress(address)?.script ?? new Uint8Array()
  const junk = concatBytes(new Uint8Array(70), Uint8Array.of(1))
  const item = (bytes: Uint8Array) => concatBytes(Uint8Array.of(bytes.length), bytes)
  const simple = `smp${base64.encode(concatBytes(Uint8Array.of(2), item(junk), item(publicKey)))}`
  expect(failures(await verify('text', simple, address))).toEqual(['script:signature_form'])
  const bare = serialize(toSign(transactionId(toSpend(utf8('text'), script)), []))
  expect(failures(await verify('text', `ful${base64.encode(bare)}`, address))).toEqual(['script:witness'])
})

describe('scripts of BIP-322', () => {
  const keyB = fromHex('00'.repeat(31).concat('09'))
  const [a, b] = [publicKey, secp256k1.getPublicKey(keyB, true)]
  const push = (item: Uint8Array) => concatBytes(Uint8Array.of(item.length), item)
  const opcode = (...codes: number[]) => Uint8Array.of(...codes)
  /** Signs `text` under the P2WSH address of a script, with what goes before the script on the stack. */
  async function signed(
    script: Uint8Array,
    stackOf: (sign: (key: Uint8Array) => Uint8Array) => readonly Uint8Array[],
    { version = 2, lockTime = 0, sequence = 0 }: { version?: number; lockTime?: number; sequence?: number } = {},
  ): Promise<string[]> {
    const address = addressOfProgram(createHash('sha256').update(script).digest())
    const bare = toSign(transactionId(toSpend(utf8('text'), address.script)), [])
    const [input] = bare.inputs
    if (input === undefined) throw new Error('no input')
    const transaction = { ...bare, version, lockTime, inputs: [{ ...input, sequence }] }
    const digest = witnessDigest(transaction, script)
    const stack = stackOf((key) => concatBytes(secp256k1.sign(digest, key, { prehash: false, format: 'der' }), Uint8Array.of(1)))
    const items = [...stack, script]
    const bytes = serialize(transaction)
    const witness = concatBytes(Uint8Array.of(items.length), ...items.map(push))
    const whole = concatBytes(bytes.subarray(0, 4), Uint8Array.of(0, 1), bytes.subarray(4, -4), witness, bytes.subarray(-4))
    const report = await verify('text', `ful${base64.encode(whole)}`, address.text)
    return [report.verdict ?? 'none', ...failures(report), ...doubts(report).filter((each) => each.startsWith('script'))]
  }
  const number = (value: number) => push(Uint8Array.of(value & 255, value >> 8))
  const until = concatBytes(number(1000), opcode(0xb1, 0x75), push(a), opcode(0xac))
  const age = concatBytes(number(1000), opcode(0xb2, 0x75), push(a), opcode(0xac))
  const either = concatBytes(opcode(0x63), push(a), opcode(0x67), number(1000), opcode(0xb2, 0x75), push(b), opcode(0x68, 0xac))
  const preimage = utf8('secret')
  const hashLock = concatBytes(
    opcode(0xa8),
    push(createHash('sha256').update(preimage).digest()),
    opcode(0x88),
    push(a),
    opcode(0xac),
  )
  const twoOfTwo = concatBytes(opcode(0x52), push(a), push(b), opcode(0x52, 0xae))
  const holds = ['TOTAL-PASSED']
  const wrong = ['TOTAL-FAILED', 'script:signature']
  const left = ['INDETERMINATE', 'script:script_unknown']

  test.each([
    ['a lock until a height that is stated', until, [secret], { lockTime: 1000 }, holds],
    ['a lock until a later height', until, [secret], { lockTime: 999 }, wrong],
    ['a lock by time instead of height', until, [secret], { lockTime: 1_700_000_000 }, wrong],
    ['a lock that the sequence switches off', until, [secret], { lockTime: 1000, sequence: 0xffff_ffff }, wrong],
    ['a lock by age that is stated', age, [secret], { sequence: 1000 }, holds],
    ['a lock by a greater age', age, [secret], { sequence: 999 }, wrong],
    ['a lock by age in a version without any', age, [secret], { sequence: 1000, version: 1 }, wrong],
    ['the first of two branches', either, [secret, opcode(1)], {}, holds],
    ['the second of two branches, by its key', either, [keyB, opcode()], { sequence: 1000 }, holds],
    ['the second of two branches, by the key of the first', either, [secret, opcode()], { sequence: 1000 }, wrong],
    ['a branch chosen by more than one octet', either, [secret, opcode(1, 0)], {}, wrong],
    ['a hash lock', hashLock, [secret, preimage], {}, holds],
    ['a hash lock with another preimage', hashLock, [secret, utf8('other')], {}, wrong],
    ['an instruction that is not run here', concatBytes(opcode(0x74, 0x75), push(a), opcode(0xac)), [secret], {}, left],
    ['no signature at all', opcode(0x51), [], {}, left],
    ['two items left', concatBytes(push(a), opcode(0xac, 0x51)), [secret], {}, wrong],
    ['a branch that does not end', concatBytes(opcode(0x51, 0x63), push(a), opcode(0xac)), [secret], {}, wrong],
    ['two of two', twoOfTwo, ['dummy', secret, keyB], {}, holds],
    ['two of two in the other order', twoOfTwo, ['dummy', keyB, secret], {}, wrong],
    ['two of two by one', twoOfTwo, ['dummy', secret, secret], {}, wrong],
    ['two of two with a dummy that is not empty', twoOfTwo, [opcode(1), secret, keyB], {}, wrong],
  ] as const)('%s', async (_, script, stack, fields, expected) => {
    const isKey = (item: Uint8Array | string) => item === secret || item === keyB
    const found = await signed(
      script,
      (sign) =>
        stack.map((item) =>
          item === 'dummy' ? new Uint8Array() : isKey(item) ? sign(item as Uint8Array) : (item as Uint8Array),
        ),
      fields,
    )
    expect(found).toEqual(expected)
  })

  test(`${share(10_000)} hostile scripts: none throws, none holds without a signature that does`, () => {
    assert(
      property(uint8Array({ maxLength: 60 }), array(uint8Array({ maxLength: 40 }), { maxLength: 5 }), (script, stack) => {
        const rules = { version: 2, lockTime: 0, sequence: 0, check: () => 'fails' as const }
        return (['legacy', 'witness', 'tapscript'] as const).every(
          (kind) => runScript(script, stack, { ...rules, kind }).result !== 'holds',
        )
      }),
      { numRuns: share(10_000) },
    )
  })
})

test('a simple signature of a P2SH address is refused by the rule that refuses it', async () => {
  const { simple } = read('bip-0322-basic') as { simple: { message: string; bip322_signatures: string[] }[] }
  const [first] = simple
  const { message = '', bip322_signatures: [signature = ''] = [] } = first ?? {}
  const key = base64.decode(signature.replace(/^smp/, '')).slice(-33)
  const report = await verify(message, signature, addressOfKey(key, 'p2sh').text)
  const refused = report.checks.filter(({ status }) => status === 'failed')
  expect(refused).toMatchObject([{ id: 'given_address', data: { reason: 'simple_p2sh' } }])
})

test('bip322-js, a peer, concludes alike on what we sign and on published vectors', async () => {
  const types = { p2pkh: 31, p2sh: 35, p2wpkh: 39 } as const
  for (const [kind, header] of Object.entries(types)) {
    const address = addressOfKey(publicKey, kind as keyof typeof types).text
    const signature = sign('A text, œuvre', header)
    expect(Verifier.verifySignature(address, 'A text, œuvre', signature), kind).toBe(true)
    expect((await verify('A text, œuvre', signature, address)).verdict).toBe('TOTAL-PASSED')
    expect(Verifier.verifySignature(address, 'Another', signature)).toBe(false)
  }
})

test(`${share(10_000)} hostile inputs: no parser throws; altered signatures are never green`, async () => {
  const bytes = uint8Array({ maxLength: 120 })
  assert(
    property(bytes, string({ maxLength: 120 }), (octets, text) => {
      const transaction = readTransaction(octets)
      if (transaction !== undefined) expect(transaction.inputs.length).toBeLessThanOrEqual(octets.length)
      readWitness(octets)
      readSignature(text)
      readArmoured(`-----BEGIN BITCOIN SIGNED MESSAGE-----\n${text}\n-----END BITCOIN SIGNED MESSAGE-----`)
      return readAddress(`bc1${text}`) === undefined && readAddress(`1${text}`) === undefined
    }),
    { numRuns: share(10_000) },
  )
  const { simple } = read('bip-0322-basic') as { simple: { message: string; address: string; bip322_signatures: string[] }[] }
  const targets = [
    { message: 'text', address: own, signature: base64.decode(sign('text')) },
    ...simple.map(({ message, address, bip322_signatures: [first = ''] }) => ({
      message,
      address,
      signature: base64.decode(first.replace(/^smp/, '')),
    })),
  ]
  for (const { message, address, signature } of targets) {
    for (let at = 0; at < signature.length; at += signature.length > 200 ? 9 : 4) {
      const altered = Uint8Array.from(signature)
      altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8))
      const report = await verify(message, base64.encode(altered), address)
      expect(report.verdict, `${address} octet ${at}`).not.toBe('TOTAL-PASSED')
    }
  }
})

test('only known checks are emitted', async () => {
  const report = await verify('text', sign('text'), own, { keys: keys() })
  for (const { id } of report.checks) expect(bitcoinMessageChecks).toContain(id)
})
