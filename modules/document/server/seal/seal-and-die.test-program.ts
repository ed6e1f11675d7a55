/** A worker that seals deposits until it is killed at the moment that is told: `stamped`, `logged`, `committing`, `committed`, `never`. */
import { systemClock } from '../../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { handle } from '../../../../platform/jobs/jobs.ts'
import { runWorker } from '../../../../platform/jobs/worker.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createTimestampers, openKeyring, openPublicLog } from '../../../sealing/server/index.ts'
import { sealBatchJob } from '../deposit/jobs.ts'
import { sealBatch } from './seal-batch.ts'

const [databaseUrl = '', folder = '', when = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { max: 5, log: silentLog })

function dieWhen(moment: string): void {
  if (moment === when) process.kill(process.pid, 'SIGKILL')
}

const keyring = await openKeyring({ dir: `${folder}/keys`, clock: systemClock, log: silentLog })
const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog }).map((own) => ({
  ...own,
  timestamp: async (digest: Uint8Array, signal?: AbortSignal) => {
    const stamp = await own.timestamp(digest, signal)
    dieWhen('stamped')
    return stamp
  },
}))
const log = await openPublicLog({ db, keyring, clock: systemClock, origin: 'proofs.example/log', folder: `${folder}/log` })
const publicLog = {
  ...log,
  include: async (root: Uint8Array) => {
    const included = await log.include(root)
    dieWhen('logged')
    return included
  },
}
const blobs = createFolderBlobStore(`${folder}/blobs`)
let asked = 0
const clock = {
  now: () => {
    asked += 1
    // First for the signature; then by whoever commits, who holds the batch.
    if (asked > 1) dieWhen('committing')
    return new Date()
  },
}

await runWorker({
  databaseUrl,
  jobs: [sealBatchJob],
  handlers: [
    handle(sealBatchJob, async ({ batch_id }) => {
      await sealBatch({ db, blobs, clock, log: silentLog, keyring, timestampers, publicLog }, batch_id)
      dieWhen('committed')
    }),
  ],
  concurrency: 1,
  log: silentLog,
})
