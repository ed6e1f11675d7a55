import { fromHex } from '../../../../kernel/bytes.ts'
import { askForDays, askPending, nextAsk } from '../../../sealing/server/index.ts'
import { listFiles } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { remakeCore, type RemakeDeps } from '../package/remake-core.ts'
import { readSealFiles } from './assess-evidence.ts'
import { healthOf } from '../seal/health-of.ts'
import { listToAsk, updateAsked, updateHealth } from './health-store.ts'

const batch = 50

/** Asks again the authorities that gave no stamp, for each final evidence where that is due. @returns how many seals gained a stamp */
export async function askAuthorities(deps: RemakeDeps, signal: AbortSignal): Promise<number> {
  let gained = 0
  for (const id of await listToAsk(deps.db, deps.clock.now(), batch)) {
    if (signal.aborted) break
    try {
      if (await askForEvidence(deps, id, signal)) gained += 1
    } catch (error) {
      // One seal must not keep the others from being asked for.
      deps.log.error({ err: error, evidence: id }, 'the authorities of a seal could not be asked again')
      await postpone(deps, id)
    }
  }
  return gained
}

/**
 * A token that comes joins the seal, whose record is made anew, and the package with it. Killed on the way, the token is lost and asked
 * for again; done by two at once, one of them changes nothing.
 */
async function askForEvidence(deps: RemakeDeps, id: string, signal: AbortSignal): Promise<boolean> {
  const { db, clock, log } = deps
  // In this order: a seal that is newer than the files asks for nothing that they have.
  const before = await listFiles(db, id)
  const seal = await findSeal(db, id)
  if (seal === null) return false
  const files = await readSealFiles(deps, id, before)
  const chains = seal.summary.timestamps.flatMap(({ ca_file }) => files.get(ca_file) ?? [])
  const root = fromHex(seal.root)
  const asked = await askPending({ root, summary: seal.summary, chains }, { timestampers: deps.timestampers, signal })
  const { pending_authorities: pending } = asked.summary
  const now = clock.now()
  const times = seal.askedAgain + 1
  const askAgainAt = pending.length === 0 ? null : nextAsk(now, times, seal.sealedAt)
  const told = { summary: asked.summary, askAgainAt, times }
  if (pending.length > 0 && askAgainAt === null)
    log.warn(
      { evidence: id, authorities: pending.map(({ authority }) => authority), days: askForDays },
      'authorities are asked no more',
    )
  if (asked.files.length === 0) {
    await updateAsked(db, id, told)
    return false
  }
  for (const { path, bytes } of asked.files) files.set(path, bytes)
  const health = healthOf(files, root, now)
  return await remakeCore(
    deps,
    id,
    {
      before,
      files: asked.files,
      commit: async (tx) => {
        if (!(await updateAsked(tx, id, told))) throw new Error('the seal was asked for by another')
        if (health !== null) await updateHealth(tx, id, health)
      },
    },
    signal,
  )
}

async function postpone({ db, clock }: RemakeDeps, id: string): Promise<void> {
  const seal = await findSeal(db, id)
  if (seal?.askAgainAt == null) return
  const times = seal.askedAgain + 1
  await updateAsked(db, id, { summary: seal.summary, askAgainAt: nextAsk(clock.now(), times, seal.sealedAt), times })
}
