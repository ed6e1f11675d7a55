import { randomUUIDv7 } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import { DomainError } from '../../../../kernel/errors.ts'
import { pemOf, renewChains, urgentMs } from '../../../sealing/server/index.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { findBatches, lockBatch, type BatchHealth, type BatchRecord } from '../deposit/batch-store.ts'
import { listCertified } from '../deposit/certificate-store.ts'
import type { DocumentSealDeps } from '../deposit/deps.ts'
import { timestampersFor } from '../seal/seal-batch.ts'
import {
  insertChainRenewals,
  insertRenewal,
  listNotAssessed,
  listRenewals,
  listToRenew,
  updateHealth,
} from '../stamps/health-store.ts'
import type { ChainRenewal, Renewal } from '../stamps/health-store.ts'
import {
  factsOfChain,
  healthOfChains,
  healthOfStamps,
  nextLeafOf,
  readStampChains,
  type StampChain,
} from '../stamps/stamp-chains.ts'

type RenewDeps = Pick<DocumentSealDeps, 'db' | 'clock' | 'log' | 'timestampers'>

/** Batches under one stamp. */
const atOnce = 200
/** The database takes no more, nor does an evidence record hold them. */
const mostRenewals = 63

type Due = {
  readonly batch: BatchRecord & { readonly root: Uint8Array }
  readonly chains: readonly StampChain[]
  /** Of these, those whose last time stamp should not stand alone for much longer. */
  readonly due: readonly { readonly chain: StampChain; readonly leaf: Uint8Array; readonly until: Date }[]
}

/** A batch with what carries it further, as it is to be kept. */
type Carried = { readonly due: Due; readonly added: readonly ChainRenewal[]; readonly health: BatchHealth }

/** Renews every time stamp of deposits for which that is due (RFC 4998 §5). @returns how many batches were renewed, and how many wait for a better stamp */
export async function renewBatches(deps: RenewDeps, signal: AbortSignal): Promise<{ renewed: number; waiting: number }> {
  await assessOlder(deps)
  const total = { renewed: 0, waiting: 0 }
  for (let after: string | null = null; ;) {
    const ids: string[] = await listToRenew(deps.db, { now: deps.clock.now(), after, limit: atOnce })
    const found: Due[] = []
    for (const id of ids) {
      const due = await guarded(deps, id, async () => await dueOf(deps, id))
      if (due !== null) found.push(due)
    }
    // An account that wishes no authority outside the installation has none for renewals either.
    for (const outside of [true, false]) {
      const some = found.filter(({ batch }) => batch.outsideStamps === outside)
      const renewed = await renewTogether(deps, some, signal)
      total.renewed += renewed
      total.waiting += some.length - renewed
    }
    after = ids.at(-1) ?? null
    if (ids.length < atOnce || after === null || signal.aborted) return total
  }
}

/** One batch that cannot be read must not keep the others from being renewed. */
async function guarded<T>({ log }: RenewDeps, batch: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error, batch }, 'the time stamps of a deposit could not be renewed')
    return null
  } finally {
    // Signatures are verified in between: whatever else this process does goes on.
    await pause()
  }
}

async function dueOf({ db, clock, log }: RenewDeps, id: string): Promise<Due | null> {
  const batch = (await findBatches(db, [id])).get(id)
  if (batch?.root == null) return null
  const { root } = batch
  const now = clock.now()
  const chains = await readStampChains(db, batch)
  const due = chains.flatMap((chain) => {
    const facts = factsOfChain(chain, root)
    const renewAt = healthOfStamps(facts, now)?.renewAt ?? null
    const last = facts.at(-1)
    const isWhole = facts.length === chain.renewals.length + 1
    if (last === undefined || !isWhole || renewAt === null || renewAt > now || chain.renewals.length >= mostRenewals) return []
    return [{ chain, leaf: nextLeafOf(chain, root), until: last.until }]
  })
  if (due.length > 0) return { batch: { ...batch, root }, chains, due }
  const health = healthOfChains(chains, root, now)
  log.error({ batch: id, until: health?.stampedUntil }, 'the time stamps of a deposit have ended: nothing renewed them in time')
  await updateHealth(db, id, { stampedUntil: health?.stampedUntil ?? batch.sealedAt ?? now, renewAt: null }, now)
  return null
}

/** One stamp over all of them, kept where it carries them further. */
async function renewTogether(deps: RenewDeps, all: readonly Due[], signal: AbortSignal): Promise<number> {
  const [first] = all
  if (first === undefined) return 0
  // Those of the account's wish, and where none of them answers our own: better than none, when the end is near.
  const timestampers = first.batch.outsideStamps ? deps.timestampers : timestampersFor(deps, first.batch)
  let made: Awaited<ReturnType<typeof renewChains>>
  try {
    const leaves = all.flatMap(({ due }) => due.map(({ leaf }) => leaf))
    made = await renewChains(leaves, { timestampers, signal })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    deps.log.warn({ code: error.code, batches: all.length }, 'the time stamps of deposits are renewed later: there was no stamp')
    return 0
  }
  const { response, chain: issuers, authority, genTime, serial, embedded } = made.timestamp
  const ca = Buffer.from(pemOf(issuers), 'utf8')
  const renewal: Renewal = { id: randomUUIDv7(), token: response, ca, authority, genTime, serial, embedded }
  const isSecondBest = embedded && timestampers.some((each) => !each.embedded)
  const carried: Carried[] = []
  let at = 0
  for (const due of all) {
    const paths = made.paths.slice(at, at + due.due.length)
    at += due.due.length
    const one = await guarded(
      deps,
      due.batch.id,
      async () => await Promise.resolve(carry(deps, due, { renewal, paths, isSecondBest })),
    )
    if (one !== null) carried.push(one)
    else deps.log.warn({ batch: due.batch.id }, 'a stamp that carries a deposit further is awaited')
  }
  return carried.length === 0 ? 0 : await keep(deps, renewal, carried)
}

function carry(
  { clock }: RenewDeps,
  due: Due,
  stamp: { readonly renewal: Renewal; readonly paths: readonly (readonly Uint8Array[])[]; readonly isSecondBest: boolean },
): Carried | null {
  const { batch, chains } = due
  const now = clock.now()
  const added = due.due.flatMap(({ chain, until }, i): ChainRenewal[] => {
    const next = { ...stamp.renewal, file: chain.file, number: chain.renewals.length + 1, path: stamp.paths[i] ?? [] }
    const after = healthOfStamps(factsOfChain({ ...chain, renewals: [...chain.renewals, next] }, batch.root), now)
    const isUrgent = until.getTime() - now.getTime() <= urgentMs
    // One that would leave the chain due is of no use: another is asked for tomorrow (decision 0181).
    return after?.renewAt != null && after.renewAt > now && (!stamp.isSecondBest || isUrgent) ? [next] : []
  })
  if (added.length === 0) return null
  const longer = chains.map((chain) => ({
    ...chain,
    renewals: [...chain.renewals, ...added.filter(({ file }) => file === chain.file)],
  }))
  const health = healthOfChains(longer, batch.root, now)
  return health === null ? null : { due, added, health }
}

/**
 * All of them in one transaction: killed before it, nothing was done; after it, everything. Of two workers the second finds that chains have
 * grown, and keeps nothing of those. @returns how many batches were renewed
 */
async function keep({ db, clock }: RenewDeps, renewal: Renewal, carried: readonly Carried[]): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const kept: Carried[] = []
    for (const one of carried) {
      const { batch, chains } = one.due
      const held = await lockBatch(tx, batch.id)
      const had = chains.reduce((sum, { renewals }) => sum + renewals.length, 0)
      const isSame = held?.summary?.timestamps.length === chains.length && (await listRenewals(tx, batch.id)).length === had
      if (isSame) kept.push(one)
    }
    if (kept.length === 0) return 0
    await insertRenewal(tx, renewal)
    await insertChainRenewals(
      tx,
      renewal.id,
      kept.flatMap(({ due, added }) => added.map(({ file, number, path }) => ({ batchId: due.batch.id, file, number, path }))),
    )
    for (const { due, health } of kept) {
      await updateHealth(tx, due.batch.id, health, clock.now())
      for (const documentId of await listCertified(tx, due.batch.id)) await askCertificates(tx, documentId)
    }
    return kept.length
  })
}

/** Batches that were sealed before their ends were kept. */
async function assessOlder(deps: RenewDeps): Promise<void> {
  const { db, clock } = deps
  for (;;) {
    const ids = await listNotAssessed(db, atOnce)
    for (const id of ids) {
      const batch = (await findBatches(db, [id])).get(id)
      if (batch?.root == null) continue
      const { root } = batch
      const now = clock.now()
      const health = await guarded(deps, id, async () => healthOfChains(await readStampChains(db, batch), root, now))
      await updateHealth(db, id, health ?? { stampedUntil: batch.sealedAt ?? now, renewAt: null }, now)
    }
    if (ids.length < atOnce) return
  }
}
