import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  captureLimitsFrom,
  captureStatic,
  createConditionProbes,
  createServerMeasurement,
  createSilenceMeasurement,
  measureClockOffset,
  machineKey,
  measurePublicAddress,
  registerMachine,
  serverFolder,
  serverIdentity,
  startCaptureServer,
  onePage,
  startWarmPool,
  sweepSessionFolders,
  type CaptureServerProcess,
} from '../../../modules/capture/server/index.ts'
import { startCaptureLoop, type CaptureLoop } from '../../../modules/evidence/server/index.ts'
import { makeCaptureFolder, sweepCaptureFolders } from './capture-folders.ts'
import { kindsOfSession, offerSessions } from './offer-sessions.ts'
import { askNotary, ownAuthorityOf } from '../../../modules/sealing/server/index.ts'
import { watchCapture } from '../watch/watch-calls.ts'
import type { RoleDeps, RunningRole } from './role.ts'

/** Running captures get this long at an orderly stop; then they go back to the queue. */
const graceMs = 5_000
/** Live sessions, which cannot be done again, get this long to be completed; then they are lost. */
const completeMs = 45_000

/** Owns browsers: claims waiting captures and does them. */
export async function startCapture(deps: RoleDeps): Promise<RunningRole> {
  const { config, log, clock } = deps
  const folders = join(config.dataFolder, 'captures')
  const left = await sweepCaptureFolders(folders)
  if (left > 0) log.info({ left }, 'what capture processes that were killed left was removed')
  const workFolder = await makeCaptureFolder(folders)
  await sweepSessionFolders()
  const limits = captureLimitsFrom(config.captureLimits)
  const allowAddresses = config.allowAddresses
  const isolationOverride = config.unjailedBrowser
  // No key is ever read in this process, which works for anybody's pages (decision 0126).
  const notary = askNotary({ folder: join(config.dataFolder, 'notary'), urls: config.tsaUrls, clock, log })
  const ownNotary = ownAuthorityOf(notary)
  const conditions = createConditionProbes(config.conditions, {
    kept: { folder: join(config.dataFolder, 'servers'), clock },
  })
  const identity = await serverIdentity(config)
  const folder = serverFolder(config.dataFolder, identity.id)
  if (!(await registerMachine(deps, identity, await machineKey(folder, config.server.key))))
    log.warn(
      { server_id: identity.id },
      'this capture server is not one of the installation and takes nothing until it joins: an administrator invites it on /admin/servers/ or by `probant server invite`, then `probant server join TOKEN` here',
    )
  let loop: CaptureLoop | undefined
  const started = Promise.withResolvers<CaptureServerProcess>()
  const sessions = await offerSessions({
    ...deps,
    workFolder,
    limits,
    notary,
    ownNotary,
    conditions,
    preflight: async () => (await (await started.promise).examine(null)) !== null,
  })
  const server = await startCaptureServer({
    db: deps.db,
    clock,
    log,
    server: identity,
    folder,
    measure: createServerMeasurement({
      probes: {
        measureClockOffset: async () => await measureClockOffset(config.conditions, clock),
        measurePublicAddress: async () => await measurePublicAddress(config.conditions, clock),
      },
      isolationOverride,
      imageDigest: config.server.imageDigest,
    }),
    measureSilence: createSilenceMeasurement({
      clock,
      log,
      folder: join(config.dataFolder, 'servers'),
      kinds: kindsOfSession(config),
      isolationOverride,
    }),
    capacity: config.captureConcurrency,
    interactiveCapacity: sessions?.capacity ?? 0,
    aliveSeconds: config.captureLeaseSeconds,
    pin: config.server.pin,
    onReady: () => loop?.wake(),
  })
  started.resolve(server)
  const warmPool = startWarmPool(
    {
      kind: onePage,
      size: config.warmBrowsers,
      concurrency: config.captureConcurrency,
      folder: join(workFolder, 'ready'),
      limits,
      allowAddresses,
    },
    { clock, log, isolationOverride, preflight: async () => (await server.examine(null)) !== null },
  )
  loop = await startCaptureLoop({
    db: deps.db,
    blobs: deps.blobs,
    clock,
    log,
    databaseUrl: deps.databaseUrl,
    perTarget: config.perTarget,
    concurrency: config.captureConcurrency,
    leaseSeconds: config.captureLeaseSeconds,
    meetMs: config.secondServerWaitSeconds * 1000,
    workFolder,
    server,
    ...(sessions === null ? {} : { interactive: sessions }),
    capture: watchCapture(
      'static',
      async ({ signal, outsideStamps, ...request }) =>
        await warmPool.during(
          async () =>
            await captureStatic(
              { ...request, operator: config.operator, limits, allowAddresses, includeTlsKeys: false },
              { clock, log, signal, isolationOverride, warmPool, notary: outsideStamps ? notary : ownNotary, conditions },
            ),
        ),
      deps.instruments,
    ),
  })
  return {
    // Set aside, it takes nothing: another one is wanted.
    isReady: () => server.isReady(),
    async stop() {
      await loop?.stop(graceMs, completeMs)
      await sessions?.stop()
      await warmPool.stop()
      await server.stop()
      await rm(workFolder, { recursive: true, force: true })
    },
  }
}
