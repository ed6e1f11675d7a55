import { readFileSync } from 'node:fs'
import { blake2b } from '@noble/hashes/blake2.js'
import { assert, property, string, uint8Array } from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { concatBytes, fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { runTool, temporaryFolder } from '../../../../testing/keyring.ts'
import { allSaid } from '../package/platform-keys/all-said.test-data.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { isUnusableKey, nanoAccount, readNanoAccount } from './nano-account.ts'
import { nanoEd25519, nanoPublicKey } from './nano-ed25519.ts'
import { nanoSchemes, nanoSignedBytes, orisPayload } from './nano-schemes.ts'
import { nanoMessageChecks, verifyNanoMessage } from './verify-nano-message.ts'
import { share } from '../../../../testing/sweep.ts'

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`./vectors/${file}.json`, import.meta.url), 'utf8'))
const deps: VerifyDeps = { now: () => new Date('2026-11-21T10:00:00Z') }
const verify = async (message: string, signature: string, account?: string, more: Partial<VerifyDeps> = {}) =>
  allSaid(await verifyNanoMessage({ message, signature, ...(account === undefined ? {} : { account }) }, { ...deps, ...more }))
const failures = (report: ProofReport) =>
  report.checks.flatMap(({ id, status, data }) => (status === 'failed' ? [`${id}:${data['reason']}`] : []))
const doubts = (report: ProofReport) =>
  report.checks.flatMap(({ id, status, data }) => (status === 'indeterminate' ? [`${id}:${data['reason']}`] : []))
const scheme = (report: ProofReport) => report.facts.find(({ id }) => id === 'scheme')?.value

type Oris = {
  private_key: string
  public_key: string
  account: string
  vectors: { message: string; payload: string; digest: string; signature: string }[]
}
type Web = {
  accounts: { private_key: string; public_key: string; account: string }[]
  blocks: Record<'account' | 'previous' | 'representative' | 'balance' | 'link' | 'private_key' | 'signature', string>[]
}
const oris = read('oris-001') as Oris
const web = read('nanocurrency-web') as Web

test('published keys and accounts: derived, written and read alike', () => {
  for (const each of [oris, ...web.accounts]) {
    const publicKey = nanoPublicKey(fromHex(each.private_key))
    expect(toHex(publicKey)).toBe(each.public_key)
    expect(nanoAccount(publicKey)).toBe(each.account)
    expect(toHex(readNanoAccount(each.account) ?? new Uint8Array())).toBe(each.public_key)
    expect(readNanoAccount(each.account.replace('nano_', 'xrb_'))).toEqual(publicKey)
    for (let at = 5; at < each.account.length; at += 1) {
      const wrong = each.account.slice(0, at) + (each.account[at] === '1' ? '3' : '1') + each.account.slice(at + 1)
      expect(readNanoAccount(wrong), wrong).toBeUndefined()
    }
  }
})

test('ORIS-001: published vectors', async () => {
  for (const { message, payload, digest, signature } of oris.vectors) {
    expect(toHex(orisPayload(utf8(message)))).toBe(payload)
    const report = await verify(message, signature, oris.account)
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(scheme(report)).toBe('oris_001')
    expect(report.facts).toContainEqual({ id: 'signed', value: digest, form: 'hex' })
    expect(toHex(nanoEd25519.sign(fromHex(digest), fromHex(oris.private_key)))).toBe(signature)
    expect(failures(await verify(`${message}.`, signature, oris.account))).toEqual(['signature:does_not_fit'])
  }
})

test('blocks of docs.nano.org: the digest of a block is a text too', async () => {
  for (const block of web.blocks) {
    const key = (account: string) => readNanoAccount(account) ?? new Uint8Array()
    const balance = fromHex(BigInt(block.balance).toString(16).padStart(32, '0'))
    const preamble = new Uint8Array(32)
    preamble[31] = 6
    const content = concatBytes(
      preamble,
      key(block.account),
      fromHex(block.previous),
      key(block.representative),
      balance,
      key(block.link),
    )
    const hash = toHex(blake2b(content, { dkLen: 32 })).toUpperCase()
    const report = await verify(hash, block.signature, block.account)
    expect([report.verdict, scheme(report)]).toEqual(['TOTAL-PASSED', 'block_hash'])
  }
})

const secret = fromHex(oris.private_key)
const own = oris.account
const sign = (text: string, as: (typeof nanoSchemes)[number] = 'oris_001') =>
  toHex(nanoEd25519.sign(nanoSignedBytes(as, text, utf8(text)) ?? new Uint8Array(), secret))
const keys = (...ids: string[]) => ({
  bitcoin: [],
  nano: ids.map((id) => ({ id, since: '2026-01-01T00:00:00Z', until: null })),
  log: [],
  witnesses: [],
})

test.each(nanoSchemes)('the way of signing is found and said: %s', async (as) => {
  const text = as === 'block_hash' ? 'ab'.repeat(32) : 'A text, œuvre'
  const report = await verify(text, sign(text, as), own)
  expect([report.verdict, scheme(report)]).toEqual(['TOTAL-PASSED', as])
})

test('BLAKE2b as b2sum computes it', async () => {
  const folder = await temporaryFolder()
  try {
    const { output } = await runTool(folder.dir, 'sh', '-c', `printf '%s' 'A text' | b2sum -l 256`)
    expect(output.split(' ')[0]).toBe(toHex(nanoSignedBytes('blake2b_256', 'A text', utf8('A text')) ?? new Uint8Array()))
  } finally {
    await folder.remove()
  }
})

test('one of several published accounts is enough', async () => {
  const report = await verify('text', sign('text'), undefined, { keys: keys(web.accounts[0]?.account ?? '', own) })
  expect([report.verdict, ...doubts(report)]).toEqual(['TOTAL-PASSED'])
})

test('H-29: the digest of a seal stands for its text', async () => {
  const root = 'cd'.repeat(32)
  const sealed = await verify(root, sign(`probant-seal/1 ${root}`), own)
  expect([sealed.verdict, sealed.checks.at(-1)?.data['reason']]).toEqual(['TOTAL-PASSED', 'seal_of_root'])
})

test('a key of small order, under which one signature fits every text, proves nothing though it be published', async () => {
  const weak = concatBytes(Uint8Array.of(1), new Uint8Array(31))
  expect(isUnusableKey(weak)).toBe(true)
  const forged = toHex(concatBytes(weak, new Uint8Array(32)))
  expect((await verify('text', forged, undefined, { keys: keys(nanoAccount(weak)) })).verdict).toBe('INDETERMINATE')
})

test(`${share(10_000)} hostile inputs: no parser throws; altered signatures are never green`, async () => {
  assert(
    property(string({ maxLength: 80 }), uint8Array({ minLength: 32, maxLength: 32 }), (text, publicKey) => {
      const account = nanoAccount(publicKey)
      return readNanoAccount(text) === undefined && toHex(readNanoAccount(account) ?? new Uint8Array()) === toHex(publicKey)
    }),
    { numRuns: share(10_000) },
  )
  const signature = fromHex(sign('text'))
  for (let bit = 0; bit < 512; bit += 17) {
    const altered = Uint8Array.from(signature)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect((await verify('text', toHex(altered), own)).verdict, `bit ${bit}`).toBe('TOTAL-FAILED')
  }
  const report = await verify('text', sign('text'), own, { keys: keys(own) })
  for (const { id } of report.checks) expect(nanoMessageChecks).toContain(id)
})
