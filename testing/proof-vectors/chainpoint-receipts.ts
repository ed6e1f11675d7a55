import { createHash } from 'node:crypto'

/** Receipts of Chainpoint 2 made here: right ones of every tree, and ones with exactly one thing wrong. */
export type OwnReceipt = { readonly name: string; readonly receipt: object; readonly isValid: boolean }

const context = 'https://w3id.org/chainpoint/v2'
const hash = (name: string, ...parts: readonly Buffer[]): Buffer => createHash(name).update(Buffer.concat(parts)).digest()
const txid = 'ab'.repeat(32)
const opReturn = { type: 'BTCOpReturn', sourceId: txid }

const trees = {
  SHA224: 'sha224',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
  'SHA3-224': 'sha3-224',
  'SHA3-256': 'sha3-256',
  'SHA3-384': 'sha3-384',
  'SHA3-512': 'sha3-512',
} as const

function receiptOf(tree: keyof typeof trees, change: object = {}): object {
  const name = trees[tree]
  const [target, left, right] = ['target', 'left', 'right'].map((text) => hash(name, Buffer.from(text))) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const root = hash(name, hash(name, left, target), right)
  return {
    '@context': context,
    type: `Chainpoint${tree}v2`,
    targetHash: target.toString('hex'),
    merkleRoot: root.toString('hex'),
    proof: [{ left: left.toString('hex') }, { right: right.toString('hex') }],
    anchors: [opReturn],
    ...change,
  }
}

/** A transaction that carries `root`, with nothing else that matters: one input, one output. */
const carrier = (root: string): string => `0100000001${'11'.repeat(32)}0000000000ffffffff010000000000000000226a20${root}00000000`
const target = hash('sha256', Buffer.from('target')).toString('hex')
const inBlock = { type: 'BTCBlockHeader', sourceId: 5, tx: carrier(target), blockProof: [{ left: '22'.repeat(32) }] }
const alone = { targetHash: target, merkleRoot: target, proof: [] }
const listOf = (change: object): object => ({
  '@context': context,
  type: 'ChainpointOpListv2',
  targetHash: target,
  operations: [{ left: 'cd' }, { op: 'sha-256' }, { anchors: [opReturn] }],
  ...change,
})

const wrong: readonly (readonly [name: string, change: object])[] = [
  ['version 35', { type: 'ChainpointSHA256v35' }],
  ['no hash', { type: 'Chainpointv2' }],
  ['unknown hash', { type: 'ChainpointSHA2048v2' }],
  ['no target', { targetHash: undefined }],
  ['target of no digits', { targetHash: 'target' }],
  ['target of another length', { targetHash: 'ab'.repeat(28) }],
  ['no root', { merkleRoot: undefined }],
  ['root of no digits', { merkleRoot: 'root' }],
  ['another root', { merkleRoot: 'ab'.repeat(32) }],
  ['no proof', { proof: undefined }],
  ['proof that is a text', { proof: 'proof' }],
  ['proof that is an object', { proof: {} }],
  ['a step that is nothing', { proof: [null] }],
  ['a step without a side', { proof: [{}] }],
  ['a step of no digits', { proof: [{ left: 'left' }] }],
  ['a step of another length', { proof: [{ left: 'abcd' }] }],
  ['another step', { proof: [{ left: 'ab'.repeat(32) }] }],
  ['no anchors', { anchors: undefined }],
  ['anchors that are a text', { anchors: 'anchors' }],
  ['anchors that are an object', { anchors: {} }],
  ['empty anchors', { anchors: [] }],
  ['an anchor that is nothing', { anchors: [null] }],
  ['an anchor without type', { anchors: [{ sourceId: txid }] }],
  ['an anchor of another type', { anchors: [{ type: 'Other', sourceId: txid }] }],
  ['an anchor without source', { anchors: [{ type: 'BTCOpReturn' }] }],
  ['a source that is no identifier', { anchors: [{ type: 'BTCOpReturn', sourceId: 'id' }] }],
  ['a source of Ethereum that is none', { anchors: [{ type: 'ETHData', sourceId: {} }] }],
  ['a block that is no number', { ...alone, anchors: [{ ...inBlock, sourceId: 'block' }] }],
  ['a block without transaction', { ...alone, anchors: [{ ...inBlock, tx: undefined }] }],
  ['a block with no transaction', { ...alone, anchors: [{ ...inBlock, tx: 'ff' }] }],
  ['a transaction that carries another root', { ...alone, anchors: [{ ...inBlock, tx: carrier('33'.repeat(32)) }] }],
  ['a block without its proof', { ...alone, anchors: [{ ...inBlock, blockProof: undefined }] }],
  ['a block with an empty proof', { ...alone, anchors: [{ ...inBlock, blockProof: [] }] }],
  ['a block with a step of another length', { ...alone, anchors: [{ ...inBlock, blockProof: [{ left: 'ab' }] }] }],
]

const wrongLists: readonly (readonly [name: string, change: object])[] = [
  ['no target', { targetHash: undefined }],
  ['no operations', { operations: undefined }],
  ['operations that are a text', { operations: 'operations' }],
  ['empty operations', { operations: [] }],
  ['an operation that is nothing', { operations: [null, { anchors: [opReturn] }] }],
  ['an unknown operation', { operations: [{ op: 'md5' }, { anchors: [opReturn] }] }],
  ['an operand that is a text', { operations: [{ left: 'text' }, { anchors: [opReturn] }] }],
  ['no anchors', { operations: [{ op: 'sha-256' }] }],
  ['empty anchors', { operations: [{ anchors: [] }] }],
  ['an anchor that is no identifier', { operations: [{ anchors: [{ type: 'BTCOpReturn', sourceId: 'id' }] }] }],
  ['a block that is no number', { operations: [{ anchors: [{ type: 'BTCBlockHeader', sourceId: 'block' }] }] }],
]

export const chainpointReceipts: readonly OwnReceipt[] = [
  ...(Object.keys(trees) as (keyof typeof trees)[]).map((tree) => ({ name: tree, receipt: receiptOf(tree), isValid: true })),
  { name: 'of Ethereum', receipt: receiptOf('SHA256', { anchors: [{ type: 'ETHData', sourceId: txid }] }), isValid: true },
  { name: 'without steps', receipt: receiptOf('SHA256', alone), isValid: true },
  { name: 'in a block', receipt: receiptOf('SHA256', { ...alone, anchors: [inBlock] }), isValid: true },
  { name: 'a list of operations', receipt: listOf({}), isValid: true },
  ...wrong.map(([name, change]) => ({ name, receipt: receiptOf('SHA256', change), isValid: false })),
  ...wrongLists.map(([name, change]) => ({ name: `a list with ${name}`, receipt: listOf(change), isValid: false })),
]

/** Of version 1, which is named and not verified. */
export const firstReceipts: readonly object[] = ['1.0', '1.1'].map((version) => ({
  header: { chainpoint_version: version, hash_type: 'SHA-256', merkle_root: target, tx_id: txid, timestamp: 1_445_033_433 },
  target: { target_hash: target, target_proof: [] },
}))
