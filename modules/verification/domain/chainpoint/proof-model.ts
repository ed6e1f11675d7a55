import { fromHex } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import type { JsonObject } from '../encoding/bounded-json.ts'
import { chainpointHashes, isHex, operandOf } from './operation.ts'
import type { ChainpointHash, ChainpointOperation } from './operation.ts'

export const anchorTypes = ['btc', 'cal', 'tbtc', 'tcal', 'eth', 'op_return'] as const
/** `btc`: the value is the Merkle root of the block `id`; `op_return`: the transaction `id` carries it; the others are not checked. */
export type AnchorType = (typeof anchorTypes)[number] | 'unknown'

export type ChainpointClaim = {
  readonly type: AnchorType
  /** Height, transaction, or what a service calls it: hostile. */
  readonly id: string
  readonly uris: readonly string[]
  /** From the hash that is dated to what is claimed, in the order of the octets. */
  readonly operations: readonly ChainpointOperation[]
  readonly value: Uint8Array
}

export type ChainpointProof = {
  readonly version: 2 | 3 | 4 | 5
  readonly hash: Uint8Array
  readonly claims: readonly ChainpointClaim[]
  /** Of version 2: the Merkle root that the receipt names, and where its path leads. */
  /** It stands in the document that it is about, which has to be normalised to be hashed. */
  readonly enclosed?: true
  readonly root?: { readonly named: Uint8Array; readonly computed: Uint8Array }
}

/** Why something is no such proof; each has words. */
export const formatReasons = [
  'not_json',
  'too_large',
  'too_deep',
  'too_many',
  'binary',
  'not_chainpoint',
  'version',
  'version_1',
  'hash',
  'branches',
  'operation',
  'anchor',
  'message_length',
  'transaction',
  'not_in_transaction',
] as const

export const chainpointBounds = { claims: 64, operations: 4096, depth: 32 } as const

/** 20 to 64 octets: the even hexadecimal output of a hash. @throws MalformedError `hash` */
export function hashOf(value: unknown): Uint8Array {
  const fine = typeof value === 'string' && isHex(value) && value.length >= 40 && value.length <= 128
  return fine ? fromHex(value) : malformed('hash')
}

/** One of `l`, `r` and `op`, in the order in which the peers look for them. @throws MalformedError `operation` */
export function operationOf(each: JsonObject): ChainpointOperation {
  const { l, r, op } = each
  if (typeof r === 'string' && r !== '') return { op: 'r', data: operandOf(r) }
  if (typeof l === 'string' && l !== '') return { op: 'l', data: operandOf(l) }
  return typeof op === 'string' && Object.hasOwn(chainpointHashes, op) ? { op: op as ChainpointHash } : malformed('operation')
}
