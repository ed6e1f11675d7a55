import { askAgain, askForDays, nextAsk, pemOf } from '../../../sealing/server/index.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { findBatches, insertBatchFiles, lockBatch } from '../deposit/batch-store.ts'
import type { BatchRecord } from '../deposit/batch-store.ts'
import { listCertified } from '../deposit/certificate-store.ts'
import type { DocumentSealDeps } from '../deposit/deps.ts'
import { stampFiles, stampSummary, timestampersFor } from '../seal/seal-batch.ts'
import { listToAsk, updateAsked, updateHealth } from '../stamps/health-store.ts'
import { healthOfChains, readStampChains } from '../stamps/stamp-chains.ts'

const atOnce = 50
/** A name has two digits. */
const mostStamps = 99

type AskDeps = Pick<DocumentSealDeps, 'db' | 'clock' | 'log' | 'timestampers'>

/** Asks again the authorities that gave no stamp, once for each batch where that is due. @returns how many batches gained one */
export async function askAuthorities(deps: AskDeps, signal: AbortSignal): Promise<number> {
  let gained = 0
  for (const id of await listToAsk(deps.db, deps.clock.now(), atOnce)) {
    if (signal.aborted) break
    try {
      if (await askForBatch(deps, id, signal)) gained += 1
    } catch (error) {
      // One batch must not keep the others from being asked for.
      deps.log.error({ err: error, batch: id }, 'the authorities of a deposit could not be asked again')
      await keep(deps, id, null)
    }
  }
  return gained
}

async function askForBatch(deps: AskDeps, id: string, signal: AbortSignal): Promise<boolean> {
  const batch = (await findBatches(deps.db, [id])).get(id)
  if (batch?.root == null || batch.summary === null) return false
  const chains = await readStampChains(deps.db, batch)
  const { timestamps: had } = batch.summary
  const asked = await askAgain(
    {
      root: batch.root,
      has: { outside: had.filter(({ embedded }) => !embedded).length, chains: chains.map(({ ca }) => ca) },
      pending: batch.pending,
      most: mostStamps - had.length,
    },
    { timestampers: timestampersFor(deps, batch), signal },
  )
  return await keep(deps, id, { batch, asked })
}

type Asked = { readonly batch: BatchRecord; readonly asked: Awaited<ReturnType<typeof askAgain>> }

/**
 * Tokens join the seal behind those that are there, in one transaction with all that follows from it: killed before, they are lost and asked
 * for again; of two workers that asked at once, the second changes nothing. @param answer null: asking failed. @returns whether one joined
 */
async function keep({ db, clock, log }: AskDeps, id: string, answer: Asked | null): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const batch = await lockBatch(tx, id)
    if (batch?.root == null || batch.summary === null || batch.sealedAt === null || batch.askAgainAt === null) return false
    if (answer !== null && answer.batch.askedAgain !== batch.askedAgain) return false
    const now = clock.now()
    const times = batch.askedAgain + 1
    const pending = answer?.asked.pending ?? batch.pending
    const askAgainAt = pending.length === 0 ? null : nextAsk(now, times, batch.sealedAt)
    if (pending.length > 0 && askAgainAt === null)
      log.warn(
        { batch: id, authorities: pending.map(({ authority }) => authority), days: askForDays },
        'authorities are asked no more',
      )
    const came = answer?.asked.timestamps ?? []
    if (came.length === 0) {
      await updateAsked(tx, id, { pending, askAgainAt, times })
      return false
    }
    const { timestamps: had } = batch.summary
    const files = came.flatMap(({ response, chain }, i) => stampFiles(had.length + i, { response, ca: pemOf(chain) }))
    const timestamps = [...had, ...came.map((stamp, i) => stampSummary(had.length + i, stamp))]
    const summary = { ...batch.summary, timestamps }
    await insertBatchFiles(tx, id, files)
    await updateAsked(tx, id, { pending, askAgainAt, times, summary })
    const health = healthOfChains(await readStampChains(tx, { id, summary }), batch.root, now)
    if (health !== null) await updateHealth(tx, id, health, now)
    for (const documentId of await listCertified(tx, id)) await askCertificates(tx, documentId)
    return true
  })
}
