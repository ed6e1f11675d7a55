/**
 * One process of a test: `capture <server>` with a scripted browser, or `web`. Says where it is reached over its channel, then
 * works until it is killed.
 */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openAdmissions } from '../../../../platform/admission/admissions.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createEvidenceChanges } from '../record/evidence-changes.ts'
import { askForViewer } from '../live-calls/ask-for-viewer.ts'
import { evidenceRoutes } from '../routes.ts'
import { startScriptedProcess } from './scripted-capture.test-data.ts'
import { createViewersDoor, type ViewerRights } from '../../../live/server/index.ts'

const [role = '', databaseUrl = '', folder = '', serverId = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { max: 5, log: silentLog })
process.on('disconnect', () => process.exit(0))

async function capture(): Promise<string> {
  const started = await startScriptedProcess({ db, databaseUrl, folder, serverId, leaseSeconds: 20, capacity: 8 })
  return started.door.address
}

async function web(): Promise<string> {
  const common = { db, log: silentLog, clock: { now: () => new Date() }, secret: 's'.repeat(32), trustLoopback: true }
  const rights: ViewerRights = {
    ...common,
    admissions: await openAdmissions({ databaseUrl, ...common }),
    ask: async (id, ground) => await askForViewer(common, id, ground),
  }
  const viewers = createViewersDoor({ ...common, rights, publicUrl: 'https://probant.example' })
  const routes = evidenceRoutes(
    { ...common, blobs: createFolderBlobStore(join(folder, 'blobs')), allowAddresses: [], scenarios: [] },
    createEvidenceChanges(),
  )
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: common.secret,
    routes,
    health: {},
    extend: (app) => viewers.register(app),
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`
}

process.send?.({ address: role === 'web' ? await web() : await capture() })
