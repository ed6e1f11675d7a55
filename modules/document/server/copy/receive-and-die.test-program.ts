/** A server that takes deposits and copies of files until it is killed; prints its port. */
import { systemClock } from '../../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { copyLimits, linkSecret, testVault, userByBearer } from '../deposits.test-data.ts'
import { copyRoutes } from './copy-routes.ts'

const [databaseUrl = '', folder = ''] = process.argv.slice(2)
const server = await createHttpServer({
  config: { ...loadConfig({}), environment: 'development' },
  log: silentLog,
  clock: systemClock,
  secret: linkSecret,
  routes: copyRoutes({
    db: openDatabase(databaseUrl, { max: 5, log: silentLog }),
    blobs: createFolderBlobStore(`${folder}/blobs`),
    clock: systemClock,
    log: silentLog,
    vault: testVault,
    copyLimits,
  }),
  health: {},
  authenticate: userByBearer,
})
const address = await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${address}\n`)
