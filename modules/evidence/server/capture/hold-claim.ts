import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaptureServerProcess, StartedBrowser } from '../../../capture/server/index.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { Capture, CaptureLoopDeps } from './capture-loop-deps.ts'
import { preparationOf } from './capture-options.ts'
import type { EvidenceRecord } from '../record/store.ts'

type Preflight = NonNullable<Awaited<ReturnType<CaptureServerProcess['examine']>>>

export type HeldClaim = {
  readonly workDir: string
  /** Aborted when the process stops, the lease is lost, or the server is set aside. */
  readonly signal: AbortSignal
  readonly lost: AbortController
  readonly setAside: AbortController
  /** An empty work folder, and the server compared with what was pinned. @throws the signal's reason when it differs */
  prepare(evidenceId: string): Promise<Preflight>
  /** What every capture of this evidence is asked for; a browser that differs from what was pinned sets the server aside. */
  request(evidence: EvidenceRecord, preflight: Preflight): Omit<Parameters<Capture>[0], 'onProgress' | 'beforeNavigation'>
  /** Ends the heartbeat and removes the folder. Never throws. */
  release(): Promise<void>
}

/** What every claimed capture needs while it runs: its lease renewed, its folder, and what ends it early. */
export function holdClaim(
  deps: Pick<CaptureLoopDeps, 'workFolder' | 'leaseSeconds' | 'server'>,
  claim: { readonly folder: string; readonly renew: () => Promise<boolean>; readonly log: Log },
  stopping: AbortSignal,
): HeldClaim {
  const workDir = join(deps.workFolder, claim.folder)
  const lost = new AbortController()
  const setAside = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal, setAside.signal])
  const heartbeat = setInterval(
    () => {
      claim.renew().then(
        (held) => {
          if (!held) lost.abort()
        },
        (error: unknown) => claim.log.warn({ err: error }, 'lease could not be renewed'),
      )
    },
    (deps.leaseSeconds * 1000) / 3,
  )
  return {
    workDir,
    signal,
    lost,
    setAside,
    async prepare(evidenceId) {
      await rm(workDir, { recursive: true, force: true })
      await mkdir(workDir, { recursive: true, mode: 0o700 })
      const preflight = await deps.server.examine(evidenceId)
      if (preflight === null) setAside.abort()
      signal.throwIfAborted()
      if (preflight === null) throw new Error('an aborted signal did not throw')
      return preflight
    },
    request: (evidence, preflight) => ({
      evidenceId: evidence.id,
      url: evidence.requestedUrl,
      locale: evidence.locale,
      workDir,
      signal,
      outsideStamps: evidence.outsideStamps,
      preparation: preparationOf(evidence),
      onBrowser: async (browser: StartedBrowser) => {
        if (!(await deps.server.admitBrowser(preflight, browser, evidence.id))) setAside.abort()
      },
    }),
    async release() {
      clearInterval(heartbeat)
      await rm(workDir, { recursive: true, force: true }).catch((error: unknown) =>
        claim.log.error({ err: error }, 'work folder not removed'),
      )
    },
  }
}
