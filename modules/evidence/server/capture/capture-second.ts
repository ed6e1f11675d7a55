import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attachPreflight, CaptureFailure, listSetAside } from '../../../capture/server/index.ts'
import type { CaptureLoopDeps } from './capture-loop-deps.ts'
import type { FileRecord } from '../files/file-store.ts'
import { holdClaim } from './hold-claim.ts'
import { storeLocalFile } from '../files/store-files.ts'
import { vantageFolder, vantagePath, type Outcome } from '../vantage/join-vantage.ts'
import { meetAsSecond } from '../vantage/meet.ts'
import { failVantage, giveBackVantage, keepVantage, renewVantage, type VantageClaim } from '../vantage/vantage-store.ts'

/**
 * Captures an evidence's address a second time, from this server, at the moment at which the first sets out. What it saw is
 * stored in the evidence's scope and waits for the first to take it in. Never throws: a second that fails is said.
 */
export async function captureSecond(deps: CaptureLoopDeps, claim: VantageClaim, stopping: AbortSignal): Promise<void> {
  const { evidence, fence } = claim
  const { id } = evidence
  const log = deps.log.child({ evidence_id: id })
  const renew = async () => await renewVantage(deps.db, id, fence, deps.leaseSeconds)
  const held = holdClaim(deps, { folder: `${id}.vantage.${String(fence)}`, renew, log }, stopping)
  const { workDir, signal, lost, setAside } = held
  try {
    const preflight = await held.prepare(id)
    const captured = await deps.capture({
      ...held.request(evidence, preflight),
      onProgress: () => undefined,
      beforeNavigation: async () => await meetAsSecond(deps.db, { evidenceId: id, fence }, signal, deps.meetMs),
    })
    signal.throwIfAborted()
    const outcome = await attachPreflight(captured, preflight, await listSetAside(deps.db, id), workDir)
    if (!(await keepVantage(deps.db, claim, outcome.facts, await storeAll(deps, id, outcome, workDir))))
      log.warn({}, 'the second vantage came after its lease had ended; it was dropped')
  } catch (error) {
    await settle(deps, claim, error, { lost: lost.signal.aborted, back: stopping.aborted || setAside.signal.aborted })
  } finally {
    await held.release()
  }
}

/** Every piece of the second, and its facts whole, under a role of their own: the first's are never mistaken for them. */
async function storeAll(deps: CaptureLoopDeps, id: string, outcome: Outcome, workDir: string): Promise<FileRecord[]> {
  const factsFile = join(workDir, 'vantage-facts.json')
  await writeFile(factsFile, `${JSON.stringify(outcome.facts, null, 1)}\n`)
  const scope = deps.blobs.scope(id)
  const stored: FileRecord[] = []
  const pieces = [
    ...outcome.files.map(({ path, media_type, file }) => ({ path: vantagePath(path), mediaType: media_type, file })),
    { path: `${vantageFolder}/facts.json`, mediaType: 'application/json', file: factsFile },
  ]
  for (const { path, mediaType, file } of pieces)
    stored.push(await storeLocalFile(scope, { path, section: 'piece', role: 'vantage', mediaType }, file))
  return stored
}

async function settle(
  deps: CaptureLoopDeps,
  claim: VantageClaim,
  error: unknown,
  ended: { readonly lost: boolean; readonly back: boolean },
): Promise<void> {
  const { id } = claim.evidence
  try {
    if (ended.lost)
      return deps.log.warn({ evidence_id: id }, 'a second vantage was given up: its lease was lost or the first ended')
    if (ended.back) await giveBackVantage(deps.db, claim)
    const known = error instanceof CaptureFailure
    if (!known && !ended.back) deps.log.error({ err: error, evidence_id: id }, 'a second vantage ended in a defect')
    // One that was given back is waiting again; where the first had set out already it cannot be, and fails.
    await failVantage(deps.db, id, known && !ended.back ? error.code : ended.back ? 'cancelled' : 'internal', {
      fence: claim.fence,
    })
  } catch (storeError) {
    // The first finds its lease run out.
    deps.log.error({ err: storeError, evidence_id: id }, 'the end of a second vantage could not be recorded')
  }
}
