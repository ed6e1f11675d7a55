import { coverEntries, wishedTimestampers, type SealedFile, type Timestamper } from '../../../sealing/server/index.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { deleteFiles, insertFiles, listFiles, orderFiles, replaceFile, type FileRecord } from '../files/file-store.ts'
import { storeBytes } from '../files/store-files.ts'
import { findEvidence, lockEvidence } from '../record/store.ts'
import { coverMediaType } from './lay-out.ts'

export type RemakeDeps = EvidenceDeps & { readonly timestampers: readonly Timestamper[] }

/**
 * Makes the core of a final package anew with files of the seal that came later: those that it has already are exchanged, others come
 * after the last of the seal; the list of the core is made again, with a token of its own. Everything else stays as it was, and the
 * package as it was still verifies. Bytes first, then one transaction: a crash leaves the package as it was.
 * @param before the files from which the change was decided
 * @param commit what is to be true together with the new package
 * @returns false, and nothing is changed, when the package is no longer the one that `before` says
 */
export async function remakeCore(
  deps: RemakeDeps,
  evidenceId: string,
  change: {
    readonly before: readonly FileRecord[]
    readonly files: readonly SealedFile[]
    readonly commit: (tx: Tx, now: Date) => Promise<void>
  },
  signal: AbortSignal,
): Promise<boolean> {
  const evidence = await findEvidence(deps.db, evidenceId)
  if (evidence === null) return false
  const timestampers = wishedTimestampers(deps.timestampers, { ownOnly: !evidence.outsideStamps })
  const scope = deps.blobs.scope(evidenceId)
  const changed: FileRecord[] = []
  for (const { path, media_type: mediaType, bytes } of change.files)
    changed.push(await storeBytes(scope, { path, section: 'seal', role: null, mediaType }, bytes))
  const core = withChanged(
    change.before.filter(({ section }) => section === 'seal' || section === 'core'),
    changed,
  )
  const covers: FileRecord[] = []
  const covered = core.filter(({ path }) => path !== 'mimetype').map(({ path, sha256 }) => ({ path, sha256 }))
  for (const { path, bytes } of await coverEntries({ number: 1, entries: covered }, { timestampers, signal }))
    covers.push(await storeBytes(scope, { path, section: 'cover_core', role: null, mediaType: coverMediaType(path) }, bytes))

  return await deps.db.transaction().execute(async (tx) => {
    const locked = await lockEvidence(tx, evidenceId)
    if (locked?.status !== 'final' || locked.contentDeletedAt !== null) return false
    if (!isSame(await listFiles(tx, evidenceId), change.before)) return false
    const had = new Set(change.before.map(({ path }) => path))
    for (const file of changed.filter(({ path }) => had.has(path))) await replaceFile(tx, evidenceId, file)
    await deleteFiles(
      tx,
      evidenceId,
      covers.map(({ path }) => path),
    )
    await insertFiles(tx, evidenceId, [...changed.filter(({ path }) => !had.has(path)), ...covers])
    const order = [
      ...core,
      ...change.before.filter(({ section }) => section === 'piece'),
      ...covers,
      ...change.before.filter(({ section }) => section === 'cover_pieces'),
    ]
    await orderFiles(
      tx,
      evidenceId,
      order.map(({ path }) => path),
    )
    await change.commit(tx, deps.clock.now())
    return true
  })
}

function isSame(now: readonly FileRecord[], before: readonly FileRecord[]): boolean {
  const known = new Map(before.map(({ path, sha256 }) => [path, sha256]))
  return now.length === before.length && now.every(({ path, sha256 }) => known.get(path) === sha256)
}

/** New ones after the other files of the seal (docs/package-format.md). */
function withChanged(core: readonly FileRecord[], changed: readonly FileRecord[]): FileRecord[] {
  const byPath = new Map(changed.map((file) => [file.path, file]))
  const had = new Set(core.map(({ path }) => path))
  const kept = core.map((file) => byPath.get(file.path) ?? file)
  const last = kept.findLastIndex(({ path }) => path.startsWith('seal/'))
  return [...kept.slice(0, last + 1), ...changed.filter(({ path }) => !had.has(path)), ...kept.slice(last + 1)]
}
