import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../../../kernel/bytes.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { readPublished } from '../../../../testing/published/read-published.ts'
import { displayed } from '../bitcoin/block-header.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { readChainpoint } from './read-chainpoint.ts'
import { verifyChainpoint } from './verify-chainpoint.ts'
import { verifyPastedProof } from '../proof/verify-pasted-proof.ts'

type File = readonly [repository: string, commit: string, path: string, sha256: string]
type Sample = 'v3-503275' | 'v3-485090' | 'v3-testnet' | 'v4' | 'v4-625836'
const published = JSON.parse(readFileSync(new URL('./published.json', import.meta.url), 'utf8')) as {
  proofs: Record<Sample, File>
  packed: Record<'v3-503275' | 'v4-of-binary', File>
  text_of_packed: File
  receipts: File
}

type PeerBranch = {
  readonly anchors: readonly { readonly type: string; readonly anchor_id: string; readonly expected_value: string }[]
  readonly branches?: readonly PeerBranch[]
}
const peer = createRequire(import.meta.url)('chainpoint-parse') as {
  parse(proof: unknown): { readonly hash: string; readonly branches: readonly PeerBranch[] }
}

const bytesOf = async ([repository, commit, path, sha256]: File) => await readPublished({ repository, commit, path, sha256 })
const textOf = async (file: File) => new TextDecoder().decode(await bytesOf(file))
const alone: VerifyDeps = { now: () => new Date('2026-06-01T00:00:00Z') }
const inBlock = (at: number, header: Uint8Array): VerifyDeps => ({
  ...alone,
  network: 'regtest',
  headers: (height) => Promise.resolve(height === at ? [{ height, header, source: 'given' }] : []),
})
const statuses = ({ checks }: ProofReport) =>
  checks.map(({ id, status, data }) => [id, status, data['reason'] ?? ''].join(' ').trim())
const anchorsOf = (branches: readonly PeerBranch[]): PeerBranch['anchors'] =>
  branches.flatMap((branch) => [...branch.anchors, ...anchorsOf(branch.branches ?? [])])

describe('proofs of versions 3 and 4', () => {
  const expected: Readonly<Record<Sample, readonly string[]>> = {
    'v3-503275': ['cal', 'no_header'],
    'v3-485090': ['cal', 'no_header'],
    'v3-testnet': ['tcal', 'tbtc'],
    v4: ['cal', 'no_header'],
    'v4-625836': ['cal', 'no_header'],
  }
  test.each(Object.keys(expected) as Sample[])(
    '%s: every anchor has the value that chainpoint-parse computes, and is said as what it is',
    async (name) => {
      const text = await textOf(published.proofs[name])
      const { hash, branches } = JSON.parse(text) as Record<string, unknown>
      // The peer reads contexts of version 4 and 5 alone; what it computes does not depend on it.
      const ids = { proof_id: '66a34bd0-f4e7-11e7-a52b-016a36a9d789', hash_received: '2018-01-09T02:47:15Z' }
      const theirs = peer.parse({ '@context': 'https://w3id.org/chainpoint/v4', type: 'Chainpoint', hash, ...ids, branches })
      const { claims } = readChainpoint(text)
      expect(claims.map(({ type, id, value }) => [type, id, type.endsWith('btc') ? displayed(value) : toHex(value)])).toEqual(
        anchorsOf(theirs.branches).map(({ type, anchor_id, expected_value }) => [type, anchor_id, expected_value]),
      )
      const said = statuses(await verifyChainpoint({ proof: text }, alone)).filter((each) => each.startsWith('attestation'))
      expect(said.map((each) => each.replace('attestation indeterminate ', ''))).toEqual(expected[name])
      const claim = claims.find(({ type }) => type === 'btc')
      if (claim === undefined) return
      const height = Number(claim.id)
      const digest = typeof hash === 'string' ? hash : ''
      const right = await verifyChainpoint({ proof: text, digest }, inBlock(height, mineHeader(claim.value)))
      expect([right.verdict, right.dates.length]).toEqual(['TOTAL-PASSED', 1])
      const wrong = await verifyChainpoint({ proof: text, digest }, inBlock(height, mineHeader(claim.value.toReversed())))
      expect(statuses(wrong)).toContain('attestation failed merkle_root')
    },
  )

  test('the binary form says what its JSON says, as octets and as text', async () => {
    const packed = await bytesOf(published.packed['v3-503275'])
    expect(readChainpoint(packed)).toEqual(readChainpoint(await textOf(published.proofs['v3-503275'])))
    const sample = readFileSync(new URL('./vectors/v4-of-binary.chp.json', import.meta.url), 'utf8')
    expect(readChainpoint(await bytesOf(published.packed['v4-of-binary']))).toEqual(readChainpoint(sample))
    const pasted = await verifyPastedProof({ proof: await textOf(published.text_of_packed) }, alone)
    expect([pasted.kind, pasted.verdict, pasted.unusable]).toEqual(['chainpoint', 'INDETERMINATE', false])
  })
})

type Receipt = { readonly name: string; readonly receipt: unknown; readonly isValid: unknown }

/** The receipts that the peer's own test gives to it, with what it expects of each: its test, run with a peer that only notes both. */
async function receiptsOfPeer(): Promise<Receipt[]> {
  const found: Receipt[] = []
  const names: string[] = []
  const noted = (receipt: unknown, _confirm: unknown, done: (error: null, result: unknown) => void) => {
    let isValid: unknown
    const property = (key: string, value: unknown) => {
      if (key === 'isValid') isValid = value
      return { which: { is: {} } }
    }
    const should = { have: { property } }
    try {
      done(null, { should })
    } catch {
      // What it asks further of its answer is not ours.
    }
    found.push({ name: names.join(''), receipt: JSON.parse(JSON.stringify(receipt)) as unknown, isValid })
  }
  const nested = (name: string, body: (done: () => void) => void) => {
    names.push(name)
    body(() => undefined)
    names.pop()
  }
  const require = () => () => ({ isValidReceipt: noted })
  runInNewContext(await textOf(published.receipts), { describe: nested, it: nested, require }, { timeout: 30_000 })
  return found
}

describe('receipts of versions 1 and 2', async () => {
  const receipts = await receiptsOfPeer()
  const asText = (receipt: unknown): string => (typeof receipt === 'string' ? receipt : JSON.stringify(receipt))

  test('every receipt that chainpoint-validate-js refuses is refused, and no other', async () => {
    expect(receipts).toHaveLength(134)
    const second = receipts.filter(({ name }) => name.startsWith('Testing v2'))
    expect(second.length).toBeGreaterThan(80)
    for (const { name, receipt, isValid } of second) {
      const report = await verifyChainpoint({ proof: asText(receipt) }, alone)
      expect([name, report.verdict]).toEqual([name, isValid === true ? 'INDETERMINATE' : 'TOTAL-FAILED'])
    }
  })

  test('version 1 is said to be unsupported by its name', async () => {
    const first = receipts.filter(({ name, isValid }) => name.startsWith('Testing v1') && isValid === true)
    expect(first.length).toBeGreaterThan(3)
    for (const { receipt } of first) {
      const report = await verifyChainpoint({ proof: asText(receipt) }, alone)
      expect([report.verdict, statuses(report)]).toEqual(['INDETERMINATE', ['format indeterminate version_1']])
    }
  })

  test('a receipt that holds its transaction and block leads to the root of that block', async () => {
    const found = receipts.find(({ name }) => name.includes('BTCBlockHeader Confirm OK'))
    const [claim] = readChainpoint(asText(found?.receipt)).claims
    expect([claim?.type, claim?.id]).toEqual(['btc', '434172'])
    const header = mineHeader(claim?.value ?? new Uint8Array())
    const report = await verifyChainpoint({ proof: asText(found?.receipt) }, inBlock(434_172, header))
    expect(statuses(report).slice(2)).toEqual(['path passed', 'attestation passed', 'block_header passed'])
  })
})
