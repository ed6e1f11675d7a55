import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Verifier } from 'bip322-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { runTool, temporaryFolder, writeFiles } from '../../../../testing/keyring.ts'
import { verifyBitcoinMessage } from '../../../verification/domain/bitcoin-message/verify-bitcoin-message.ts'
import { canonicalJson } from '../../../verification/domain/encoding/canonical-json.ts'
import { verifyNanoMessage } from '../../../verification/domain/nano-message/verify-nano-message.ts'
import { readPublishedKeys } from '../../../verification/domain/known/published-keys.ts'
import { verifyPlatformKeys } from '../../../verification/domain/package/platform-keys/verify-platform-keys.ts'
import { pemOrNone, verifyRootSignature } from '../../../verification/domain/package/seal/verify-seal.ts'
import { createTimestampers } from '../timestamps/create-timestampers.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import { sealPieces } from './seal-pieces.ts'
import type { Keyring } from '../keyring/signer.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Keyring
let files: Map<string, Uint8Array>
const now = new Date()

async function seal(using: Keyring, text = 'page'): Promise<Map<string, Uint8Array>> {
  const subject = {
    evidence_id: '0190a0b0-0000-7000-8000-000000000000',
    kind: 'static',
    requested_url: 'https://example.org/',
    final_url: 'https://example.org/',
    started_at: '2026-11-21T10:00:00.000Z',
    finished_at: '2026-11-21T10:00:09.000Z',
    software: 'probant/0.1.0',
  } as const
  const sha256 = createHash('sha256').update(text).digest('hex')
  const pieces = [{ path: 'capture/page.html', role: 'dom', media_type: 'text/html', bytes: text.length, sha256 }] as const
  const timestampers = createTimestampers({ urls: [], keyring: using, clock: systemClock, log: silentLog })
  const sealed = await sealPieces(
    { subject, pieces },
    { keyring: using, timestampers, clock: systemClock, witness: 'here/witness' },
  )
  return new Map(sealed.files.map(({ path, bytes }) => [path, bytes]))
}

beforeAll(async () => {
  folder = await temporaryFolder()
  keyring = await openKeyring({ dir: join(folder.dir, 'keys'), clock: systemClock, log: silentLog })
  files = await seal(keyring)
})
afterAll(() => folder.remove())

const bytesOf = (path: string) => Buffer.from(files.get(path) ?? new Uint8Array())
/** Checks as a package's verifier makes them, after `change`. */
function check(change: (small: Map<string, Uint8Array>) => void = () => undefined, from = files) {
  const small = new Map(from)
  change(small)
  const platform = pemOrNone(small.get('seal/platform-ca.pem'))
  const root = from.get('seal/root.bin') ?? new Uint8Array()
  const signature = verifyRootSignature(small.get('seal/signature.p7s'), root, platform, now).facts
  return verifyPlatformKeys(small, { root, signature }, platform, now)
}
const said = (outcome: ReturnType<typeof check>) =>
  outcome.checks.map(({ id, status, subject, data }) => [id, status, subject, data['reason'] ?? data['network']].join(' '))

test('the seal carries the published keys, signed, and its own text signed by two of them', async () => {
  expect(said(check())).toEqual([
    'platform_keys passed seal/keys.json ',
    'message_signature passed seal/message-signatures.json Bitcoin',
    'message_signature passed seal/message-signatures.json Nano',
  ])
  const dir = join(folder.dir, 'unpacked')
  await writeFiles(
    dir,
    [...files].map(([path, bytes]) => ({ path, bytes })),
  )
  const openssl = await runTool(
    dir, 'openssl', 'cms', '-verify', '-binary', '-inform', 'DER', '-in', 'seal/keys.p7s', '-content', 'seal/keys.json',
    '-CAfile', 'seal/platform-ca.pem', '-purpose', 'any', '-out', '/dev/null',
  ) // prettier-ignore
  expect(openssl.code).toBe(0)
  const message = bytesOf('seal/message.txt').toString()
  expect(message).toBe(`probant-seal/1 ${bytesOf('seal/root.bin').toString('hex')}`)
  const { bitcoin, nano } = JSON.parse(bytesOf('seal/message-signatures.json').toString()) as Record<
    string,
    Record<string, string>
  >
  // A peer's verifier of Bitcoin messages agrees.
  expect(Verifier.verifySignature(bitcoin?.['address'] ?? '', message, bitcoin?.['signature'] ?? '')).toBe(true)
  // The command that repeats it finds the signature and the text: what `bitcoin-cli` would be given.
  const command = check().checks.find(({ repeat_command }) => repeat_command?.startsWith('bitcoin-cli'))?.repeat_command ?? ''
  const given = await runTool(dir, 'sh', '-c', command.replace('bitcoin-cli verifymessage', "printf '%s\\n'"))
  expect(given.output).toBe(`${bitcoin?.['address']}\n${bitcoin?.['signature']}\n${message}\n`)
  const keys = check().keys
  if (keys === undefined) throw new Error('no keys')
  const deps = { now: () => now, keys }
  expect((await verifyBitcoinMessage({ message, signature: bitcoin?.['signature'] ?? '' }, deps)).verdict).toBe('TOTAL-PASSED')
  expect((await verifyNanoMessage({ message, signature: nano?.['signature'] ?? '' }, deps)).verdict).toBe('TOTAL-PASSED')
  expect(keys.witnesses).toEqual([expect.stringMatching(/^here\/witness\+[0-9a-f]{8}\+B[A-Za-z0-9+/=]+$/)])
  expect(readPublishedKeys(bytesOf('seal/keys.json')).certificates.map(({ role, purpose }) => `${purpose} ${role}`)).toEqual([
    'platform authority',
    'platform signing',
    'time authority',
    'time signing',
  ])
})

test('a package of before has none of the four files, and nothing is said of it; some of them is not enough', () => {
  const four = ['seal/keys.json', 'seal/keys.p7s', 'seal/message.txt', 'seal/message-signatures.json']
  const none = check((small) => {
    for (const path of four) small.delete(path)
  })
  expect(none.checks).toEqual([])
  for (const path of four) {
    const outcome = said(check((small) => small.delete(path)))
    expect(
      outcome.filter((line) => line.includes('failed')),
      path,
    ).toEqual([expect.stringContaining(`${path} missing`)])
  }
})

test('what each check is for: another list, another text, another key, a key of another time', async () => {
  const change = (path: string, edit: (value: never) => unknown) =>
    said(check((small) => small.set(path, Buffer.from(canonicalJson(edit(JSON.parse(bytesOf(path).toString()) as never))))))
  const failed = (lines: readonly string[]) => lines.filter((line) => line.includes(' failed '))
  expect(failed(change('seal/keys.json', (value: object) => ({ ...value, bitcoin: [] })))).toEqual([
    'platform_keys failed seal/keys.p7s message_digest',
  ])
  type Signatures = { bitcoin: { address: string }; nano: { account: string; signature: string } }
  const other = await openKeyring({ dir: join(folder.dir, 'other'), clock: systemClock, log: silentLog })
  const signers = await other.messageSigners()
  const text = bytesOf('seal/message.txt').toString()
  const [address, signature] = [signers.bitcoin.id, await signers.bitcoin.sign(text)]
  expect(
    failed(
      change('seal/message-signatures.json', (value: Signatures) => ({
        ...value,
        bitcoin: { ...value.bitcoin, address, signature },
      })),
    ),
  ).toEqual(['message_signature failed seal/message-signatures.json key_not_listed'])
  expect(
    failed(change('seal/message-signatures.json', (value: Signatures) => ({ ...value, bitcoin: { ...value.bitcoin, address } }))),
  ).toEqual(['message_signature failed seal/message-signatures.json signature'])
  expect(failed(change('seal/message-signatures.json', (value: object) => ({ ...value, more: 1 })))).toEqual([
    'message_signature failed seal/message-signatures.json malformed',
  ])
  expect(failed(said(check((small) => small.set('seal/message.txt', Buffer.from(`${text}\n`)))))).toEqual([
    'message_signature failed seal/message.txt other_root',
  ])
  // Another platform's list, whole and signed, does not vouch for this seal.
  const foreign = await seal(other)
  const swapped = check((small) => {
    for (const path of ['seal/keys.json', 'seal/keys.p7s']) small.set(path, foreign.get(path) ?? new Uint8Array())
  })
  expect(failed(said(swapped))).toEqual(['platform_keys failed seal/keys.p7s other_signer'])
  expect(swapped.keys).toBeUndefined()
  // A key that the list says retired does not sign.
  const dir = join(folder.dir, 'rotated')
  const daysAgo = async (days: number) =>
    await openKeyring({ dir, clock: { now: () => new Date(now.getTime() - days * 86_400_000) }, log: silentLog })
  const retired = (await (await daysAgo(60)).messageSigners()).bitcoin
  await (await daysAgo(30)).rotate('bitcoin-signing')
  const late = await seal(await openKeyring({ dir, clock: systemClock, log: silentLog }), 'later')
  expect(said(check(undefined, late)).every((line) => line.includes(' passed '))).toBe(true)
  const signatures = JSON.parse(Buffer.from(late.get('seal/message-signatures.json') ?? []).toString()) as Signatures
  const again = { address: retired.id, signature: await retired.sign(Buffer.from(late.get('seal/message.txt') ?? []).toString()) }
  const replaced = Buffer.from(canonicalJson({ ...signatures, bitcoin: { ...signatures.bitcoin, ...again } }))
  expect(failed(said(check((small) => small.set('seal/message-signatures.json', replaced), late)))).toEqual([
    'message_signature failed seal/message-signatures.json key_not_in_force',
  ])
})

test('octets all along the four files matter', () => {
  for (const path of ['seal/keys.json', 'seal/message.txt', 'seal/message-signatures.json', 'seal/keys.p7s']) {
    const whole = bytesOf(path)
    for (let at = 0; at < whole.length; at += path.endsWith('.txt') ? 5 : 29) {
      const altered = whole.with(at, (whole[at] ?? 0) ^ (1 << (at % 8)))
      const { checks } = check((small) => small.set(path, altered))
      expect(
        checks.every(({ status }) => status === 'passed'),
        `${path} octet ${at}`,
      ).toBe(false)
    }
  }
})
