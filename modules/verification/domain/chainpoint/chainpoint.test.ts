import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { deflateSync, inflateSync } from 'node:zlib'
import { assert as always, constantFrom, integer, nat, property } from '../../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { proof as ots } from '../../../../testing/proof-vectors/anchored-file.ts'
import { chainpointDigest, chainpointHeight, chainpointProofs } from '../../../../testing/proof-vectors/chainpoint-proofs.ts'
import { chainpointReceipts, firstReceipts } from '../../../../testing/proof-vectors/chainpoint-receipts.ts'
import { proofWords as english } from '../../messages/proof-words.en.ts'
import { proofWords as french } from '../../messages/proof-words.fr.ts'
import { displayed } from '../bitcoin/block-header.ts'
import { blockPath } from '../opentimestamps/block-path.ts'
import { MalformedError } from '../encoding/der.ts'
import { applyOperation } from '../opentimestamps/operation.ts'
import type { Operation } from '../opentimestamps/operation.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { jsonBounds, readBoundedJson } from '../encoding/bounded-json.ts'
import { readBinary } from './read-binary.ts'
import { readChainpoint } from './read-chainpoint.ts'
import { chainpointChecks, chainpointFacts, chainpointReasons, verifyChainpoint } from './verify-chainpoint.ts'
import { verifyPastedProof } from '../proof/verify-pasted-proof.ts'
import { buildChainpoint } from './write-chainpoint.ts'
import { share } from '../../../../testing/sweep.ts'

process.env['NODE_BACKEND'] = 'js'
const require = createRequire(import.meta.url)
type PeerAnchor = { readonly type: string; readonly anchor_id: string; readonly expected_value: string }
type PeerBranch = {
  readonly anchors: readonly PeerAnchor[]
  readonly branches?: readonly PeerBranch[]
  readonly btcTxId?: string
  readonly opReturnValue?: string
}
const peer = require('chainpoint-parse') as {
  parse(proof: unknown): { readonly hash: string; readonly branches: readonly PeerBranch[] }
}
const schema = require('chainpoint-proof-json-schema') as { validate(proof: unknown): { readonly valid: boolean } }
const binary = require('chainpoint-binary') as { objectToBinarySync(proof: unknown): Buffer }
const { MTX, Block, MerkleBlock } = require('bcoin') as {
  MTX: new () => { addInput(input: object): void; addOutput(output: object): void; toTX(): PeerTx }
  Block: new () => { txs: PeerTx[]; merkleRoot: string; bits: number; createMerkleRoot(form: 'hex'): string }
  MerkleBlock: { fromHashes(block: object, hashes: readonly Buffer[]): { toRaw(): Buffer } }
}
type PeerTx = { hash(): Buffer; txid(): string; toRaw(): Buffer }

/** Samples that Chainpoint published (vectors/SOURCES.md), and proofs of our own. */
const samples = ['v3-ethereum', 'v4-testnet', 'v4-of-binary', 'v5'] as const
const proofs: Readonly<Record<string, string>> = {
  ...chainpointProofs,
  ...Object.fromEntries(
    samples.map((name) => [name, readFileSync(new URL(`./vectors/${name}.chp.json`, import.meta.url), 'utf8')]),
  ),
}
const text = (name: string): string => proofs[name] ?? ''
const own = chainpointProofs['version 3']
/** The binary form: MessagePack, deflated. The peer writes it for versions 4 and 5 alone. */
const msgpack = createRequire(require.resolve('chainpoint-binary'))('msgpack-lite') as { encode(value: unknown): Buffer }
const packed = new Uint8Array(deflateSync(msgpack.encode(JSON.parse(own))))
const now = () => new Date('2026-06-01T00:00:00Z')
const alone: VerifyDeps = { now }
const regtest = (...headers: readonly (readonly [number, Uint8Array])[]): VerifyDeps => ({
  now,
  network: 'regtest',
  headers: (height) =>
    Promise.resolve(headers.flatMap(([at, header]) => (at === height ? [{ height, header, source: 'given' }] : []))),
})
const statuses = (report: ProofReport) =>
  report.checks.map(({ id, status, data }) => [id, status, data['reason'] ?? ''].join(' ').trim())
const failures = (report: ProofReport) =>
  report.checks.flatMap(({ id, status, data }) => (status === 'failed' ? [[id, data['reason']]] : []))
const anchorsOf = (branches: readonly PeerBranch[]): PeerAnchor[] =>
  branches.flatMap((branch) => [...branch.anchors, ...anchorsOf(branch.branches ?? [])])

/** The peer reads contexts of version 4 and 5 alone; what it computes does not depend on it. */
function asFour(proof: Record<string, unknown>): Record<string, unknown> {
  const { hash, branches } = proof
  const ids = { proof_id: '66a34bd0-f4e7-11e7-a52b-016a36a9d789', hash_received: '2018-01-09T02:47:15Z' }
  return { '@context': 'https://w3id.org/chainpoint/v4', type: 'Chainpoint', hash, ...ids, branches }
}

describe('the proofs of others', () => {
  test.each(Object.keys(proofs))(
    '%s: every anchor has the value that chainpoint-parse computes, reversed for Bitcoin alone',
    (name) => {
      const own = readChainpoint(text(name))
      const theirs = peer.parse(asFour(JSON.parse(text(name)) as Record<string, unknown>))
      expect(toHex(own.hash)).toBe(theirs.hash)
      const values = own.claims.map(({ type, id, value }) => ({
        type,
        anchor_id: id,
        expected_value: type === 'btc' || type === 'tbtc' ? displayed(value) : toHex(value),
      }))
      const computed = anchorsOf(theirs.branches).map(({ type, anchor_id, expected_value }) => ({
        type,
        anchor_id,
        expected_value,
      }))
      // The peer starts a branch where its elder sister ended; the standard starts both from their parent. One sample has sisters.
      const sisters = name === 'v3-ethereum' ? 1 : 0
      expect(values.slice(0, values.length - sisters)).toEqual(computed.slice(0, computed.length - sisters))
      expect(values.length).toBe(computed.length)
    },
  )

  test('version 3, packed: the binary form says what its JSON says', () => {
    expect(readChainpoint(packed)).toEqual(readChainpoint(own))
  })

  test.each(Object.keys(proofs).filter((name) => /^v(?:ersion )?[45]/.test(name)))('%s as chainpoint-binary packs it', (name) => {
    const theirs = binary.objectToBinarySync(JSON.parse(text(name)))
    expect(readChainpoint(new Uint8Array(theirs))).toEqual(readChainpoint(text(name)))
  })

  test('calendars are promises, test networks and Ethereum are named, and a block asks for its header', async () => {
    const of = async (name: string) => statuses(await verifyChainpoint({ proof: text(name) }, alone))
    expect(await of('version 3')).toEqual([
      'format passed',
      'digest indeterminate nothing_given',
      'attestation indeterminate cal',
      'attestation indeterminate no_header',
      'block_header indeterminate no_header',
    ])
    expect((await of('version 3, test network')).slice(2)).toEqual([
      'attestation indeterminate tcal',
      'attestation indeterminate tbtc',
    ])
    expect((await of('v3-ethereum')).slice(2, 4)).toEqual(['attestation indeterminate cal', 'attestation indeterminate eth'])
  })

  test('a block whose root the proof leads to dates it; what the proof says of its own date is not believed', async () => {
    const proof = own
    const claim = readChainpoint(proof).claims.find(({ type }) => type === 'btc')
    const header = mineHeader(claim?.value ?? new Uint8Array(32), { at: 1_515_470_000 })
    const digest = chainpointDigest.toUpperCase()
    const report = await verifyChainpoint({ proof, digest }, regtest([chainpointHeight, header]))
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(report.dates).toEqual([
      { kind: 'bitcoin', at: '2018-01-09T03:53:20.000Z', by: 'Bitcoin regtest #503275', rests_on: ['bitcoin', 'given'] },
    ])
    expect(report.facts).toContainEqual({ id: 'calendar', value: 'a.example', form: 'text' })
    const steps = report.checks.find(({ id, status }) => id === 'attestation' && status === 'passed')?.steps ?? []
    expect(steps[0]).toMatchObject({ operation: 'prepend', input_bytes: 32 })
    expect(steps.at(-1)?.output).toBe(toHex(claim?.value ?? new Uint8Array()))
    expect(await verifyChainpoint({ proof, digest }, { ...regtest([chainpointHeight, header]), network: 'main' })).toMatchObject({
      verdict: 'TOTAL-FAILED',
      dates: [],
    })
  })
})

describe('receipts of versions 1 and 2', () => {
  test.each(chainpointReceipts)('version 2, $name: $isValid', async ({ receipt, isValid }) => {
    const report = await verifyChainpoint({ proof: JSON.stringify(receipt) }, alone)
    // One that does not say that it is a receipt is none.
    expect(isValid ? ['INDETERMINATE'] : ['TOTAL-FAILED', null]).toContain(report.verdict)
  })

  test('version 1 is said to be unsupported by its name', async () => {
    for (const receipt of firstReceipts) {
      const report = await verifyChainpoint({ proof: JSON.stringify(receipt) }, alone)
      expect([report.verdict, statuses(report)]).toEqual(['INDETERMINATE', ['format indeterminate version_1']])
    }
  })

  test('a receipt that holds its transaction and block leads to the root of that block', async () => {
    const { raw, txs, header } = anchored(hash)
    const [first, , last] = txs.map((tx) => tx.hash())
    const twice = (bytes: Uint8Array) => applyOperation({ op: 'sha256' }, applyOperation({ op: 'sha256' }, bytes))
    const right = toHex(twice(Buffer.concat([last ?? hash, last ?? hash])))
    const proof = JSON.stringify({
      '@context': 'https://w3id.org/chainpoint/v2',
      type: 'ChainpointSHA256v2',
      targetHash: hash.toString('hex'),
      merkleRoot: hash.toString('hex'),
      proof: [],
      anchors: [{ type: 'BTCBlockHeader', sourceId: 9, tx: raw, blockProof: [{ left: first?.toString('hex') }, { right }] }],
    })
    const report = await verifyChainpoint({ proof }, regtest([9, header]))
    expect(statuses(report)).toEqual([
      'format passed',
      'digest indeterminate nothing_given',
      'path passed',
      'attestation passed',
      'block_header passed',
    ])
  })

  const hash = Buffer.alloc(32, 4)
  /** A block of three transactions, the second with `carried` in OP_RETURN, and a receipt over it. */
  function anchored(carried: Buffer) {
    const txs = Array.from({ length: 3 }, (_, i) => {
      const tx = new MTX()
      tx.addInput({ prevout: { hash: Buffer.alloc(32, i + 1).toString('hex'), index: 0 }, script: Buffer.alloc(0) })
      tx.addOutput({
        value: 0,
        script: i === 1 ? Buffer.concat([Buffer.from('6a20', 'hex'), carried]) : Buffer.from('51', 'hex'),
      })
      return tx.toTX()
    })
    const block = new Block()
    block.txs = txs
    block.merkleRoot = block.createMerkleRoot('hex')
    const tx = txs[1] as PeerTx
    const proof = MerkleBlock.fromHashes(block, [tx.hash()]).toRaw()
    const header = mineHeader(fromHex(block.merkleRoot))
    header.copy(proof)
    const receipt = {
      '@context': 'https://w3id.org/chainpoint/v2',
      type: 'ChainpointSHA256v2',
      targetHash: hash.toString('hex'),
      merkleRoot: hash.toString('hex'),
      proof: [],
      anchors: [{ type: 'BTCOpReturn', sourceId: tx.txid() }],
    }
    return {
      proof: JSON.stringify(receipt),
      raw: tx.toRaw().toString('hex'),
      block: proof.toString('hex'),
      header,
      txs,
      carrier: block,
    }
  }

  test('with the transaction and the proof of its block, an OP_RETURN receipt is dated', async () => {
    const { proof, raw, block, header } = anchored(hash)
    const digest = hash.toString('hex')
    const asked = await verifyChainpoint({ proof, digest }, alone)
    expect(statuses(asked).slice(3)).toEqual(['attestation indeterminate no_transaction'])
    expect(asked.checks[3]?.repeat_command).toMatch(/^bitcoin-cli getrawtransaction [0-9a-f]{64} true$/)
    const carried = await verifyChainpoint({ proof, digest, transactions: [{ raw }] }, alone)
    expect(statuses(carried).slice(3)).toEqual(['attestation indeterminate no_block'])
    const whole = await verifyChainpoint({ proof, digest, transactions: [{ raw, proof: block, height: 9 }] }, regtest())
    expect([whole.verdict, whole.dates.length]).toEqual(['TOTAL-PASSED', 1])
    const agreed = await verifyChainpoint(
      { proof, digest, transactions: [{ raw, proof: block, height: 9 }] },
      regtest([9, header]),
    )
    expect(agreed.verdict).toBe('TOTAL-PASSED')
  })

  test('a transaction that carries something else, or of another block, fails by name', async () => {
    const { proof, raw, block, txs, carrier } = anchored(hash)
    const other = anchored(Buffer.alloc(32, 5))
    const renamed = proof.replace(/"sourceId":"[0-9a-f]+"/, other.proof.match(/"sourceId":"[0-9a-f]+"/)?.[0] ?? '')
    const verify = async (of: string, ...transactions: { raw: string; proof?: string; height?: number }[]) =>
      failures(await verifyChainpoint({ proof: of, transactions }, regtest()))
    expect(await verify(renamed, { raw: other.raw })).toEqual([['attestation', 'not_in_transaction']])
    expect(await verify(proof, { raw, proof: 'ff', height: 9 })).toEqual([['attestation', 'transaction_proof']])
    const elsewhere = MerkleBlock.fromHashes(carrier, [(txs[2] as PeerTx).hash()])
      .toRaw()
      .toString('hex')
    expect(await verify(proof, { raw, proof: elsewhere, height: 9 })).toEqual([['attestation', 'other_block']])
    const moved = block.replace(fromHexText(block), fromHexText(mineHeader(Buffer.alloc(32, 1)).toString('hex')))
    expect(await verify(proof, { raw, proof: moved, height: 9 })).toEqual([['attestation', 'merkle_root']])
    const unread = await verifyChainpoint({ proof, transactions: [{ raw: 'zz' }] }, alone)
    expect(statuses(unread).at(-1)).toBe('attestation indeterminate transaction')
  })
  const fromHexText = (hex: string): string => hex.slice(0, 160)
})

const proofOf = (members: object): string =>
  JSON.stringify({ '@context': 'https://w3id.org/chainpoint/v3', type: 'Chainpoint', hash: 'ab'.repeat(32), ...members })
const branchesOf = (...ops: readonly object[]): string => proofOf({ branches: [{ ops }] })
const btc = { anchors: [{ type: 'btc', anchor_id: '5' }] }
const nested = (depth: number): string =>
  proofOf({ branches: Array.from({ length: depth }).reduce<object[]>((below) => [{ ops: [btc], branches: below }], []) })

describe('bounds', () => {
  const reasonOf = (proof: string | Uint8Array): string => {
    try {
      readChainpoint(proof)
      return 'read'
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      return error.message
    }
  }
  test.each<[string, string | Uint8Array]>([
    ['read', branchesOf({ op: 'sha-256' }, btc)],
    ['not_json', '{"@context":'],
    ['not_json', ''],
    ['not_chainpoint', '[]'],
    ['not_chainpoint', '{}'],
    ['not_chainpoint', proofOf({ '@context': 'https://w3id.org/other/v3' })],
    ['not_chainpoint', proofOf({ type: 'Other' })],
    ['version', proofOf({ '@context': 'https://w3id.org/chainpoint/v6' })],
    ['version_1', '{"header":{"chainpoint_version":"1.1"}}'],
    ['hash', proofOf({ hash: 'xy', branches: [] })],
    ['hash', proofOf({ hash: 'ab'.repeat(65), branches: [] })],
    ['branches', proofOf({ branches: {} })],
    ['branches', proofOf({ branches: [{ ops: 'x' }] })],
    ['anchor', proofOf({ branches: [] })],
    ['anchor', branchesOf({ anchors: [{ type: 'btc' }] })],
    ['operation', branchesOf({ op: 'md5' }, btc)],
    ['operation', branchesOf({ op: 'toString' }, btc)],
    ['operation', branchesOf({ l: '' }, btc)],
    ['operation', branchesOf({ l: 'a'.repeat(20_000) }, btc)],
    ['message_length', branchesOf(...Array.from({ length: 20 }, () => ({ r: 'ab'.repeat(512) })), btc)],
    ['too_many', branchesOf(...Array.from({ length: 4097 }, () => ({ op: 'sha-256' })), btc)],
    ['too_many', branchesOf(...Array.from({ length: 65 }, () => btc))],
    ['too_large', 'x'.repeat(jsonBounds.characters + 1)],
    ['too_large', new Uint8Array(jsonBounds.characters + 1)],
    ['too_large', `[${'1,'.repeat(jsonBounds.values + 1)}1]`],
    ['too_deep', '['.repeat(500_000)],
    ['too_deep', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`],
    ['too_deep', nested(40)],
    ['read', nested(20)],
    ['not_json', `"${'['.repeat(500_000)}`],
    ['binary', Uint8Array.of(0x78, 0x9c, 1, 2, 3)],
    ['binary', new Uint8Array(deflateSync(Buffer.alloc(8 << 20)))],
    ['binary', new Uint8Array(deflateSync(Buffer.from('c1', 'hex')))],
    ['too_deep', new Uint8Array(deflateSync(Buffer.alloc(5000, 0x91)))],
    ['not_chainpoint', new Uint8Array(deflateSync(Buffer.from('80', 'hex')))],
  ])('%s', (reason, proof) => {
    expect(reasonOf(proof)).toBe(reason)
  })

  test('MessagePack: every form that a peer writes, and nothing after the end', () => {
    const value = {
      text: 'é'.repeat(40),
      long: 'x'.repeat(70_000),
      list: Array.from({ length: 20 }, (_, i) => i * 100),
      none: null,
      yes: true,
      big: 70_000,
      small: -3,
    }
    const written = deflateSync(msgpack.encode({ ...value, small: 3 }))
    expect(readBinary(new Uint8Array(written))).toEqual({ ...value, small: 3 })
    expect(() => readBinary(new Uint8Array(deflateSync(Buffer.concat([inflateSync(written), Buffer.alloc(1)]))))).toThrow(
      MalformedError,
    )
    const damaged = new Uint8Array(written)
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
    expect(() => readBinary(damaged)).toThrow(MalformedError)
  })

  test('brackets in texts count for nothing', () => {
    expect(readBoundedJson('{"a":"[[\\"[{","b":[1]}')).toEqual({ a: '[["[{', b: [1] })
  })
})

describe('writing', () => {
  const received = new Date('2026-01-02T03:04:05.678Z')
  const height = 912_095
  const digest = applyOperation({ op: 'sha256' }, utf8('what is anchored'))
  const salted: Operation[] = [{ op: 'append', data: utf8('salt') }, { op: 'sha256' }]
  const carried = new MTX()
  carried.addInput({ prevout: { hash: '11'.repeat(32), index: 1 }, script: Buffer.alloc(0) })
  const salt = salted.reduce((message, operation) => applyOperation(operation, message), digest)
  carried.addOutput({ value: 0, script: Buffer.concat([Buffer.from('6a20', 'hex'), salt]) })
  const branch = [7, 8, 9].map((octet) => ({
    side: octet === 8 ? ('left' as const) : ('right' as const),
    hash: new Uint8Array(32).fill(octet),
  }))
  const operations: Operation[] = [...salted, ...blockPath({ commitment: salt, transaction: carried.toTX().toRaw(), branch })]
  const way = { message: operations.reduce((message, operation) => applyOperation(operation, message), digest) }
  const source = { hash: digest, operations, height, receivedAt: received }

  test('version 4: by the schema of the peer, and with the value that it computes', () => {
    const proof = JSON.parse(buildChainpoint(4, { ...source, uris: ['https://a.example/block/912095'] })) as Record<
      string,
      unknown
    >
    expect(schema.validate(proof).valid).toBe(true)
    expect(anchorsOf(peer.parse(proof).branches)).toEqual([
      {
        type: 'btc',
        anchor_id: String(height),
        uris: ['https://a.example/block/912095'],
        expected_value: displayed(way.message),
      },
    ])
    expect(proof['proof_id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(proof['hash_received']).toBe('2026-01-02T03:04:05Z')
  })

  test('version 3: the members of the samples, and what it leads to', async () => {
    const written = buildChainpoint(3, source)
    const proof = JSON.parse(written) as Record<string, unknown>
    const sample = JSON.parse(own) as Record<string, unknown>
    expect(Object.keys(proof)).toEqual(Object.keys(sample))
    expect(anchorsOf(peer.parse(asFour(proof)).branches)[0]?.expected_value).toBe(displayed(way.message))
    const report = await verifyChainpoint(
      { proof: written, digest: toHex(source.hash) },
      regtest([height, mineHeader(way.message)]),
    )
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(buildChainpoint(3, source)).toBe(written)
  })

  test('an own transaction is named by its label as the peer reads it: commitment and txid', () => {
    const commitment = applyOperation({ op: 'sha256' }, utf8('what is anchored'))
    const tx = new MTX()
    tx.addInput({ prevout: { hash: '11'.repeat(32), index: 1 }, script: Buffer.alloc(0) })
    tx.addOutput({ value: 0, script: Buffer.concat([Buffer.from('6a20', 'hex'), commitment]) })
    tx.addOutput({ value: 9, script: Buffer.from(`0014${'cd'.repeat(20)}`, 'hex') })
    const made = tx.toTX()
    const sibling = { side: 'right' as const, hash: new Uint8Array(32).fill(8) }
    const operations: Operation[] = [
      { op: 'prepend', data: utf8('what is ') },
      { op: 'sha256' },
      ...blockPath({ commitment, transaction: made.toRaw(), branch: [sibling] }),
    ]
    const proof = JSON.parse(buildChainpoint(4, { ...source, hash: utf8('anchored'.padEnd(8)), operations })) as Record<
      string,
      unknown
    >
    const branch = peer.parse({ ...proof, hash: toHex(utf8('anchored')).padEnd(40, '0') }).branches[0]
    expect(branch?.opReturnValue).toHaveLength(64)
    const padded = Buffer.from(toHex(utf8('anchored')).padEnd(40, '0'), 'hex')
    expect(branch?.opReturnValue).toBe(toHex(applyOperation({ op: 'sha256' }, Buffer.concat([utf8('what is '), padded]))))
  })

  test('long operands are cut as the schema asks, from the right end', () => {
    const long = Uint8Array.from({ length: 700 }, (_, i) => i % 251)
    const operations: Operation[] = [{ op: 'prepend', data: long }, { op: 'append', data: long }, { op: 'sha256' }]
    const proof = JSON.parse(buildChainpoint(4, { ...source, operations })) as Record<string, unknown>
    expect(schema.validate(proof).valid).toBe(true)
    const root = operations.reduce((message, operation) => applyOperation(operation, message), source.hash)
    expect(anchorsOf(peer.parse(proof).branches)[0]?.expected_value).toBe(displayed(root))
    expect(() => buildChainpoint(4, { ...source, operations: [{ op: 'ripemd160' }] })).toThrow(RangeError)
  })
})

describe('what is pasted', () => {
  const pasted = Buffer.from(ots)
  test.each([
    ['chainpoint', own],
    ['chainpoint', ` \n${own}\n`],
    ['chainpoint', Buffer.from(packed).toString('base64')],
    ['chainpoint', Buffer.from(packed).toString('hex')],
    ['opentimestamps', pasted.toString('base64')],
    ['opentimestamps', pasted.toString('hex').toUpperCase()],
    ['opentimestamps', pasted.toString('base64').replaceAll(/(.{60})/g, '$1\r\n')],
  ])('C-69 V-38: the report says that it is %s', async (kind, proof) => {
    const report = await verifyPastedProof({ proof }, alone)
    expect([report.kind, report.verdict, report.unusable]).toEqual([kind, 'INDETERMINATE', false])
  })
  test('C-69: what is neither is unusable', async () => {
    const report = await verifyPastedProof({ proof: 'hello' }, alone)
    expect([report.kind, report.verdict, report.unusable]).toEqual(['chainpoint', null, true])
  })
})

describe('hostile proofs', () => {
  const digest = 'ab'.repeat(32)
  const root = applyOperation({ op: 'sha256' }, fromHex(digest))
  const good = branchesOf({ op: 'sha-256' }, btc)
  const receipt = chainpointReceipts.find(({ name }) => name === 'SHA256')?.receipt as object
  test('as it is, it holds', async () => {
    expect((await verifyChainpoint({ proof: good, digest }, regtest([5, mineHeader(root)]))).verdict).toBe('TOTAL-PASSED')
  })
  test('the value of a block that is not reversed, as a calendar’s is, fails', async () => {
    const [claim] = readChainpoint(good).claims
    expect(displayed(claim?.value ?? new Uint8Array())).not.toBe(toHex(root))
    const report = await verifyChainpoint({ proof: good, digest }, regtest([5, mineHeader(root.toReversed())]))
    expect(report.checks.find(({ id }) => id === 'attestation')?.data).toMatchObject({
      root: displayed(root),
      actual: toHex(root),
    })
  })

  test(`${share(10_000)} altered proofs, JSON and binary: named reasons, and never passed unless they say the same`, async () => {
    const seeds = [
      utf8(own),
      packed,
      new Uint8Array(binary.objectToBinarySync(JSON.parse(text('version 4')))),
      utf8(good),
      utf8(JSON.stringify(receipt)),
    ]
    // In another block, of which nothing is known: few draws hit on that.
    const inputs: Uint8Array[] = [utf8(branchesOf({ op: 'sha-256' }, { anchors: [{ type: 'btc', anchor_id: '6' }] }))]
    always(
      property(constantFrom(...seeds), nat(), integer({ min: 1, max: 255 }), nat(), (seed, at, flip, cut) => {
        const bytes = seed.slice(0, cut % 7 === 0 ? cut % seed.length : seed.length)
        if (bytes.length > 0) bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip
        inputs.push(bytes)
      }),
      { numRuns: share(10_000) },
    )
    const verdicts = new Set<string | null>()
    const same = JSON.stringify(readChainpoint(good).claims.map(({ value }) => toHex(value)))
    const wrong: string[] = []
    for (const proof of inputs) {
      const report = await verifyChainpoint({ proof, digest }, regtest([5, mineHeader(root)]))
      verdicts.add(report.verdict)
      const named = report.checks.every(({ id, status, data }) => {
        const isKnown = chainpointChecks.some((known) => known === id)
        return isKnown && (status === 'passed' || chainpointReasons.some((reason) => reason === data['reason']))
      })
      const passed = report.verdict === 'TOTAL-PASSED'
      if (!named || (passed && JSON.stringify(readChainpoint(proof).claims.map(({ value }) => toHex(value))) !== same))
        wrong.push(toHex(proof))
    }
    expect(wrong).toEqual([])
    expect(verdicts).toContain('TOTAL-FAILED')
    expect(verdicts).toContain('INDETERMINATE')
  })
})

test('every check, reason and fact has words in both languages, with the same values', () => {
  const base = 'verification.proof.chainpoint'
  const ids = [
    ...chainpointChecks.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((part) => `${base}.${id}.${part}`)),
    ...chainpointReasons.map((reason) => `${base}.reason.${reason}`),
    ...chainpointFacts.map((fact) => `${base}.fact.${fact}`),
  ]
  const own = (words: Readonly<Record<string, string>>) => Object.keys(words).filter((id) => id.startsWith(`${base}.`))
  expect(new Set(own(english))).toEqual(new Set(ids))
  expect(own(french)).toEqual(own(english))
  const holes = (words = '') =>
    [...words.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name ?? '').toSorted((a, b) => (a < b ? -1 : 1))
  for (const id of ids) expect(holes(french[id]), id).toEqual(holes(english[id]))
})
