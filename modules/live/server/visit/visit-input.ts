/** What a visit is asked for. */
import type { CaptureDeps, CaptureInput, WarmPool } from '../../../capture/server/index.ts'
import type { SteeredBrowser } from '../session/tabs/steered-browser.ts'
import type { LiveSessions } from '../session/viewers/viewer.ts'

export type CaptureDevice = 'desktop' | 'mobile'

export type InteractiveInput = CaptureInput & {
  readonly device: CaptureDevice
  /** Where the session makes itself known to viewers: `add` once it takes them, `remove` when it takes no more. */
  readonly sessions: LiveSessions
  readonly sessionMs: number
  /** How long it goes on without a controller. */
  readonly graceMs: number
  /** Aborted when this process stops in order: the session ends by itself (`operator`) and is completed. */
  readonly ending?: AbortSignal
}

export type InteractiveDeps = Omit<CaptureDeps, 'warmPool'> & {
  /** Browsers that wait for a visitor; absent: each session starts its own. */
  readonly warmPool?: WarmPool<SteeredBrowser>
}
