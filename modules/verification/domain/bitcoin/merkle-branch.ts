import { concatBytes } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { u32 } from '../encoding/little-endian.ts'
import { headerLength, sha256x2 } from './block-header.ts'
import { compactSize } from './transaction.ts'

/** Siblings of a transaction up to the Merkle root of its block, nearest first; hashes in the order of their octets. */
export type MerkleBranch = readonly { readonly side: 'left' | 'right'; readonly hash: Uint8Array }[]

export function branchRoot(txid: Uint8Array, branch: MerkleBranch): Uint8Array {
  return branch.reduce(
    (hash, sibling) => sha256x2(sibling.side === 'left' ? concatBytes(sibling.hash, hash) : concatBytes(hash, sibling.hash)),
    txid,
  )
}

/** From all the txids of a block, in its order. An odd hash is its own sibling. @throws RangeError when `index` is none of them. */
export function branchOf(txids: readonly Uint8Array[], index: number): MerkleBranch {
  if (txids[index] === undefined) throw new RangeError('no such transaction in the block')
  const branch: { side: 'left' | 'right'; hash: Uint8Array }[] = []
  let at = index
  for (let row = txids; row.length > 1; row = rowAbove(row), at >>= 1) {
    const twin = row[at ^ 1] ?? row[at]
    if (twin !== undefined) branch.push({ side: at % 2 === 1 ? 'left' : 'right', hash: twin })
  }
  return branch
}

function rowAbove(row: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: Math.ceil(row.length / 2) }, (_, i) => {
    const left = row[2 * i] as Uint8Array
    return sha256x2(concatBytes(left, row[2 * i + 1] ?? left))
  })
}

export type TransactionProof = {
  /** 80 octets. */
  readonly header: Uint8Array
  readonly found: readonly { readonly txid: Uint8Array; readonly branch: MerkleBranch }[]
}

/** A block of 4,000,000 weight units holds fewer transactions of the least size, 60 octets, than that. */
const mostTransactions = 1_000_000

/**
 * What `bitcoin-cli gettxoutproof` gives: header and partial Merkle tree (BIP 37 `merkleblock`). The root computed from the tree is
 * compared with the header's by whoever asks for it, through `branchRoot`.
 * @throws MalformedError `transaction_proof`
 */
export function readTransactionProof(bytes: Uint8Array): TransactionProof {
  if (bytes.length < headerLength + 4 || bytes.length > 1 << 20) malformed('transaction_proof')
  const cursor = { at: headerLength + 4 }
  const total = u32(bytes, headerLength)
  const count = compactSize(bytes, cursor)
  if (total === 0 || total > mostTransactions || count > total || cursor.at + count * 32 > bytes.length)
    malformed('transaction_proof')
  const hashes = Array.from({ length: count }, (_, i) => bytes.slice(cursor.at + i * 32, cursor.at + i * 32 + 32))
  cursor.at += count * 32
  const flagBytes = compactSize(bytes, cursor)
  if (cursor.at + flagBytes !== bytes.length) malformed('transaction_proof')
  const flags = bytes.subarray(cursor.at)
  let height = 0
  while (widthAt(total, height) > 1) height += 1
  const walk = { hashes, flags, total, flag: 0, hash: 0 }
  const { found } = descend(walk, height, 0)
  if (walk.hash !== count || Math.ceil(walk.flag / 8) !== flagBytes) malformed('transaction_proof')
  return { header: bytes.slice(0, headerLength), found }
}

type Walk = {
  readonly hashes: readonly Uint8Array[]
  readonly flags: Uint8Array
  readonly total: number
  flag: number
  hash: number
}
type Found = { readonly txid: Uint8Array; readonly branch: MerkleBranch }

function descend(walk: Walk, height: number, position: number): { readonly hash: Uint8Array; readonly found: readonly Found[] } {
  const octet = walk.flags[walk.flag >> 3]
  if (octet === undefined) return malformed('transaction_proof')
  const marked = ((octet >> (walk.flag & 7)) & 1) === 1
  walk.flag += 1
  if (height === 0 || !marked) {
    const hash = walk.hashes[walk.hash] ?? malformed('transaction_proof')
    walk.hash += 1
    return { hash, found: marked ? [{ txid: hash, branch: [] }] : [] }
  }
  const left = descend(walk, height - 1, position * 2)
  const hasRight = position * 2 + 1 < widthAt(walk.total, height - 1)
  const right = hasRight ? descend(walk, height - 1, position * 2 + 1) : { hash: left.hash, found: [] }
  // A right subtree equal to the left one is how CVE-2012-2459 made two blocks of one root.
  if (hasRight && left.hash.every((byte, i) => byte === right.hash[i])) malformed('transaction_proof')
  return {
    hash: sha256x2(concatBytes(left.hash, right.hash)),
    found: [
      ...left.found.map((each) => ({ ...each, branch: [...each.branch, { side: 'right' as const, hash: right.hash }] })),
      ...right.found.map((each) => ({ ...each, branch: [...each.branch, { side: 'left' as const, hash: left.hash }] })),
    ],
  }
}

function widthAt(total: number, height: number): number {
  return Math.ceil(total / 2 ** height)
}
