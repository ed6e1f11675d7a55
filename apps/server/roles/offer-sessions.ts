import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  captureInteractive,
  startWarmPool,
  type CaptureLimits,
  type ConditionProbes,
  type Notary,
} from '../../../modules/capture/server/index.ts'
import { admitByLoad, openSessionsDoor, type InteractiveDeps } from '../../../modules/evidence/server/index.ts'
import type { RoleDeps } from '../role.ts'

/** Besides the browser: display, sound, encoder, pointer, clipboard. */
const programs = ['Xvfb', 'pulseaudio', 'ffmpeg', 'xdotool', 'xclip'].map((name) => join('/usr/bin', name))

export type OfferedSessions = InteractiveDeps & { stop(): Promise<void> }

/** What a capture process needs to take live sessions; null: it takes none, and the log says why. */
export async function offerSessions(
  deps: RoleDeps & {
    readonly workFolder: string
    readonly limits: CaptureLimits
    readonly notary: Notary
    /** That asks no authority outside the installation. */
    readonly ownNotary: Notary
    readonly conditions: ConditionProbes
    /** Whether this server is as it was pinned. */
    readonly preflight: () => Promise<boolean>
  },
): Promise<OfferedSessions | null> {
  const { config, db, log, clock, limits, notary, ownNotary, conditions } = deps
  const { interactive, allowAddresses } = config
  if (interactive.sessions === 0) return null
  const missing = programs.filter((file) => !existsSync(file))
  if (config.unjailedBrowser || missing.length > 0) {
    log.warn({ missing, unjailed: config.unjailedBrowser }, 'live sessions are not offered: they need these programs and a jail')
    return null
  }
  const door = await openSessionsDoor({ db, log, listen: interactive.listen, announced: interactive.address })
  const pool = startWarmPool(
    {
      kind: 'visitor',
      size: interactive.warm,
      concurrency: interactive.sessions,
      folder: join(deps.workFolder, 'ready-sessions'),
      limits,
      allowAddresses,
    },
    { clock, log, isolationOverride: false, preflight: deps.preflight },
  )
  return {
    door,
    capacity: interactive.sessions,
    admits: admitByLoad(interactive.maxLoadPerCore),
    sessionMs: interactive.seconds * 1000,
    graceMs: interactive.graceSeconds * 1000,
    capture: async ({ signal, outsideStamps, ...request }) =>
      await pool.during(
        async () =>
          await captureInteractive(
            { ...request, limits, allowAddresses, includeTlsKeys: false },
            {
              clock,
              log,
              signal,
              isolationOverride: false,
              warmPool: pool,
              notary: outsideStamps ? notary : ownNotary,
              conditions,
            },
          ),
      ),
    async stop() {
      await door.stop()
      await pool.stop()
    },
  }
}
