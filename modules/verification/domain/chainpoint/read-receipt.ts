import { equalBytes, fromHex } from '../../../../kernel/bytes.ts'
import { readTransaction } from '../bitcoin/transaction.ts'
import { malformed } from '../encoding/der.ts'
import { isObject } from '../encoding/bounded-json.ts'
import type { JsonObject } from '../encoding/bounded-json.ts'
import { applyChainpoint, isHex } from './operation.ts'
import type { ChainpointHash, ChainpointOperation } from './operation.ts'
import { chainpointBounds, hashOf, operationOf } from './proof-model.ts'
import type { ChainpointClaim, ChainpointProof } from './proof-model.ts'

/** Receipt types of Chainpoint 2 with the hash of their tree and its length in octets; `OpList` is a list of operations. */
const trees: Readonly<Record<string, readonly [ChainpointHash, number]>> = {
  SHA224: ['sha-224', 28],
  SHA256: ['sha-256', 32],
  SHA384: ['sha-384', 48],
  SHA512: ['sha-512', 64],
  'SHA3-224': ['sha3-224', 28],
  'SHA3-256': ['sha3-256', 32],
  'SHA3-384': ['sha3-384', 48],
  'SHA3-512': ['sha3-512', 64],
}

/** A receipt of Chainpoint 2.x. @throws MalformedError as `readChainpoint`. */
export function readReceipt(value: JsonObject): ChainpointProof {
  const types = value['@type'] ?? value['type']
  // MerkleProof2017 of Blockcerts 2 is a receipt of SHA-256 by another name.
  if (isMerkleProof(types, '2017')) return readTree(value, 'SHA256')
  const type = types
  const named = typeof type === 'string' ? /^Chainpoint(.{1,16})v2$/.exec(type)?.[1] : undefined
  if (named === undefined) return malformed('not_chainpoint')
  if (named === 'OpList') return readOperationList(value)
  return Object.hasOwn(trees, named) ? readTree(value, named) : malformed('not_chainpoint')
}

export function isMerkleProof(types: unknown, year: '2017' | '2019'): boolean {
  return [types].flat().includes(`MerkleProof${year}`)
}

function readTree(value: JsonObject, named: string): ChainpointProof {
  const [op, length] = trees[named] as readonly [ChainpointHash, number]
  const sized = (hash: Uint8Array): Uint8Array => (hash.length === length ? hash : malformed('hash'))
  const hash = sized(hashOf(value['targetHash']))
  const root = sized(hashOf(value['merkleRoot']))
  const operations = pairs(value['proof'], op, length)
  const computed = operations.reduce((message, operation) => applyChainpoint(operation, message), hash)
  const claims = anchorsOf(value['anchors']).map((anchor): ChainpointClaim => {
    const claim = { uris: [], operations, value: computed }
    if (anchor.type !== 'block_header') return { ...claim, type: anchor.type, id: anchor.id }
    const through = throughTransaction(root, anchor.source)
    const message = through.reduce((current, operation) => applyChainpoint(operation, current), computed)
    return { ...claim, type: 'btc', id: anchor.id, operations: [...operations, ...through], value: message }
  })
  return { version: 2, hash, claims, root: { named: root, computed } }
}

/** Siblings, each hashed with what came before. */
function pairs(value: unknown, op: ChainpointHash, length: number): ChainpointOperation[] {
  if (!Array.isArray(value)) return malformed('branches')
  if (value.length * 2 > chainpointBounds.operations) return malformed('too_many')
  return value.flatMap((item: unknown): ChainpointOperation[] => {
    if (!isObject(item)) return malformed('operation')
    const left = item['left']
    const sibling = hashOf(left ?? item['right'])
    return sibling.length === length ? [{ op: left === undefined ? 'r' : 'l', data: sibling }, { op }] : malformed('operation')
  })
}

type ReceiptAnchor = {
  readonly type: 'op_return' | 'eth' | 'tbtc' | 'unknown' | 'block_header'
  readonly id: string
  readonly source: JsonObject
}

function anchorsOf(value: unknown): ReceiptAnchor[] {
  if (!Array.isArray(value) || value.length === 0) return malformed('anchor')
  if (value.length > chainpointBounds.claims) return malformed('too_many')
  return value.map((anchor: unknown): ReceiptAnchor => {
    if (!isObject(anchor)) return malformed('anchor')
    const type = anchor['@type'] ?? anchor['type']
    const id = anchor['sourceId']
    const height = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : id
    if (type === 'BTCBlockHeader' && typeof height === 'string' && /^\d{1,9}$/.test(height))
      return { type: 'block_header', id: height, source: anchor }
    if ((type !== 'BTCOpReturn' && type !== 'ETHData') || typeof id !== 'string' || id === '' || id.length > 512)
      return malformed('anchor')
    // Other chains are not followed here, whatever their identifiers look like.
    if (type === 'ETHData') return { type: 'eth', id, source: anchor }
    const { chain = 'bitcoinMainnet' } = anchor
    if (chain !== 'bitcoinMainnet') return { type: chain === 'bitcoinTestnet' ? 'tbtc' : 'unknown', id, source: anchor }
    return /^[0-9a-fA-F]{64}$/.test(id) ? { type: 'op_return', id: id.toLowerCase(), source: anchor } : malformed('anchor')
  })
}

/** A transaction that carries the root, and its way to the Merkle root of its block. */
function throughTransaction(root: Uint8Array, { tx, blockProof }: JsonObject): ChainpointOperation[] {
  if (typeof tx !== 'string' || !isHex(tx) || !Array.isArray(blockProof) || blockProof.length === 0) return malformed('anchor')
  const bytes = readTransaction(fromHex(tx)).stripped
  const at = placeOf(root, bytes)
  const x2: ChainpointOperation = { op: 'sha-256-x2' }
  if (blockProof.length * 2 > chainpointBounds.operations) return malformed('too_many')
  return [
    { op: 'l', data: bytes.slice(0, at) },
    { op: 'r', data: bytes.slice(at + root.length) },
    x2,
    ...pairs(blockProof, 'sha-256-x2', 32),
  ]
}

function placeOf(part: Uint8Array, whole: Uint8Array): number {
  for (let at = 0; at + part.length <= whole.length; at += 1)
    if (equalBytes(whole.subarray(at, at + part.length), part)) return at
  return malformed('not_in_transaction')
}

function readOperationList(value: JsonObject): ChainpointProof {
  const hash = hashOf(value['targetHash'])
  const listed = value['operations']
  if (!Array.isArray(listed)) return malformed('branches')
  if (listed.length > chainpointBounds.operations) return malformed('too_many')
  const operations: ChainpointOperation[] = []
  const claims: ChainpointClaim[] = []
  let message = hash
  for (const each of listed as unknown[]) {
    if (!isObject(each)) return malformed('operation')
    if (each['anchors'] !== undefined) {
      const way = [...operations]
      claims.push(
        ...anchorsOf(each['anchors']).map(({ type, id }): ChainpointClaim => {
          return { uris: [], type: type === 'block_header' ? 'btc' : type, id, operations: way, value: message }
        }),
      )
      if (claims.length > chainpointBounds.claims) return malformed('too_many')
      continue
    }
    const { left, right, op } = each
    const operation = operationOf({ l: hexOnly(left), r: hexOnly(right), op })
    message = applyChainpoint(operation, message)
    operations.push(operation)
  }
  return { version: 2, hash, claims: claims.length === 0 ? malformed('anchor') : claims }
}

/** Version 2 has no texts. */
function hexOnly(value: unknown): unknown {
  return value === undefined || (typeof value === 'string' && isHex(value)) ? value : malformed('operation')
}
