import type { Tx } from '../../../../../platform/db/database.ts'
import { enqueue } from '../../../../../platform/jobs/jobs.ts'
import { endCards, listCardsToEnd, setCardTold } from './card-store.ts'
import { setNoRenewals } from './customer-store.ts'
import type { PaymentDeps } from './deps.ts'
import { endCardsJob, endMandatesJob } from './jobs.ts'
import { endMandates } from './mandate-store.ts'
import { listSeriesOf } from './series-store.ts'

/** By nothing is the customer charged any more; the provider is told by jobs, which wait for him. The caller holds the customer. */
export async function endMeansOf(tx: Tx, customerId: string): Promise<void> {
  await setNoRenewals(tx, customerId)
  if ((await endMandates(tx, customerId)) > 0) await enqueue(tx, endMandatesJob, {}, { key: endMandatesJob.name })
  if ((await endCards(tx, customerId)) > 0) await enqueue(tx, endCardsJob, {}, { key: endCardsJob.name })
}

const atATime = 100

/**
 * Cards that ended here, with the series that were opened by them, end at the provider. One by which a payment is under way waits for its end.
 * @throws Error where the provider does not answer: the job is tried again
 */
export async function tellEndedCards({ db, provider }: Pick<PaymentDeps, 'db' | 'provider'>): Promise<number> {
  if (provider?.cards === undefined) return 0
  const { cards, realm } = provider
  let told = 0
  for (const { id, reference } of await listCardsToEnd(db, realm, atATime)) {
    const ended = [...(await listSeriesOf(db, id))].map(async (series) => await cards.endSeries(series))
    // What the provider no longer knows has ended.
    for (const { state } of [...(await Promise.all(ended)), await cards.endCard(reference)])
      if (state === 'unsent' || state === 'unknown') throw new Error('the provider does not answer')
    await setCardTold(db, id)
    told += 1
  }
  return told
}
