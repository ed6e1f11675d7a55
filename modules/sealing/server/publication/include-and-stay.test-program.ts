/** Puts a root into the log, says so, and waits to be killed: as a worker that dies between the log and the seal. */
import { fromHex } from '../../../../kernel/bytes.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import { openPublicLog } from '../log/open-public-log.ts'

const [url = '', keys = '', folder = '', origin = '', root = ''] = process.argv.slice(2)
const db = openDatabase(url, { log: silentLog })
const keyring = await openKeyring({ dir: keys, clock: systemClock, log: silentLog })
const log = await openPublicLog({ db, keyring, clock: systemClock, origin, folder })
const { logged } = await log.include(fromHex(root))
process.stdout.write(`${logged.index} ${Buffer.from(logged.salt).toString('hex')}\n`)
setInterval(() => undefined, 60_000)
