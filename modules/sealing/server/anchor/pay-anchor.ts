/** The own node's way: a commitment in an `OP_RETURN` output of a transaction that the operator's wallet pays. */
import { z } from 'zod'
import { fromHex, toHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import {
  blockPath,
  branchOf,
  branchRoot,
  displayed,
  MalformedError,
  opReturns,
  readBlockHeader,
  readTransaction,
  treeOf,
  type TimestampTree,
} from '../../../verification/server/index.ts'
import type { BitcoinRpc } from './bitcoin-rpc.ts'
import { anchorFailure } from '../connections/exchange.ts'

/** A transaction signed for an anchor. It is kept before it is sent: sending it again is the same payment. */
export const anchorTransaction = z.object({
  /** As explorers write it. */
  txid: z.string().regex(/^[0-9a-f]{64}$/),
  raw: z.string(),
  inputs: z.array(z.object({ txid: z.string(), vout: z.int() })),
  /** What its inputs hold, in satoshi. */
  funds: z.int(),
  /** In satoshi. */
  fee: z.int(),
  made_at: z.iso.datetime(),
  /** The node has taken it at least once. */
  sent: z.boolean(),
})
export type AnchorTransaction = z.infer<typeof anchorTransaction>

export type PayLimits = {
  /** Most that one transaction may cost, in satoshi. */
  readonly maxFee: number
}

const hex64 = z.string().regex(/^[0-9a-f]{64}$/)
const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/)
const coins = z.array(
  z.object({
    txid: hex64,
    vout: z.int().min(0),
    amount: z.number().nonnegative(),
    spendable: z.boolean().default(true),
  }),
)
const satoshi = 100_000_000
/** Change below is dust to every node. */
const leastChange = 1000
/** What nodes relay at all, in satoshi per virtual octet. */
const leastRate = 1
/** Where the node has seen too little to estimate. */
const unknownRate = 5
/** BIP 125: a replacement pays for itself besides. */
const replacementRate = 1
/** One coin, the commitment, change: what is signed turns out to be some 180 virtual octets. */
const guessedSize = 250

/**
 * Signs a transaction that carries `commitment`, for the fee that the node estimates for the next six blocks. Nothing is sent.
 * @param replaces an earlier one whose coins it spends again, for more.
 * @throws DomainError `sealing.anchor_funds`, `sealing.anchor_fee_limit`, `sealing.anchor_signing`, `sealing.anchor_node…`
 */
export async function prepareTransaction(
  rpc: BitcoinRpc,
  commitment: Uint8Array,
  options: PayLimits & { readonly now: Date; readonly replaces?: AnchorTransaction },
): Promise<AnchorTransaction> {
  const rate = await feeRate(rpc)
  const guessed = Math.min(Math.ceil(rate * guessedSize), options.maxFee)
  const { inputs, funds } = options.replaces ?? (await chooseCoins(rpc, options.maxFee + leastChange, guessed + leastChange))
  const change = await rpc.call('getrawchangeaddress', [], z.string().min(1).max(100))
  const sign = async (fee: number): Promise<{ raw: string; size: number }> => {
    const unsigned = await rpc.call(
      'createrawtransaction',
      [
        // Replaceable (BIP 125).
        inputs.map((input) => ({ ...input, sequence: 0xfffffffd })),
        { data: toHex(commitment), [change]: Number(((funds - fee) / satoshi).toFixed(8)) },
      ],
      hex,
    )
    const signed = await rpc.call('signrawtransactionwithwallet', [unsigned], z.object({ hex, complete: z.boolean() }))
    if (!signed.complete) throw anchorFailure('signing')
    return { raw: signed.hex, size: virtualSize(fromHex(signed.hex)) }
  }
  // The size is known once it is signed.
  const { size } = await sign(guessed)
  const wanted = Math.ceil(size * rate)
  const least =
    options.replaces === undefined ? Math.ceil(size * leastRate) : options.replaces.fee + Math.ceil(size * replacementRate)
  const fee = Math.min(Math.max(wanted, least), options.maxFee, funds - leastChange)
  if (fee < least) throw anchorFailure('fee_limit', { limit: options.maxFee, needed: least })
  const { raw } = await sign(fee)
  return {
    txid: checkedId(raw, commitment),
    raw,
    inputs: inputs.map(({ txid, vout }) => ({ txid, vout })),
    funds,
    fee,
    made_at: options.now.toISOString(),
    sent: false,
  }
}

/** Satoshi per virtual octet. */
async function feeRate(rpc: BitcoinRpc): Promise<number> {
  const { feerate } = await rpc.call('estimatesmartfee', [6], z.object({ feerate: z.number().optional() }).loose())
  return feerate === undefined || feerate <= 0 ? unknownRate : Math.max(leastRate, (feerate * satoshi) / 1000)
}

/** The smallest coin that suffices, so that large ones stay whole; else the largest together. */
async function chooseCoins(
  rpc: BitcoinRpc,
  ample: number,
  needed: number,
): Promise<{ inputs: { txid: string; vout: number }[]; funds: number }> {
  const found = (await rpc.call('listunspent', [1], coins))
    .filter(({ spendable }) => spendable)
    .map(({ txid, vout, amount }) => ({ txid, vout, value: Math.round(amount * satoshi) }))
    .toSorted((a, b) => b.value - a.value)
  const single = found.findLast(({ value }) => value >= ample)
  const chosen = single === undefined ? found.slice(0, 5) : [single]
  const funds = chosen.reduce((sum, { value }) => sum + value, 0)
  if (funds < needed) throw anchorFailure('funds', { needed, available: funds })
  return { inputs: chosen.map(({ txid, vout }) => ({ txid, vout })), funds }
}

/** BIP 141: a quarter of the weight, rounded up. */
function virtualSize(raw: Uint8Array): number {
  return Math.ceil((read(raw).stripped.length * 3 + raw.length) / 4)
}

function read(raw: Uint8Array): ReturnType<typeof readTransaction> {
  try {
    return readTransaction(raw)
  } catch (error) {
    if (error instanceof MalformedError)
      throw anchorFailure('node_answer', { host: 'node', method: error.message, status: 0 }, error)
    throw error
  }
}

/** A wallet that altered what it was given to sign would have us pay for nothing. */
function checkedId(raw: string, commitment: Uint8Array): string {
  const transaction = read(fromHex(raw))
  if (!opReturns(transaction).some(({ data }) => toHex(data) === toHex(commitment))) throw anchorFailure('signing')
  return displayed(transaction.txid)
}

/** RPC_VERIFY_ALREADY_IN_CHAIN (now RPC_VERIFY_ALREADY_IN_UTXO_SET). */
const alreadyInChain = -27

/**
 * Gives a transaction to the node, again if need be: one that it knows is sent on. @returns the node's refusal,
 * as of one whose coins were spent otherwise. @throws DomainError when the node cannot be asked.
 */
export async function sendTransaction(rpc: BitcoinRpc, { raw }: AnchorTransaction): Promise<true | DomainError> {
  try {
    await rpc.call('sendrawtransaction', [raw], hex64)
    return true
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'sealing.anchor_node_refused') throw error
    return error.data['code'] === alreadyInChain ? true : error
  }
}

const place = z.object({ confirmations: z.int(), blockhash: hex64.nullish() })
const blockAnswer = z.object({ height: z.int().min(0), tx: z.array(hex64).min(1).max(200_000) })

/**
 * Where in the main chain one of the transactions stands, and the way from the commitment to that block's Merkle root; null while
 * none is in a block. @throws DomainError
 */
export async function findInBlock(
  rpc: BitcoinRpc,
  commitment: Uint8Array,
  transactions: readonly AnchorTransaction[],
): Promise<{ readonly tree: TimestampTree; readonly height: number; readonly txid: string; readonly fee: number } | null> {
  for (const transaction of transactions.toReversed()) {
    const { confirmations, blockhash } = await placeOf(rpc, transaction.txid)
    if (confirmations <= 0 || blockhash == null) continue
    const { height, tx } = await rpc.call('getblock', [blockhash, 1], blockAnswer)
    const index = tx.indexOf(transaction.txid)
    const header = readBlockHeader(
      fromHex(await rpc.call('getblockheader', [blockhash, false], z.string().regex(/^[0-9a-f]{160}$/))),
    )
    if (index < 0) throw anchorFailure('wrong_block', { height, source: 'node' })
    const raw = fromHex(transaction.raw)
    const branch = branchOf(
      tx.map((txid) => fromHex(txid).toReversed()),
      index,
    )
    if (toHex(branchRoot(read(raw).txid, branch)) !== toHex(header.merkleRoot))
      throw anchorFailure('wrong_block', { height, source: 'node' })
    const operations = blockPath({ commitment, transaction: raw, branch })
    return {
      tree: treeOf(commitment, operations, [{ kind: 'bitcoin', height }]),
      height,
      txid: transaction.txid,
      fee: transaction.fee,
    }
  }
  return null
}

/** RPC_INVALID_ADDRESS_OR_KEY: the wallet has never seen it. */
const unknownTransaction = -5

async function placeOf(rpc: BitcoinRpc, txid: string): Promise<z.infer<typeof place>> {
  try {
    return await rpc.call('gettransaction', [txid], place)
  } catch (error) {
    if (error instanceof DomainError && error.data['code'] === unknownTransaction) return { confirmations: 0 }
    throw error
  }
}
