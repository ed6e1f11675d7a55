/**
 * What is pinned of a capture server, and how a measurement is compared with it (design/capture.md §3, decision H-11). Pure.
 */
import type { ImageMeasurement } from './image-files.ts'

/**
 * The state of a server, one line of text an item. Null: this machine does not tell, or nobody could be asked. Nothing here
 * is a default: each was read or tried at the time.
 */
export type ServerItems = {
  /** Product and version of our program. */
  readonly software: string
  /** SHA-256 over the program's files as this process loaded them. */
  readonly program_sha256: string
  readonly node: string
  readonly operating_system: string
  /** SHA-256 of the machine's own identifier, which itself stays on the machine. */
  readonly machine_sha256: string | null
  /** Product and version as the browser's program tells. */
  readonly browser: string | null
  /** SHA-256 over every file of the browser. */
  readonly browser_sha256: string | null
  /** Packages that a capture runs with, `name version` joined by `, `. */
  readonly packages: string | null
  /** SHA-256 over the above but the machine: what an image of the server would hold. */
  readonly image_digest: string
  readonly dns_servers: string | null
  /** Proxies of the system and of our environment; `none` when there is none. */
  readonly proxy: string
  /** Address that sites see. */
  readonly public_address: string | null
  readonly isolation: 'namespaces' | 'override' | 'unavailable'
  /** SHA-256 over the files of the image that it runs from (image-files.ts); absent where it runs from none. */
  readonly image_files_sha256?: string
}
export type ServerItem = keyof ServerItems

export type ServerManifest = {
  readonly format: 'probant-capture-server/1'
  readonly server_id: string
  readonly pinned_at: string
  /** At the first start, at a later start (where the operator allows it), or by an administrator's command. */
  readonly pinned_by: 'first_start' | 'start' | 'command'
  /** SHA-256 of the manifest before this one. */
  readonly replaces: string | null
  readonly items: ServerItems
}

export type PreflightDifference = { readonly item: string; readonly expected: string; readonly measured: string }

/** What is measured at each preflight beside the pinned items. */
export type PreflightMeasurement = {
  readonly items: ServerItems
  /** Seconds that our clock is ahead of the time servers; null when none could be asked. */
  readonly clock_offset: number | null
  /** Seconds by which our clock was moved since it was compared last; null before the first comparison. */
  readonly clock_step: number | null
  /** Null: it does not run from an image of the product. */
  readonly image: ImageMeasurement | null
}

/** Seconds (decision H-11). */
export const clockToleranceSeconds = 1

/** Without these a server cannot capture: they differ even where nothing was pinned. */
const indispensable: readonly ServerItem[] = ['browser', 'browser_sha256']

/** @returns each difference; empty when the server is as it was pinned. What was not measured, then or now, is no difference. */
export function comparePreflight(manifest: ServerManifest, measurement: PreflightMeasurement): readonly PreflightDifference[] {
  const differences: PreflightDifference[] = []
  for (const [name, expected] of Object.entries(manifest.items) as [ServerItem, string | null][]) {
    const measured = measurement.items[name] ?? null
    // No jail could be made when it was pinned: there is nothing to compare with, and no browser starts without one.
    if (name === 'isolation' && expected === 'unavailable') continue
    if (measured === null && (indispensable.includes(name) || name === 'image_files_sha256')) {
      differences.push({ item: name, expected: expected ?? 'present', measured: 'missing' })
    } else if (expected !== null && measured !== null && measured !== expected) {
      differences.push({ item: name, expected, measured })
    }
  }
  differences.push(...compareImage(measurement.image))
  for (const [item, value] of [
    ['clock_offset', measurement.clock_offset],
    ['clock_step', measurement.clock_step],
  ] as const) {
    if (value !== null && Math.abs(value) > clockToleranceSeconds)
      differences.push({ item, expected: `at most ${String(clockToleranceSeconds)} s`, measured: `${value.toFixed(3)} s` })
  }
  return differences
}

/** An image is what it lists, or it is not that image. */
function compareImage(image: ImageMeasurement | null): readonly PreflightDifference[] {
  if (image === null) return []
  const differences: PreflightDifference[] = []
  if (image.files_sha256 !== image.list_sha256)
    differences.push({ item: 'image_changed', expected: 'none', measured: image.changed.join(', ').slice(0, 2_000) })
  if (image.added.length > 0)
    differences.push({ item: 'image_added', expected: 'none', measured: image.added.join(', ').slice(0, 2_000) })
  return differences
}

const neverPinned: readonly string[] = ['silence', 'image_changed', 'image_added']

/** Whether pinning anew can remove them: a wrong clock, a missing browser, one that speaks or an altered image is never accepted. */
export function mayBePinned(differences: readonly PreflightDifference[]): boolean {
  return differences.every(
    ({ item, measured }) => !item.startsWith('clock_') && !neverPinned.includes(item) && measured !== 'missing',
  )
}

/** What a started browser must be: the pinned one, with a profile that holds nothing. */
export function compareBrowser(
  manifest: ServerManifest,
  browser: { readonly product: string; readonly profileEntries: number; readonly isolation: 'namespaces' | 'override' },
): readonly PreflightDifference[] {
  const differences: PreflightDifference[] = []
  const { items } = manifest
  if (items.browser !== null && browser.product !== items.browser)
    differences.push({ item: 'browser', expected: items.browser, measured: browser.product })
  if (browser.profileEntries > 0)
    differences.push({ item: 'profile', expected: '0 entries', measured: `${String(browser.profileEntries)} entries` })
  if (items.isolation !== 'unavailable' && browser.isolation !== items.isolation)
    differences.push({ item: 'isolation', expected: items.isolation, measured: browser.isolation })
  return differences
}
