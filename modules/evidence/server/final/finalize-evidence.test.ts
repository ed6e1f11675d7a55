import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { systemClock as clock } from '../../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { sampleFacts } from '../../../report/server/sample-report.test-data.ts'
import { createTimestampers, openKeyring, openPublicLog } from '../../../sealing/server/index.ts'
import { finalizingMinutes } from '../../domain/told-times.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { agreeEvidence } from '../draft/agree-evidence.ts'
import { insertFiles } from '../files/file-store.ts'
import { storeBytes } from '../files/store-files.ts'
import { webDeps } from '../health/final-evidence.test-data.ts'
import { claimNext, closeCapture } from '../queue/lease-store.ts'
import { findEvidence } from '../record/store.ts'
import { sealEvidence } from '../seal/seal-evidence.ts'
import { finalizeEvidence } from './finalize-evidence.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-finalize-'))
afterEach(() => vi.restoreAllMocks())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('K-02 a report that is not ready in the ten minutes that are told is broken off, leaves nothing behind and stays to be made', async () => {
  const { db } = database
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const publicLog = await openPublicLog({ db, keyring, clock, origin: 'log.example/log', folder: join(folder, 'log') })
  const blobs = createFolderBlobStore(join(folder, 'blobs'))
  const world = { db, blobs, clock, keyring, timestampers, publicLog }
  const deps = { ...webDeps(world), ...world }
  const asked = { url: 'https://boutique.example/', action: 'static', locale: 'en' } as const
  const { evidence, token } = await createEvidence(deps, asked, { addressPrefix: null })
  const { id } = evidence
  const claim = await claimNext(db, await haveServer(db, 'a'), 600)
  const described = { path: 'capture/page.html', section: 'piece', role: 'dom', mediaType: 'text/html' } as const
  const piece = await storeBytes(blobs.scope(id), described, Buffer.from('<p>What was seen'))
  await db.transaction().execute(async (tx) => {
    await closeCapture(tx, id, claim?.fence ?? 0, { status: 'completing', facts: sampleFacts(900) })
    await insertFiles(tx, id, [piece])
  })
  await sealEvidence(deps, id)
  await agreeEvidence(deps, { evidenceToken: token }, id)

  // The clock that breaks it off, which runs out at once.
  const set: number[] = []
  const over = new DOMException('the ten minutes are over', 'TimeoutError')
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    set.push(milliseconds)
    return milliseconds === finalizingMinutes * 60_000 ? AbortSignal.abort(over) : new AbortController().signal
  })
  const workFolder = join(folder, 'work')
  const options = { ...deps, verifyHtmlFile: join(folder, 'verify.html'), workFolder, siteUrl: null }
  await expect(finalizeEvidence(options, id, new AbortController().signal)).rejects.toBe(over)
  expect(set).toContain(600_000)
  expect((await findEvidence(db, id))?.status).toBe('finalizing')
  expect(readdirSync(workFolder)).toEqual([])
})
