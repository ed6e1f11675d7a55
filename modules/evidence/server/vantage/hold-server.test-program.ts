/** Started by a test, which kills it: one capture server. `argv`: database, folder, id, address of the site. */
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { startLoop } from './start-loop.fixture.ts'

const [databaseUrl = '', folder = '', id = '', address = ''] = process.argv.slice(2)
await startLoop({ db: openDatabase(databaseUrl, { max: 5, log: silentLog }), databaseUrl, folder, id, address, leaseSeconds: 6 })
