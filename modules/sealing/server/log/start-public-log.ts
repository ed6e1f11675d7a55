import { join } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Config } from '../../../../platform/config/config.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { enqueue, type Job, type JobHandler } from '../../../../platform/jobs/jobs.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import type { Keyring } from '../keyring/signer.ts'
import { cosignLogCrontab, cosignLogHandler, cosignLogJob, witnessesOf } from './ask-witnesses.ts'
import { openPublicLog } from './open-public-log.ts'
import type { PublicLog } from './public-log.ts'
import { serveWitness } from './serve-witness.ts'
import { witnessedLogs } from './witness.ts'

export const witnessFolder = (dataFolder: string): string => join(dataFolder, 'witness')

/** No witness of an operator's choice is worth more of a worker's time. */
const witnessTimeoutMs = 15_000

/** The log of a process that holds keys, the job that has witnesses cosign it, and this installation as a witness of others. */
export async function startPublicLog(deps: {
  readonly db: Db
  readonly keyring: Keyring
  readonly clock: Clock
  readonly log: Notes
  readonly config: Pick<Config, 'dataFolder' | 'publicLog'>
}): Promise<{
  readonly publicLog: PublicLog
  readonly jobs: readonly Job[]
  readonly handlers: readonly JobHandler[]
  readonly crontab: string
  close(): Promise<void>
}> {
  const { db, keyring, clock, log } = deps
  const { origin, witnesses, witnessName, witnessed } = deps.config.publicLog
  const asked = witnessesOf(witnesses)
  const publicLog = await openPublicLog({
    db,
    keyring,
    clock,
    origin,
    folder: join(deps.config.dataFolder, 'log'),
    witnesses: asked.map(({ key }) => key),
    onCheckpoint: () => {
      if (asked.length === 0) return
      // Whoever seals waits for none of it; what is missed here is done within the minute.
      enqueue(db, cosignLogJob, {}, { key: cosignLogJob.name }).catch((error: unknown) => {
        log.warn({ err: error }, 'the witnesses could not be called')
      })
    },
  })
  const logs = witnessedLogs(witnessed)
  const serving =
    logs.size === 0
      ? null
      : await serveWitness({ db, clock, keyring, log, logs, name: witnessName, folder: witnessFolder(deps.config.dataFolder) })
  return {
    publicLog,
    jobs: [cosignLogJob],
    // The witnesses are the operator's own choice, as time authorities are: they may be on its own network.
    handlers: [
      cosignLogHandler({ db, clock, log, witnesses: asked, rules: { allowAddresses: 'any', timeoutMs: witnessTimeoutMs } }),
    ],
    crontab: asked.length === 0 ? '' : cosignLogCrontab,
    close: async () => await serving?.close(),
  }
}
