import { DomainError } from '../../../../kernel/errors.ts'
import type { AnchorDeps } from './anchor-deps.ts'
import type { AnchorRecord } from './anchor-store.ts'
import { nothingFound, type Finding } from './finding.ts'
import { findInBlock, prepareTransaction, sendTransaction, type AnchorTransaction } from './pay-anchor.ts'

/**
 * One step of the own node's way. A transaction is signed and kept in one step and sent in the next ones, again and again until a block
 * holds it: a process that dies between never pays twice. One that waits too long is replaced by one that pays more.
 */
export async function workTransaction(deps: AnchorDeps, anchor: AnchorRecord): Promise<Finding> {
  const { payer: rpc, settings, clock } = deps
  if (rpc === null) return nothingFound
  const { commitment, transactions } = anchor
  const now = clock.now()
  const prepare = async (replaces?: AnchorTransaction): Promise<AnchorTransaction> =>
    await prepareTransaction(rpc, commitment, {
      maxFee: settings.maxFee,
      now,
      ...(replaces === undefined ? {} : { replaces }),
    })
  const next = (transaction: AnchorTransaction, event: Finding['events'][number]): Finding => ({
    ...nothingFound,
    transactions: [...transactions, transaction],
    events: [event],
    answered: true,
    goesOn: true,
  })
  try {
    const newest = transactions.at(-1)
    if (newest === undefined) {
      const first = await prepare()
      return next(first, { kind: 'submitted', data: { txid: first.txid, fee: first.fee } })
    }
    const found = await findInBlock(rpc, commitment, transactions)
    if (found !== null) return { ...nothingFound, blocks: [found.tree], answered: true }
    const replace = async (paysMore: boolean, more: Record<string, string>): Promise<Finding> => {
      const other = await prepare(paysMore ? newest : undefined)
      return next(other, { kind: 'replaced', data: { txid: other.txid, fee: other.fee, instead_of: newest.txid, ...more } })
    }
    const sent = await sendTransaction(rpc, newest)
    if (sent !== true && areCoinsGone(sent)) {
      // Perhaps one of its predecessors has them, in a block of this very moment.
      const mined = await findInBlock(rpc, commitment, transactions)
      if (mined !== null) return { ...nothingFound, blocks: [mined.tree], answered: true }
      // Else they went elsewhere, and others are taken. The old ones stay known, should one be mined after all.
      return { ...(await replace(false, { refused: String(sent.data['message'] ?? '') })), goesOn: false }
    }
    if (sent === true && !newest.sent) {
      const transaction = { ...newest, sent: true }
      return {
        ...nothingFound,
        transactions: [...transactions.slice(0, -1), transaction],
        events: [{ kind: 'sent', data: { txid: newest.txid } }],
        answered: true,
      }
    }
    // A replacement that the node does not take leaves the one before it in its place.
    const standing = transactions.findLast((each) => each.sent)
    if (sent !== true && standing !== undefined) await sendTransaction(rpc, standing)
    if (standing !== undefined && now.getTime() - Date.parse(newest.made_at) >= settings.replaceAfterMs)
      return await replace(true, {})
    return sent === true
      ? { ...nothingFound, answered: true }
      : { ...nothingFound, failures: [sent], answered: standing !== undefined }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...nothingFound, failures: [error] }
  }
}

/** RPC_TRANSACTION_ERROR with that reason: not policy, which another fee or another time may satisfy. */
function areCoinsGone({ data }: DomainError): boolean {
  return data['code'] === -25 && /missing|spent/i.test(String(data['message'] ?? ''))
}
