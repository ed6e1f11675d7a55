/**
 * `node run-database.ts FOLDER NETWORK [PRIMARY]`: the embedded PostgreSQL, for once at every address of its machine; a standby of `PRIMARY` where its folder
 * says that it is one. Without a password: the network is that of a drill.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../platform/db/embedded-postgres.ts'
import { silentLog } from '../../platform/log/log.ts'

const [folder = '', network = '', primary] = process.argv.slice(2)
const rules = join(folder, 'cluster', 'pg_hba.conf')
if (!existsSync(rules)) {
  await (await startEmbeddedPostgres({ dataDir: folder, log: silentLog })).stop()
  appendFileSync(rules, `host all all ${network} trust\nhost replication all ${network} trust\n`)
}
const settings = {
  listen_addresses: '*',
  // What a standby that was away has to catch up with.
  wal_keep_size: '512MB',
  // A standby that fell silent is noticed, and its place is free.
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '10s',
  ...(primary === undefined ? {} : { primary_conninfo: `host=${primary} user=probant application_name=standby` }),
}
const database = await startEmbeddedPostgres({ dataDir: folder, log: silentLog, settings })
process.once('SIGTERM', () => void database.stop())
await database.exited
