/** A whole capture server in the test's hands: registered, preflighted, claiming and capturing for real. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import {
  captureStatic,
  createServerMeasurement,
  defaultCaptureLimits,
  startCaptureServer,
} from '../../../capture/server/index.ts'
import { startCaptureLoop, type CaptureLoop } from '../capture/capture-loop.ts'

const nobody = async () => await Promise.resolve(null)
/** Reads the browser's files once, for every server of this process. */
const measure = createServerMeasurement({
  probes: { measureClockOffset: nobody, measurePublicAddress: nobody },
  isolationOverride: false,
})

export async function startLoop(input: {
  readonly db: Db
  readonly databaseUrl: string
  readonly folder: string
  readonly id: string
  /** `ip:port` of the site. */
  readonly address: string
  readonly leaseSeconds?: number
  readonly meetMs?: number
}): Promise<{ stop(): Promise<void> }> {
  const { db, folder, id } = input
  const workFolder = join(folder, 'work', id)
  await mkdir(workFolder, { recursive: true })
  let loop: CaptureLoop | undefined
  const server = await startCaptureServer({
    db,
    clock: systemClock,
    log: silentLog,
    server: { id, name: `Server ${id}`, country: 'FR', city: 'Lyon', kind: 'public' },
    folder: join(folder, 'servers', id),
    measure,
    // Has tests of its own.
    measureSilence: () => Promise.resolve(null),
    capacity: 1,
    aliveSeconds: 30,
    pin: 'at-start',
    onReady: () => loop?.wake(),
  })
  loop = await startCaptureLoop({
    db,
    databaseUrl: input.databaseUrl,
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    clock: systemClock,
    log: silentLog,
    concurrency: 1,
    workFolder,
    leaseSeconds: input.leaseSeconds ?? 20,
    server,
    // A busy machine may take its time over either.
    meetMs: input.meetMs ?? 90_000,
    capture: async ({ signal, ...request }) =>
      await captureStatic(
        { ...request, limits: defaultCaptureLimits, allowAddresses: [input.address], includeTlsKeys: false },
        { clock: systemClock, log: silentLog, signal, isolationOverride: false },
      ),
  })
  const started = loop
  return {
    stop: async () => {
      await started.stop(0)
      await server.stop()
    },
  }
}
