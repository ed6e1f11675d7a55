import { equalBytes } from '../../../../kernel/bytes.ts'
import { applyOperation } from './operation.ts'
import type { Operation } from './operation.ts'
import type { PathOperation } from './anchor-path.ts'
import type { MerkleBranch } from '../bitcoin/merkle-branch.ts'
import { opReturns, readTransaction } from '../bitcoin/transaction.ts'

const hash: PathOperation = { op: 'sha256' }

/**
 * From what an `OP_RETURN` output commits to, through the transaction and its block's Merkle tree, to the Merkle root in the order of
 * the header's octets.
 * @param input.transaction with or without witness, at most 4096 octets without. @param input.branch nearest first.
 * @throws RangeError when no output carries the commitment; MalformedError when it is no transaction.
 */
export function blockPath(input: {
  readonly commitment: Uint8Array
  readonly transaction: Uint8Array
  readonly branch: MerkleBranch
}): PathOperation[] {
  const transaction = readTransaction(input.transaction)
  const found = opReturns(transaction).find(({ data }) => equalBytes(data, input.commitment))
  if (found === undefined) throw new RangeError('the transaction does not carry the commitment')
  const { stripped } = transaction
  return [
    { op: 'prepend', data: stripped.slice(0, found.at) },
    { op: 'append', data: stripped.slice(found.at + input.commitment.length) },
    hash,
    hash,
    ...input.branch.flatMap((sibling): PathOperation[] => [
      { op: sibling.side === 'left' ? 'prepend' : 'append', data: sibling.hash },
      hash,
      hash,
    ]),
  ]
}

/**
 * Where on a way a transaction stands: the index of the first of the two hashes that make its txid, and the txid in the order of its
 * octets. Undefined when none is met.
 */
export function transactionOn(
  message: Uint8Array,
  operations: readonly Operation[],
): { readonly at: number; readonly txid: Uint8Array } | undefined {
  let current = message
  for (const [at, operation] of operations.entries()) {
    if (operation.op === 'sha256' && operations[at + 1]?.op === 'sha256' && current.length >= 60) {
      const txid = txidOf(current)
      if (txid !== undefined) return { at, txid }
    }
    current = applyOperation(operation, current)
  }
  return undefined
}

function txidOf(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return readTransaction(bytes).txid
  } catch {
    return undefined
  }
}
