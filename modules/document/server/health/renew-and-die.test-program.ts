/** A worker that renews the time stamps of deposits at an instant that is told, and is killed at a moment that is told: `stamped`, `committing`, `committed`, `never`. */
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createTimestampers, openKeyring } from '../../../sealing/server/index.ts'
import { renewBatches } from './renew-batches.ts'

const [databaseUrl = '', folder = '', when = '', instant = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { max: 2, log: silentLog })

function dieWhen(moment: string): void {
  if (moment === when) process.kill(process.pid, 'SIGKILL')
}

const clock = { now: () => new Date(Number(instant)) }
const keyring = await openKeyring({ dir: `${folder}/keys`, clock, log: silentLog })
let isStamped = false
const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog }).map((own) => ({
  ...own,
  timestamp: async (digest: Uint8Array) => {
    const stamp = await own.timestamp(digest)
    dieWhen('stamped')
    isStamped = true
    return stamp
  },
}))
let asked = 0
const watched = {
  now: () => {
    if (isStamped) asked += 1
    // Of each of the two batches once for what it gains; then by the transaction, which has written the stamp.
    if (asked > 2) dieWhen('committing')
    return clock.now()
  },
}
await renewBatches({ db, clock: watched, log: silentLog, timestampers }, new AbortController().signal)
dieWhen('committed')
await db.destroy()
