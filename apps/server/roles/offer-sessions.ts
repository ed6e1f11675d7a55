import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  onePage,
  startWarmPool,
  type CaptureLimits,
  type ConditionProbes,
  type Notary,
  type SessionKind,
} from '../../../modules/capture/server/index.ts'
import { admitByLoad, captureInteractive, openSessionsDoor, steeredBrowser } from '../../../modules/live/server/index.ts'
import type { InteractiveDeps } from '../../../modules/evidence/server/index.ts'
import { openAdmissions } from '../../../platform/admission/admissions.ts'
import type { Config } from '../../../platform/config/config.ts'
import { watchCapture } from '../watch/watch-calls.ts'
import type { RoleDeps } from './role.ts'
import { viewerRights } from './viewer-rights.ts'

/** Besides the browser: display, sound, encoder, pointer, clipboard. */
const programs = ['Xvfb', 'pulseaudio', 'ffmpeg', 'xdotool', 'xclip'].map((name) => join('/usr/bin', name))

/** Programs that live sessions need and this machine lacks. */
export const missingPrograms = (): readonly string[] => programs.filter((file) => !existsSync(file))

/** Kinds of session that a capture process of these settings makes on this machine. */
export const kindsOfSession = ({ interactive, unjailedBrowser }: Config): readonly SessionKind<unknown>[] =>
  interactive.sessions === 0 || unjailedBrowser || missingPrograms().length > 0 ? [onePage] : [onePage, steeredBrowser]

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
  const { config, log, clock, limits, notary, ownNotary, conditions } = deps
  const { interactive, allowAddresses } = config
  if (interactive.sessions === 0) return null
  const missing = missingPrograms()
  if (config.unjailedBrowser || missing.length > 0) {
    log.warn({ missing, unjailed: config.unjailedBrowser }, 'live sessions are not offered: they need these programs and a jail')
    return null
  }
  const admissions = await openAdmissions(deps)
  const rights = viewerRights(deps, admissions)
  const door = await openSessionsDoor({ rights, log, listen: interactive.listen, announced: interactive.address })
  const pool = startWarmPool(
    {
      kind: steeredBrowser,
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
    capture: watchCapture(
      'interactive',
      async ({ signal, outsideStamps, ...request }) =>
        await pool.during(
          async () =>
            await captureInteractive(
              { ...request, operator: config.operator, limits, allowAddresses, includeTlsKeys: false },
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
      deps.instruments,
    ),
    async stop() {
      await door.stop()
      await admissions.close()
      await pool.stop()
    },
  }
}
