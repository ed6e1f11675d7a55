import { fromHex } from '../../../../kernel/bytes.ts'
import { anchorFilePaths, renewStamps, urgentMs, type PublicLog, type SealedFile } from '../../../sealing/server/index.ts'
import { mostRenewals, renewalOfPath, type RenewalRecord } from '../../../verification/server/index.ts'
import { listFiles, type FileRecord } from '../files/file-store.ts'
import { findSeal, type SealRecord } from '../seal/seal-store.ts'
import { remakeCore, type RemakeDeps } from '../package/remake-core.ts'
import { findEvidence } from '../record/store.ts'
import { readSealFiles } from './assess-evidence.ts'
import { healthOf } from '../seal/health-of.ts'
import { listNotAssessed, listToRenew, updateHealth } from './health-store.ts'

export type RenewDeps = RemakeDeps & {
  /** Absent: nothing is renewed. */
  readonly publicLog?: PublicLog
}

/** One stamp for as many seals. */
const batch = 500

type Due = {
  readonly id: string
  readonly seal: SealRecord
  readonly before: readonly FileRecord[]
  /** Bytes of `seal/`, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly record: RenewalRecord
}

/** Renews the stamps of every seal for which that is due. @returns how many were renewed, and how many wait for a better stamp */
export async function renewSeals(deps: RenewDeps, signal: AbortSignal): Promise<{ renewed: number; waiting: number }> {
  await assessOlderSeals(deps)
  const total = { renewed: 0, waiting: 0 }
  let after: string | null = null
  for (;;) {
    const ids: string[] = await listToRenew(deps.db, { now: deps.clock.now(), after, limit: batch })
    const due: Due[] = []
    for (const id of ids) {
      const one = await guarded(deps, id, async () => await dueOf(deps, id))
      if (one !== null) due.push(one)
    }
    const renewed = due.length === 0 ? 0 : await renewTogether(deps, due, signal)
    total.renewed += renewed
    total.waiting += due.length - renewed
    after = ids.at(-1) ?? null
    if (ids.length < batch || after === null || signal.aborted) return total
  }
}

/** One seal that cannot be read must not keep the others from being renewed. */
async function guarded<T>({ log }: RenewDeps, evidence: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.error({ err: error, evidence }, 'the stamps of a seal could not be renewed')
    return null
  }
}

/** What is renewed: every file of the seal but those that may still be exchanged for newer ones. */
async function dueOf(deps: RenewDeps, id: string): Promise<Due | null> {
  const { db, clock, log } = deps
  const evidence = await findEvidence(db, id)
  const seal = await findSeal(db, id)
  if (evidence === null || seal === null) return null
  const before = await listFiles(db, id)
  const files = await readSealFiles(deps, id, before)
  const health = healthOf(files, fromHex(seal.root), clock.now())
  if (health?.renewAt == null) {
    log.error({ evidence: id, until: health?.stampedUntil }, 'the stamps of a seal have ended: nothing renewed them in time')
    await updateHealth(db, id, health ?? { stampedUntil: seal.sealedAt, renewAt: null })
    return null
  }
  const changing = new Set<string>(['seal/seal.json', ...(evidence.anchoredAt === null ? anchorFilePaths : [])])
  const named = before
    .filter(({ path }) => path.startsWith('seal/') && !changing.has(path))
    .map(({ path, sha256 }) => ({ path, sha256 }))
  const number = Math.max(0, ...named.map(({ path }) => renewalOfPath(path) ?? 0)) + 1
  return number > mostRenewals ? null : { id, seal, before, files, record: { number, root: seal.root, files: named } }
}

async function renewTogether(deps: RenewDeps, due: readonly Due[], signal: AbortSignal): Promise<number> {
  const { publicLog, timestampers } = deps
  if (publicLog === undefined) return 0
  const { renewals, stamp } = await renewStamps(
    due.map(({ record }) => record),
    { publicLog, timestampers, signal },
  )
  const isSecondBest = stamp.embedded && timestampers.some(({ embedded }) => !embedded)
  let renewed = 0
  for (const [i, one] of due.entries()) {
    if (signal.aborted) break
    const made = await guarded(
      deps,
      one.id,
      async () => await join(deps, one, { files: renewals[i] ?? [], isSecondBest }, signal),
    )
    if (made === true) renewed += 1
  }
  return renewed
}

/** The four files become part of the package, if they carry its stamps further. */
async function join(
  deps: RenewDeps,
  { id, seal, before, files: had }: Due,
  { files, isSecondBest }: { files: readonly SealedFile[]; isSecondBest: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const all = new Map([...had, ...files.map(({ path, bytes }) => [path, bytes] as const)])
  const now = deps.clock.now()
  const health = healthOf(all, fromHex(seal.root), now)
  const left = (seal.stampedUntil ?? now).getTime() - now.getTime()
  // One that would leave the seal due is of no use: another stamp is asked for tomorrow.
  if (health?.renewAt == null || health.renewAt <= now || (isSecondBest && left > urgentMs)) {
    deps.log.warn({ evidence: id, until: seal.stampedUntil }, 'a stamp that carries a seal further is awaited')
    return false
  }
  return await remakeCore(deps, id, { before, files, commit: async (tx) => await updateHealth(tx, id, health) }, signal)
}

/** Seals that were made before their ends were kept. */
async function assessOlderSeals(deps: RenewDeps): Promise<void> {
  for (;;) {
    const ids = await listNotAssessed(deps.db, batch)
    for (const id of ids) {
      const seal = await findSeal(deps.db, id)
      if (seal === null) continue
      const files = await guarded(deps, id, async () => await readSealFiles(deps, id, await listFiles(deps.db, id)))
      const health = files === null ? null : healthOf(files, fromHex(seal.root), deps.clock.now())
      await updateHealth(deps.db, id, health ?? { stampedUntil: seal.sealedAt, renewAt: null })
    }
    if (ids.length < batch) return
  }
}
