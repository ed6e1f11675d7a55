import { createHash } from 'node:crypto'
import { fromHex, toHex } from '../../kernel/bytes.ts'
import type { Operation } from '../../modules/verification/domain/opentimestamps/operation.ts'
import { buildOts } from '../../modules/verification/domain/opentimestamps/write-ots.ts'

/**
 * A file that Bitcoin's main chain dates, made here: the first transaction of block 100,000. Its SHA-256, hashed again, is its
 * identifier, which the block's Merkle tree holds beside three others. The transaction, the identifiers and the header are public, and
 * prove themselves by the hash of the block.
 */
export const height = 100_000
export const header = fromHex(
  '0100000050120119172a610421a6c3011dd330d9df07b63616c2cc1f1cd00200000000006657a9252aacd5c0b2940996ecff952228c3067cc38d4885efb5a4ac4247e9f337221b4d4c86041b0f2b5710',
)
/** What a reader types: height and header. */
export const headerLine = `${height}: ${toHex(header)}`
export const file = fromHex(
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff08044c86041b020602ffffffff0100f2052a010000004341041b0e8c2567c12536aa13357b79a073dc4444acb83c4ec7a0e2f99dd7457516c5817242da796924ca4e99947d087fedf9ce467cb9f7c6287078f801df276fdf84ac00000000',
)
const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())
export const digest = sha256(file)

/** Identifiers of transactions, as explorers write them, to the order of their octets. */
const octets = (displayed: string): Uint8Array => fromHex(displayed).toReversed()
const second = octets('fff2525b8931402dd09222c50775608f75787bd2b87e56995a7bdd30f79702c4')
const third = octets('6359f0868171b1d194cbee1af2f16ea598ae8fad666d9b012c8ed2b79a236ec4')
const fourth = octets('e9a66845e05d5abc0ad04ec80f774a7e585c6e8db975962d069a522137b80c1d')
const hash: Operation = { op: 'sha256' }

/** From the digest to the Merkle root of the block. */
export const operations: readonly Operation[] = [
  hash,
  { op: 'append', data: second },
  hash,
  hash,
  { op: 'append', data: sha256(sha256(Buffer.concat([third, fourth]))) },
  hash,
  hash,
]
/** The `.ots` of the file. */
export const proof = buildOts({ digest, operations, end: [{ kind: 'bitcoin', height }] })
