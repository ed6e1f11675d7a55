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
    const sent = await sendTransaction(rpc, newest)
    const replace = async (paysMore: boolean, more: Record<string, string>): Promise<Finding> => {
      const other = await prepare(paysMore ? newest : undefined)
      return next(other, { kind: 'replaced', data: { txid: other.txid, fee: other.fee, instead_of: newest.txid, ...more } })
    }
    // Its coins went elsewhere: others are taken. The old one stays known, should it be mined after all.
    if (sent !== true) return await replace(false, { refused: String(sent.data['message'] ?? '') })
    if (!newest.sent) {
      const transaction = { ...newest, sent: true }
      return {
        ...nothingFound,
        transactions: [...transactions.slice(0, -1), transaction],
        events: [{ kind: 'sent', data: { txid: newest.txid } }],
        answered: true,
      }
    }
    return now.getTime() - Date.parse(newest.made_at) < settings.replaceAfterMs
      ? { ...nothingFound, answered: true }
      : await replace(true, {})
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { ...nothingFound, failures: [error] }
  }
}
