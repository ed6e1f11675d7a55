import type {
  CapturedFile,
  CaptureFacts,
  CaptureProgress,
  CaptureServerProcess,
  Preparation,
  StartedBrowser,
} from '../../../capture/server/index.ts'
import type { LiveSessions, SessionsDoor } from '../../../live/server/index.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { CaptureDevice } from '../../domain/action.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import type { TargetLimits } from '../queue/lease-store.ts'

/** What a capture is asked for, whichever kind it is. */
export type CaptureRequest = {
  evidenceId: string
  url: string
  locale: Locale
  /** Empty folder of this capture; removed by the caller. */
  workDir: string
  signal: AbortSignal
  /** Whether authorities outside the installation may date what is captured (E-55). */
  outsideStamps: boolean
  /** What is done to the page before it is photographed; undefined: nothing. */
  preparation: Preparation | undefined
  onProgress(progress: CaptureProgress): void
  /** Awaited when everything stands ready, before the address is visited. */
  beforeNavigation: (() => Promise<void>) | undefined
  /** Told of the browser before it visits anything; the signal is aborted when it is not the pinned one. */
  onBrowser(browser: StartedBrowser): Promise<void>
}
type Captured = Promise<{ files: readonly CapturedFile[]; facts: CaptureFacts }>

/** The witness, bound by the composition root to its configuration. Throws only `CaptureFailure`. */
export type Capture = (request: CaptureRequest) => Captured

/**
 * The same with a visitor at the wheel. The visitor's time begins when it first reports the phase `capturing`: from then on
 * nobody may begin it again.
 */
export type InteractiveCapture = (
  request: CaptureRequest & {
    readonly device: CaptureDevice
    /** Where it makes itself known to viewers: `add` once it takes them, `remove` when it takes no more. */
    readonly sessions: LiveSessions
    readonly sessionMs: number
    /** How long it goes on without a controller. */
    readonly graceMs: number
    /** Aborted when this process stops in order: the session ends by itself (`operator`) and is completed. */
    readonly ending: AbortSignal
  },
) => Captured

/** What a capture process needs besides, to take interactive captures. */
export type InteractiveDeps = {
  readonly capture: InteractiveCapture
  readonly door: SessionsDoor
  /** Sessions at a time in this process. */
  readonly capacity: number
  /** Whether the machine bears one more. */
  admits(running: number): boolean
  readonly sessionMs: number
  readonly graceMs: number
}

export type CaptureLoopDeps = EvidenceDeps & {
  readonly databaseUrl: string
  readonly capture: Capture
  /** Absent: this process takes no interactive captures. */
  readonly interactive?: InteractiveDeps
  /** The capture server that this process is part of: it claims as that one, while that one is as pinned. */
  readonly server: CaptureServerProcess
  /** Captures at a time in this process. */
  readonly concurrency: number
  /** Absent: any number. */
  readonly perTarget?: TargetLimits
  /** Holds the folders of running captures. */
  readonly workFolder: string
  /** The lease is renewed at a third of this. */
  readonly leaseSeconds: number
  /** How long the two captures of an evidence with a second vantage wait for each other; 20 s unless told. */
  readonly meetMs?: number
}
