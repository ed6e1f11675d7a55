import { equalBytes, fromHex } from '../../../../kernel/bytes.ts'
import { displayed } from '../bitcoin/block-header.ts'
import { branchRoot, readTransactionProof } from '../bitcoin/merkle-branch.ts'
import { opReturns, readTransaction } from '../bitcoin/transaction.ts'
import { MalformedError } from '../encoding/der.ts'
import { isHex } from './operation.ts'

/** What the reader got from a node or an explorer, since receipts of version 2 hold neither transaction nor block. */
export type GivenTransaction = {
  /** `bitcoin-cli getrawtransaction TXID`, hexadecimal. */
  readonly raw: string
  /** `bitcoin-cli gettxoutproof '["TXID"]'`, hexadecimal, and the height of that block. */
  readonly proof?: string
  readonly height?: number
}

export const transactionReasons = [
  'no_transaction',
  'transaction',
  'not_in_transaction',
  'no_block',
  'transaction_proof',
  'other_block',
] as const
export type TransactionReason = (typeof transactionReasons)[number]

export type Followed =
  | { readonly status: 'failed' | 'indeterminate'; readonly reason: TransactionReason }
  /** `root`: where the transaction leads, in the order of the octets; `header`: the one that its proof brought. */
  | { readonly status: 'passed'; readonly height: number; readonly root: Uint8Array; readonly header: Uint8Array }

/** From the value that an `OP_RETURN` of transaction `txid` must carry to its block. @param txid as explorers write it. */
export function followTransaction(txid: string, value: Uint8Array, given: readonly GivenTransaction[]): Followed {
  const found = named(txid, given)
  if (found === undefined) return { status: 'indeterminate', reason: given.length === 0 ? 'no_transaction' : 'transaction' }
  if (!opReturns(found.transaction).some(({ data }) => equalBytes(data, value)))
    return { status: 'failed', reason: 'not_in_transaction' }
  const { proof, height } = found.each
  if (proof === undefined || height === undefined) return { status: 'indeterminate', reason: 'no_block' }
  const partial = readOrNone(proof, readTransactionProof)
  if (partial === undefined) return { status: 'failed', reason: 'transaction_proof' }
  const branch = partial.found.find((each) => equalBytes(each.txid, found.transaction.txid))?.branch
  if (branch === undefined) return { status: 'failed', reason: 'other_block' }
  return { status: 'passed', height, root: branchRoot(found.transaction.txid, branch), header: partial.header }
}

/** One at a time: what a stranger calls a transaction may have many thousands of outputs. */
function named(txid: string, given: readonly GivenTransaction[]) {
  for (const each of given.slice(0, 4)) {
    const transaction = readOrNone(each.raw, readTransaction)
    if (transaction !== undefined && displayed(transaction.txid) === txid) return { each, transaction }
  }
  return undefined
}

function readOrNone<T>(hex: string, read: (bytes: Uint8Array) => T): T | undefined {
  const text = hex.trim()
  if (!isHex(text) || text.length > 1 << 21) return undefined
  try {
    return read(fromHex(text))
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}
