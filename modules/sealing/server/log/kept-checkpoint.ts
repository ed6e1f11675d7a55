import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { equalBytes } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { parseCheckpoint } from '../../../verification/server/index.ts'
import { findCheckpoint } from './log-store.ts'
import type { Checkpoint } from './public-log.ts'

/**
 * The newest checkpoint that was given out from this data folder, beside the database: a database that was put back from an
 * older copy would sign another history of the same log, which is the one thing that a log must never do.
 */
export type KeptCheckpoint = {
  /**
   * Nothing may be signed unless the database still holds what was given out.
   * @throws DomainError `sealing.log_went_back` or `sealing.log_kept_damaged`
   */
  refuseOlder(db: Db | Tx): Promise<void>
  /** On disk before what it says is given out. A smaller one than the kept one changes nothing. */
  keep(checkpoint: Checkpoint): Promise<void>
}

const fileName = 'newest-checkpoint'

export async function openKeptCheckpoint(folder: string): Promise<KeptCheckpoint> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, fileName)
  // Several processes may share the folder: what stands in the file counts, not what this one wrote.
  const read = async () => {
    const bytes = await readFile(path).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    })
    if (bytes === null) return null
    const kept = parseCheckpoint(bytes)
    if (kept === null) throw new DomainError('unavailable', 'sealing.log_kept_damaged', { path })
    return kept
  }
  let turn: Promise<unknown> = Promise.resolve()
  return {
    async refuseOlder(db) {
      const kept = await read()
      if (kept === null) return
      const stored = await findCheckpoint(db, kept.size)
      if (stored === null || !equalBytes(stored.rootHash, kept.rootHash))
        throw new DomainError('unavailable', 'sealing.log_went_back', { path, size: kept.size, origin: kept.origin })
    },
    async keep(checkpoint) {
      const next = turn.then(async () => {
        const kept = await read()
        if (kept !== null && kept.size >= checkpoint.size) return
        const temporary = `${path}.${randomBytes(8).toString('hex')}`
        const handle = await open(temporary, 'wx', 0o600)
        try {
          await handle.writeFile(checkpoint.note)
          await handle.sync()
        } finally {
          await handle.close()
        }
        try {
          await rename(temporary, path)
        } catch (error) {
          await rm(temporary, { force: true })
          throw error
        }
      })
      turn = next.catch(() => undefined)
      await next
    },
  }
}
