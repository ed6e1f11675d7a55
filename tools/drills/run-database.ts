/** `node run-database.ts FOLDER ADDRESS`: the embedded PostgreSQL, for once at an address of the network. Without a password: the network is that of a drill. */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../platform/db/embedded-postgres.ts'
import { silentLog } from '../../platform/log/log.ts'

const [folder = '', address = ''] = process.argv.slice(2)
const rules = join(folder, 'cluster', 'pg_hba.conf')
if (!existsSync(rules)) {
  await (await startEmbeddedPostgres({ dataDir: folder, log: silentLog })).stop()
  appendFileSync(rules, `host all all ${address}/24 trust\nhost replication all ${address}/24 trust\n`)
}
const database = await startEmbeddedPostgres({ dataDir: folder, log: silentLog, settings: { listen_addresses: address } })
process.once('SIGTERM', () => void database.stop())
await database.exited
