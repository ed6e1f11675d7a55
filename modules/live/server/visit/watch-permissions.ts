/**
 * What pages ask of their visitor and the browser refuses without a prompt (`--deny-permission-prompts`). No event tells of it and
 * nothing is put into a page to find out: the browser's own counters of what was asked are read.
 */
import type { CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import type { LiveNotice } from '../../contract/live.ts'
import type { Timeline } from '../session/timeline/timeline.ts'

/**
 * By number in Chromium's histograms `Permissions.Request.*`, measured with Chromium 156: those that it would have prompted for. Cameras,
 * microphones, USB, HID, serial ports and Bluetooth are not among them: there are none here, so that a page is refused before it could ask.
 */
const kinds: ReadonlyMap<number, string> = new Map([
  [1, 'midi'],
  [3, 'notifications'],
  [4, 'geolocation'],
  [18, 'idle'],
  [23, 'clipboard'],
])
const lookEveryMs = 2_000

export type PermissionWatch = {
  /** Another document is shown: what it asks for is told again. */
  navigated(): void
  stop(): void
}

export function watchPermissions(deps: {
  readonly browser: CdpSession
  readonly timeline: Timeline
  readonly tell: (code: LiveNotice, data: Readonly<Record<string, string | number>>) => void
}): PermissionWatch {
  const told = new Set<string>()
  let asking = false
  const look = async (): Promise<void> => {
    const { histograms } = await deps.browser.send('Browser.getHistograms', { query: 'Permissions.Request.', delta: true })
    for (const { low, count } of histograms.flatMap(({ buckets }) => buckets)) {
      const kind = kinds.get(low)
      if (kind === undefined || count === 0 || told.has(kind)) continue
      told.add(kind)
      deps.timeline.add('warning', { code: 'permission_denied', kind, within_ms: lookEveryMs })
      deps.tell('permission_denied', { kind })
    }
  }
  const timer = setInterval(() => {
    if (asking) return
    asking = true
    look()
      // The browser is busy or gone: what it counted is told at the next look, if there is one.
      .catch(() => undefined)
      .finally(() => {
        asking = false
      })
  }, lookEveryMs)
  timer.unref()
  return { navigated: () => told.clear(), stop: () => clearInterval(timer) }
}
