import type {
  CapturedFile,
  CaptureFacts,
  CaptureProgress,
  CaptureServerProcess,
  Preparation,
  StartedBrowser,
} from '../../capture/server/index.ts'
import type { Locale } from '../../../kernel/locale.ts'
import type { EvidenceDeps } from './deps.ts'

/** The witness, bound by the composition root to its configuration. Throws only `CaptureFailure`. */
export type Capture = (request: {
  evidenceId: string
  url: string
  locale: Locale
  /** Empty folder of this capture; removed by the caller. */
  workDir: string
  signal: AbortSignal
  /** What is done to the page before it is photographed; undefined: nothing. */
  preparation: Preparation | undefined
  onProgress(progress: CaptureProgress): void
  /** Awaited when everything stands ready, before the address is visited. */
  beforeNavigation: (() => Promise<void>) | undefined
  /** Told of the browser before it visits anything; the signal is aborted when it is not the pinned one. */
  onBrowser(browser: StartedBrowser): Promise<void>
}) => Promise<{ files: readonly CapturedFile[]; facts: CaptureFacts }>

export type CaptureLoopDeps = EvidenceDeps & {
  readonly databaseUrl: string
  readonly capture: Capture
  /** The capture server that this process is part of: it claims as that one, while that one is as pinned. */
  readonly server: CaptureServerProcess
  /** Captures at a time in this process. */
  readonly concurrency: number
  /** Holds the folders of running captures. */
  readonly workFolder: string
  /** The lease is renewed at a third of this. */
  readonly leaseSeconds: number
  /** How long the two captures of an evidence with a second vantage wait for each other; 20 s unless told. */
  readonly meetMs?: number
}
