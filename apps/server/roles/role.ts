import type { Clock } from '../../../kernel/clock.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Instruments } from '../watch/instruments.ts'

/** What a process of the server is made of; each role builds its modules from it. */
export type RoleDeps = {
  readonly config: Config
  readonly db: Db
  readonly databaseUrl: string
  readonly blobs: BlobStore
  readonly log: Log
  readonly clock: Clock
  /** Signs links. */
  readonly secret: string
  /** Hears what is counted. */
  readonly instruments: Instruments
}

export type RunningRole = {
  /** Ends the role's work; afterwards nothing of it uses the database. */
  stop(): Promise<void>
  /** Rejects when the role cannot go on by itself; the process then ends and is started again. */
  readonly finished?: Promise<void>
  /** Whether it can do its work now; where it does not tell, since it was started. */
  isReady?(): boolean
  /** Port that the web role listens on. */
  readonly port?: number
}

export const roleNames = ['web', 'worker', 'capture'] as const
export type RoleName = (typeof roleNames)[number]

export function isRoleName(text: string | undefined): text is RoleName {
  return roleNames.some((name) => name === text)
}
