import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
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
   * @throws DomainError `sealing.log_held`, `sealing.log_went_back` or `sealing.log_kept_damaged`
   */
  refuseOlder(db: Db | Tx): Promise<void>
  /** As it was signed; null: there is none. */
  note(): Promise<Uint8Array | null>
  /** The log may go on from here: what is kept is what the database holds now. */
  letGo(newest: Checkpoint | null): Promise<void>
  /** On disk before what it says is given out. A smaller one than the kept one changes nothing. */
  keep(checkpoint: Checkpoint): Promise<void>
}

const fileName = 'newest-checkpoint'

/**
 * After a restore nobody knows here what was given out since the backup: the next leaf could be a second tree of a size that was signed
 * already. So the log is held: nothing is appended until somebody has brought the newest checkpoint that is known outside, or has said
 * that there is none (decision 0451).
 */
const heldFile = 'held'

export async function holdLog(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await open(join(folder, heldFile), 'w', 0o600)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function openKeptCheckpoint(folder: string): Promise<KeptCheckpoint> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, fileName)
  // Several processes may share the folder: what stands in the file counts, not what this one wrote.
  const note = async () =>
    await readFile(path).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    })
  const read = async () => {
    const bytes = await note()
    if (bytes === null) return null
    const kept = parseCheckpoint(bytes)
    if (kept === null) throw new DomainError('unavailable', 'sealing.log_kept_damaged', { path })
    return kept
  }
  const write = async (checkpoint: Checkpoint) => {
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
  }
  let turn: Promise<unknown> = Promise.resolve()
  return {
    async refuseOlder(db) {
      if (existsSync(join(folder, heldFile))) throw new DomainError('unavailable', 'sealing.log_held')
      const kept = await read()
      if (kept === null) return
      const stored = await findCheckpoint(db, kept.size)
      if (stored === null || !equalBytes(stored.rootHash, kept.rootHash))
        throw new DomainError('unavailable', 'sealing.log_went_back', { path, size: kept.size, origin: kept.origin })
    },
    note,
    async letGo(newest) {
      if (newest === null) await rm(path, { force: true })
      else await write(newest)
      await rm(join(folder, heldFile), { force: true })
    },
    async keep(checkpoint) {
      const next = turn.then(async () => {
        const kept = await read()
        if (kept !== null && kept.size >= checkpoint.size) return
        await write(checkpoint)
      })
      turn = next.catch(() => undefined)
      await next
    },
  }
}
