import { createRequire } from 'node:module'
import { assert as always, constantFrom, integer, nat, property } from '../../../../testing/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from '../../../../kernel/bytes.ts'
import { easyBits, mineHeader } from '../../../../testing/bitcoin/mine-header.ts'
import { MalformedError } from '../encoding/der.ts'
import { anchorDigestOf, logEntryOf } from '../log/commitment.ts'
import { leafHash, merkleRoot } from '../hash/merkle.ts'
import { applyOperation } from '../opentimestamps/operation.ts'
import type { Operation } from '../opentimestamps/operation.ts'
import { treeOf } from '../opentimestamps/tree.ts'
import { anchorCommitment, anchorPath, checkpointAnchorPath, inclusionOperations } from '../opentimestamps/anchor-path.ts'
import { displayed, meetsTarget, readBlockHeader, targetOf, workOf } from './block-header.ts'
import { blockPath, transactionOn } from '../opentimestamps/block-path.ts'
import { examineBlock } from './examine-block.ts'
import { checkpointHash, knownBits, knownUntil, plausibilityOf } from './known-chain.ts'
import { branchOf, branchRoot, readTransactionProof } from './merkle-branch.ts'
import { opReturns, readTransaction } from './transaction.ts'
import { share } from '../../../../testing/sweep.ts'

process.env['NODE_BACKEND'] = 'js'
const require = createRequire(import.meta.url)
type PeerTx = { hash(): Buffer; txid(): string; toRaw(): Buffer; toNormal(): Buffer }
type PeerBlock = { txs: PeerTx[]; merkleRoot: string; createMerkleRoot(form: 'hex'): string }
const { TX, MTX, Block, MerkleBlock } = require('bcoin') as {
  TX: { fromRaw(raw: Buffer): PeerTx }
  MTX: new () => { addInput(input: object): void; addOutput(output: object): void; toTX(): PeerTx }
  Block: new () => PeerBlock
  MerkleBlock: { fromHashes(block: PeerBlock, hashes: readonly Buffer[]): { toRaw(): Buffer } }
}
const { genesisBlock } = (require('bcoin/lib/protocol/networks') as { main: { genesisBlock: string } }).main

/** Public; SOURCES.md. */
const hello = fromHex(
  '02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb3802040000000000000000007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6',
)
const now = () => new Date('2026-06-01T00:00:00Z')
const run = (message: Uint8Array, operations: readonly Operation[]) =>
  operations.reduce((current, operation) => applyOperation(operation, current), message)

describe('block headers', () => {
  test('the genesis block: fields, hash and work, each in its byte order', () => {
    const bytes = fromHex(genesisBlock).subarray(0, 80)
    const header = readBlockHeader(bytes)
    expect(displayed(header.hash)).toBe('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')
    expect(displayed(header.merkleRoot)).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b')
    expect([header.version, header.time, header.bits, header.nonce]).toEqual([1, 1231006505, 0x1d00ffff, 2083236893])
    expect(meetsTarget(header)).toBe(true)
    expect(workOf(targetOf(header.bits) ?? 0n)).toBe(0x100010001n)
    const transaction = readTransaction(fromHex(genesisBlock).subarray(81))
    expect(toHex(transaction.txid)).toBe(toHex(header.merkleRoot))
  })

  test('block 358,391, which the OpenTimestamps example ends in', () => {
    const header = readBlockHeader(hello)
    expect(displayed(header.hash)).toBe('000000000000000003e892881a8cdcdc117c06d444057c98b6f04a9ee75a2319')
    expect(toHex(header.merkleRoot)).toBe('007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a')
    expect(new Date(header.time * 1000).toISOString()).toBe('2015-05-28T15:41:18.000Z')
    expect(knownBits(358_391)).toBe(header.bits)
    expect(plausibilityOf(358_391, header.bits, 'main')).toBe('as_known')
    expect(plausibilityOf(358_391 + 2016, header.bits, 'main')).toBe('implausible')
  })

  test.each([
    [
      100_000,
      '0100000050120119172a610421a6c3011dd330d9df07b63616c2cc1f1cd00200000000006657a9252aacd5c0b2940996ecff952228c3067cc38d4885efb5a4ac4247e9f337221b4d4c86041b0f2b5710',
      '000000000003ba27aa200b1cecaad478d2b00432346c3f1f3986da1afd33e506',
    ],
    [
      125_552,
      '0100000081cd02ab7e569e8bcd9317e2fe99f2de44d49ab2b8851ba4a308000000000000e320b6c2fffc8d750423db8b1eb942ae710e951ed797f7affc8892b0f1fc122bc7f5d74df2b9441a42a14695',
      '00000000000000001e8d6829a8a21adc5d38d0a473b144b6765798e61f98bd1d',
    ],
  ])('block %i, public too, names the difficulty that is bundled for its period', (height, hex, hash) => {
    const header = readBlockHeader(fromHex(hex))
    expect(displayed(header.hash)).toBe(hash)
    expect(meetsTarget(header)).toBe(true)
    expect(plausibilityOf(height, header.bits, 'main')).toBe('as_known')
  })

  test.each([
    [0x01003456, null],
    [0x01123456, 0x12n],
    [0x02008000, 0x80n],
    [0x05009234, 0x92340000n],
    [0x04923456, null],
    [0x04123456, 0x12345600n],
    [0x1d00ffff, 0xffffn << 208n],
    [0xff123456, null],
    [0, null],
  ])('the target that bits %i name is that of Bitcoin Core’s arith_uint256 tests', (bits, target) => {
    expect(targetOf(bits)).toBe(target)
  })

  test('difficulty past what is bundled: what one adjustment reaches, what years could, and what nothing could', () => {
    const last = knownBits(knownUntil) ?? 0
    const easier = (by: number) => last + (by << 24)
    expect(plausibilityOf(knownUntil + 1, last, 'main')).toBe('plausible')
    expect(plausibilityOf(knownUntil + 1, easier(1), 'main')).toBe('doubtful')
    expect(plausibilityOf(knownUntil + 1, easier(3), 'main')).toBe('implausible')
    expect(plausibilityOf(knownUntil + 1, easyBits, 'main')).toBe('implausible')
    expect(plausibilityOf(0, easyBits, 'regtest')).toBe('plausible')
    expect(checkpointHash(0)).toBe('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')
  })
})

describe('what is said of a header, by who gave it', () => {
  const from = (...given: readonly (readonly [Uint8Array, string])[]) => ({
    now,
    headers: (height: number) => Promise.resolve(given.map(([header, source]) => ({ height, header, source }))),
  })
  const outcome = async (height: number, deps: Parameters<typeof examineBlock>[1]) => {
    const { status, reason, sources, rests_on } = await examineBlock(height, deps)
    return { status, reason, sources, rests_on }
  }
  const forged = mineHeader(readBlockHeader(hello).merkleRoot)

  test('given by the reader, by explorers that agree, by a bundled hash', async () => {
    expect(await outcome(358_391, from([hello, 'given']))).toEqual({
      status: 'passed',
      reason: undefined,
      sources: ['given'],
      rests_on: ['bitcoin', 'given'],
    })
    expect((await outcome(358_391, from([hello, 'a.example'], [hello, 'b.example']))).rests_on).toEqual([
      'bitcoin',
      'header_source',
    ])
    const genesis = fromHex(genesisBlock).subarray(0, 80)
    expect(await outcome(0, from([genesis, 'a.example']))).toEqual({
      status: 'passed',
      reason: undefined,
      sources: ['a.example', 'checkpoint'],
      rests_on: ['bitcoin'],
    })
  })

  test.each([
    ['no_header', 'indeterminate', from()],
    ['no_header', 'indeterminate', { now, headers: () => Promise.reject(new Error('unreachable')) }],
    ['no_header', 'indeterminate', { now, headers: () => Promise.resolve([{ height: 1, header: hello, source: 'given' }]) }],
    ['sources_disagree', 'indeterminate', from([hello, 'a.example'], [forged, 'b.example'])],
  ] as const)('%s', async (reason, status, deps) => {
    expect(await outcome(358_391, deps)).toMatchObject({ status, reason })
  })

  test('a block publicly known to be another, and clocks', async () => {
    expect(await outcome(11_111, from([fromHex(genesisBlock).subarray(0, 80), 'given']))).toMatchObject({
      status: 'failed',
      reason: 'checkpoint',
    })
    const early = { ...from([hello, 'given']), now: () => new Date('2015-05-28T13:41:17Z') }
    expect(await outcome(358_391, early)).toMatchObject({ status: 'indeterminate', reason: 'in_future' })
    const inTime = { ...from([hello, 'given']), now: () => new Date('2015-05-28T13:41:18Z') }
    expect(await outcome(358_391, inTime)).toMatchObject({ status: 'passed' })
  })

  test('two sound headers of one height disagree; a test network is measured by its own rules when asked', async () => {
    const other = mineHeader(readBlockHeader(hello).merkleRoot, { at: 1_600_000_000 })
    const regtest = { ...from([forged, 'a.example'], [other, 'b.example']), network: 'regtest' as const }
    expect(await outcome(7, regtest)).toMatchObject({ status: 'indeterminate', reason: 'sources_disagree' })
    expect((await examineBlock(7, { ...from([forged, 'given']), network: 'regtest' })).status).toBe('passed')
    const worthless = mineHeader(readBlockHeader(hello).merkleRoot, { worthless: true })
    expect(await outcome(7, { ...from([worthless, 'given']), network: 'regtest' })).toMatchObject({ reason: 'no_work' })
  })
})

/** Transactions of a block as bcoin makes them, the first with a commitment in OP_RETURN. */
function blockWith(count: number, commitment: Buffer): PeerBlock {
  const block = new Block()
  block.txs = Array.from({ length: count }, (_, i) => {
    const tx = new MTX()
    tx.addInput({
      prevout: { hash: Buffer.alloc(32, i + 1).toString('hex'), index: i },
      script: Buffer.from('51', 'hex'),
      sequence: 0xfffffffd,
    })
    tx.addOutput({ value: 1000 + i, script: Buffer.from(`0014${'ab'.repeat(20)}`, 'hex') })
    if (i === count >> 1) tx.addOutput({ value: 0, script: Buffer.concat([Buffer.from('6a20', 'hex'), commitment]) })
    return tx.toTX()
  })
  block.merkleRoot = block.createMerkleRoot('hex')
  return block
}

/** BIP 143, "Native P2WPKH": signed, with witness. */
const segwit =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000'

describe('transactions and their blocks', () => {
  const commitment = Buffer.alloc(32, 7)

  test('a transaction with witness has the txid that bcoin computes, without it', () => {
    const peer = TX.fromRaw(Buffer.from(segwit, 'hex'))
    const own = readTransaction(fromHex(segwit))
    expect(displayed(own.txid)).toBe(peer.txid())
    expect(toHex(own.stripped)).toBe(peer.toNormal().toString('hex'))
    expect([own.inputs, own.outputs.length]).toEqual([2, 2])
  })

  test.each([1, 2, 3, 5, 8, 13])(
    'a block of %i transactions: branches, and the proof that a node gives, lead to its root',
    (count) => {
      const block = blockWith(count, commitment)
      const txids = block.txs.map((tx) => new Uint8Array(tx.hash()))
      for (const [i, txid] of txids.entries()) expect(toHex(branchRoot(txid, branchOf(txids, i)))).toBe(block.merkleRoot)
      const wanted = [...new Set([0, count >> 1, count - 1])]
      const raw = MerkleBlock.fromHashes(
        block,
        wanted.map((i) => (block.txs[i] as PeerTx).hash()),
      ).toRaw()
      const proof = readTransactionProof(raw)
      expect(proof.found.map(({ txid }) => toHex(txid))).toEqual(wanted.map((i) => toHex(txids[i] as Uint8Array)))
      for (const { txid, branch } of proof.found) expect(toHex(branchRoot(txid, branch))).toBe(block.merkleRoot)
      expect(toHex(readBlockHeader(proof.header).merkleRoot)).toBe(block.merkleRoot)
    },
  )

  test('from the commitment through the transaction to the root of its block', () => {
    const block = blockWith(6, commitment)
    const txids = block.txs.map((tx) => new Uint8Array(tx.hash()))
    const transaction = (block.txs[3] as PeerTx).toRaw()
    const path = blockPath({ commitment, transaction, branch: branchOf(txids, 3) })
    expect(toHex(run(commitment, path))).toBe(block.merkleRoot)
    expect(toHex(transactionOn(commitment, path)?.txid ?? new Uint8Array())).toBe(toHex(txids[3] as Uint8Array))
    expect(opReturns(readTransaction(transaction)).map(({ data }) => toHex(data))).toEqual([commitment.toString('hex')])
    expect(() => blockPath({ commitment: Buffer.alloc(32), transaction, branch: [] })).toThrow(RangeError)
  })

  test('OP_RETURN: one push and nothing more', () => {
    const scripts = ['6a0401020304', '6a4c0401020304', '6a', '6a04010203', '6a0401020304ff', '6a4c', '76a9', '6a4d040001020304']
    const tx = new MTX()
    tx.addInput({ prevout: { hash: '01'.repeat(32), index: 0 }, script: Buffer.alloc(0) })
    for (const script of scripts) tx.addOutput({ value: 0, script: Buffer.from(script, 'hex') })
    const found = opReturns(readTransaction(tx.toTX().toRaw()))
    expect(found.map(({ data }) => toHex(data))).toEqual(['01020304', '01020304'])
  })

  test(`${share(10_000)} altered transactions and block proofs: refused or read, never anything else`, () => {
    const block = blockWith(9, commitment)
    const seeds = [
      Buffer.from(segwit, 'hex'),
      MerkleBlock.fromHashes(block, [(block.txs[4] as PeerTx).hash()]).toRaw(),
      (block.txs[4] as PeerTx).toRaw(),
    ]
    const outcomes = { read: 0, refused: 0 }
    always(
      property(constantFrom(...seeds), nat(), integer({ min: 0, max: 255 }), nat(), (seed, at, octet, cut) => {
        const bytes = Uint8Array.from(seed.subarray(0, cut % 4 === 0 ? cut % seed.length : seed.length))
        if (bytes.length > 0) bytes[at % bytes.length] = octet
        for (const read of [readTransaction, readTransactionProof]) {
          try {
            read(bytes)
            outcomes.read += 1
          } catch (error) {
            if (!(error instanceof MalformedError)) throw error
            outcomes.refused += 1
          }
        }
      }),
      { numRuns: share(10_000) },
    )
    expect(outcomes.read).toBeGreaterThan(100)
    expect(outcomes.refused).toBeGreaterThan(100)
  })

  test('a proof of two equal halves is none (CVE-2012-2459), nor one that claims more transactions than fit', () => {
    const twin = new Uint8Array(32).fill(9)
    const proof = Buffer.concat([hello, Buffer.from('02000000', 'hex'), Buffer.from([2]), twin, twin, Buffer.from([1, 0b111])])
    expect(() => readTransactionProof(proof)).toThrow(MalformedError)
    const huge = Buffer.concat([hello, Buffer.from('ffffffff', 'hex'), Buffer.from([1]), twin, Buffer.from([1, 1])])
    expect(() => readTransactionProof(huge)).toThrow(MalformedError)
  })
})

describe('the path of an anchor', () => {
  /** RFC 9162 §2.1.3.1, as it is written there. */
  function pathOf(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
    if (leaves.length === 1) return []
    let half = 1
    while (half * 2 < leaves.length) half *= 2
    const [left, right] = [leaves.slice(0, half), leaves.slice(half)]
    return index < half ? [...pathOf(index, left), merkleRoot(right)] : [...pathOf(index - half, right), merkleRoot(left)]
  }
  const salt = new Uint8Array(32).fill(3)
  const note = utf8('log.example\n7\nroot\n')

  test('every leaf of trees of every size up to 33 leads to what is anchored', () => {
    for (let size = 1; size <= 33; size += 1) {
      const roots = Array.from({ length: size }, (_, i) => new Uint8Array(32).fill(i))
      const leaves = roots.map((root) => leafHash(logEntryOf(salt, root)))
      const rootHash = merkleRoot(leaves)
      const expected = toHex(anchorDigestOf(rootHash, note))
      const noteHash = run(note, [{ op: 'sha256' }])
      expect(toHex(anchorCommitment(rootHash, noteHash))).toBe(expected)
      expect(toHex(run(noteHash, checkpointAnchorPath(rootHash)))).toBe(expected)
      for (const [index, root] of roots.entries()) {
        const path = pathOf(index, leaves)
        expect(toHex(run(root, anchorPath({ salt, index, size, path, noteHash })))).toBe(expected)
      }
    }
  })

  test('a path of another length than the place asks for is refused; one of a great log fits the depth of a proof', () => {
    const sibling = new Uint8Array(32)
    expect(() => inclusionOperations(1, 1, [])).toThrow(RangeError)
    expect(() => inclusionOperations(0, 1, [sibling])).toThrow(RangeError)
    expect(() => inclusionOperations(0, 3, [sibling])).toThrow(RangeError)
    const size = 2 ** 40
    const path = anchorPath({ salt, index: 0, size, path: Array.from({ length: 40 }, () => sibling), noteHash: sibling })
    expect(path.length).toBeLessThan(140)
    expect(treeOf(sibling, path, [{ kind: 'bitcoin', height: 1 }]).branches.length).toBe(1)
  })
})
