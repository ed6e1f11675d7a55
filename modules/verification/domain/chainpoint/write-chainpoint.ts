import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { transactionOn } from '../opentimestamps/block-path.ts'
import type { Operation } from '../opentimestamps/operation.ts'

export type ChainpointSource = {
  /** What is dated: 32 octets. */
  readonly hash: Uint8Array
  /** From it to the Merkle root of the block, in the order of the header's octets: the way of an `.ots` to its Bitcoin attestation. */
  readonly operations: readonly Operation[]
  readonly height: number
  /** When the hash was handed over. */
  readonly receivedAt: Date
  /** Where a reader finds the Merkle root by its height. */
  readonly uris?: readonly string[]
}

/**
 * A Chainpoint proof of version 3 or 4, JSON, UTF-8, as the peers of those versions read it: one branch that ends in a `btc` anchor,
 * whose value readers reverse before they compare it with an explorer's.
 * @throws RangeError when the way holds an operation that Chainpoint has none for (`reverse`, `hexlify`, `ripemd160`, `sha1`, `keccak256`).
 */
export function buildChainpoint(version: 3 | 4, source: ChainpointSource): string {
  const { hash, operations, height, receivedAt, uris = [] } = source
  const at = transactionOn(hash, operations)?.at
  const before = at === undefined ? operations : operations.slice(0, at)
  const through = at === undefined ? [] : operations.slice(at)
  const id = timeUuid(receivedAt, hash)
  const received = `${receivedAt.toISOString().slice(0, 19)}Z`
  const ids =
    version === 3
      ? { hash_id_node: id, hash_submitted_node_at: received, hash_id_core: id, hash_submitted_core_at: received }
      : { proof_id: id, hash_received: received }
  const anchor = { type: 'btc', anchor_id: String(height), ...(uris.length === 0 ? {} : { uris }) }
  const branch = {
    // Readers take what stands three operations before the first double hash for the value of OP_RETURN under this label.
    ...(standard(before) ? { label: 'btc_anchor_branch' } : {}),
    ops: [...before.flatMap(written), ...doubled(through), { anchors: [anchor] }],
  }
  const context = `https://w3id.org/chainpoint/v${version}`
  return `${JSON.stringify({ '@context': context, type: 'Chainpoint', hash: toHex(hash), ...ids, branches: [branch] }, null, 2)}\n`
}

type Written = { readonly l: string } | { readonly r: string } | { readonly op: 'sha-256' | 'sha-256-x2' }

/** Schemas allow 512 characters: 256 octets. */
const longestOperand = 256

function written(operation: Operation): Written[] {
  if (operation.op === 'sha256') return [{ op: 'sha-256' }]
  if (!('data' in operation)) throw new RangeError(`Chainpoint has no operation ${operation.op}`)
  const { data } = operation
  const parts = Array.from({ length: Math.ceil(data.length / longestOperand) }, (_, i) =>
    toHex(data.subarray(i * longestOperand, (i + 1) * longestOperand)),
  )
  // What is put in front in parts is put there from its end.
  return operation.op === 'append' ? parts.map((r) => ({ r })) : parts.toReversed().map((l) => ({ l }))
}

/** From the transaction on every hash is a double one. */
function doubled(operations: readonly Operation[]): Written[] {
  const out: Written[] = []
  for (let i = 0; i < operations.length; i += 1) {
    const operation = operations[i] as Operation
    const twice = operation.op === 'sha256' && operations[i + 1]?.op === 'sha256'
    out.push(...(twice ? [{ op: 'sha-256-x2' as const }] : written(operation)))
    if (twice) i += 1
  }
  return out
}

/** A transaction put around the commitment in two operations, neither of them cut. */
function standard(before: readonly Operation[]): boolean {
  const last = before.slice(-3)
  const [hash, ...around] = last
  return (
    last.length === 3 &&
    hash?.op === 'sha256' &&
    around.every((operation) => 'data' in operation && operation.data.length <= longestOperand)
  )
}

/** 100 ns between 1582-10-15 and 1970-01-01 (RFC 9562 §5.1). */
const gregorianOffset = 0x01b21dd213814000n

/** UUID version 1 of an instant, which the schemas ask for; clock sequence and node follow from the hash (RFC 9562 §6.10). */
function timeUuid(at: Date, hash: Uint8Array): string {
  const ticks = (BigInt(at.getTime()) * 10_000n + gregorianOffset).toString(16).padStart(15, '0')
  const node = sha256(hash).slice(0, 8)
  node[0] = ((node[0] ?? 0) & 0x3f) | 0x80
  // The multicast bit says that the node is no network card.
  node[2] = (node[2] ?? 0) | 1
  const rest = toHex(node)
  return `${ticks.slice(7)}-${ticks.slice(3, 7)}-1${ticks.slice(0, 3)}-${rest.slice(0, 4)}-${rest.slice(4)}`
}
