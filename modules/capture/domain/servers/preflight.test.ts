import { expect, test } from 'vitest'
import { compareBrowser, comparePreflight, mayBePinned, type ServerItems, type ServerManifest } from './preflight.ts'

const items: ServerItems = {
  software: 'probant/1.0.0',
  program_sha256: 'a'.repeat(64),
  node: '26.9.0',
  operating_system: 'Debian GNU/Linux 12, 6.1.0',
  machine_sha256: 'b'.repeat(64),
  browser: 'Chromium 156.0.8078.79',
  browser_sha256: 'c'.repeat(64),
  packages: 'bubblewrap 0.8.0, socat 1.7.4',
  image_digest: 'd'.repeat(64),
  dns_servers: '192.0.2.53',
  proxy: 'none',
  public_address: '192.0.2.1',
  isolation: 'namespaces',
}
const manifest: ServerManifest = {
  format: 'probant-capture-server/1',
  server_id: 'one',
  pinned_at: '2026-11-21T00:00:00.000Z',
  pinned_by: 'first_start',
  replaces: null,
  items,
}
const still = { clock_offset: 0.02, clock_step: 0, image: null }

test('H-11 a server that is as pinned does not differ', () => {
  expect(comparePreflight(manifest, { items, ...still })).toEqual([])
})

test.each([
  ['software', 'probant/1.0.1'],
  ['program_sha256', '0'.repeat(64)],
  ['node', '26.9.1'],
  ['operating_system', 'Debian GNU/Linux 13, 6.12.0'],
  ['machine_sha256', '1'.repeat(64)],
  ['browser', 'Chromium 157.0.1.1'],
  ['browser_sha256', '2'.repeat(64)],
  ['packages', 'bubblewrap 0.9.0, socat 1.7.4'],
  ['image_digest', '3'.repeat(64)],
  ['dns_servers', '198.51.100.53'],
  ['proxy', 'https_proxy=http://192.0.2.9:3128'],
  ['public_address', '198.51.100.1'],
  ['isolation', 'override'],
] as const)('H-11 a different %s is a difference, with both values', (item, measured) => {
  const found = comparePreflight(manifest, { items: { ...items, [item]: measured }, ...still })
  expect(found).toEqual([{ item, expected: items[item], measured }])
  expect(mayBePinned(found)).toBe(true)
})

test('H-11 what was not measured is no difference; a browser that is missing is', () => {
  const unknown = { ...items, public_address: null, dns_servers: null, machine_sha256: null, packages: null }
  expect(comparePreflight(manifest, { items: unknown, clock_offset: null, clock_step: null, image: null })).toEqual([])
  expect(comparePreflight({ ...manifest, items: unknown }, { items, ...still })).toEqual([])
  const found = comparePreflight(manifest, { items: { ...items, browser: null, browser_sha256: null }, ...still })
  expect(found.map(({ item, measured }) => [item, measured])).toEqual([
    ['browser', 'missing'],
    ['browser_sha256', 'missing'],
  ])
  expect(mayBePinned(found)).toBe(false)
})

test.each([
  ['clock_offset', 1.001],
  ['clock_offset', -3.5],
  ['clock_step', 7200],
] as const)('H-11 %s of %d s is more than the second allowed, and no pin accepts it', (item, seconds) => {
  const found = comparePreflight(manifest, { items, ...still, [item]: seconds })
  expect(found).toEqual([{ item, expected: 'at most 1 s', measured: `${seconds.toFixed(3)} s` }])
  expect(mayBePinned(found)).toBe(false)
  expect(comparePreflight(manifest, { items, ...still, [item]: 1 })).toEqual([])
})

test('H-11 where no jail could be made there is nothing to compare with; one that is lost is a difference', () => {
  const without = { ...items, isolation: 'unavailable' } as const
  expect(comparePreflight({ ...manifest, items: without }, { items, ...still })).toEqual([])
  expect(comparePreflight(manifest, { items: without, ...still }).map(({ item }) => item)).toEqual(['isolation'])
})

test('H-11 the browser that was started is the pinned one, jailed as pinned, with an empty profile', () => {
  const browser = { product: 'Chromium 156.0.8078.79', profileEntries: 0, isolation: 'namespaces' } as const
  expect(compareBrowser(manifest, browser)).toEqual([])
  expect(compareBrowser(manifest, { product: 'Chromium 1.0.0.0', profileEntries: 2, isolation: 'override' })).toEqual([
    { item: 'browser', expected: 'Chromium 156.0.8078.79', measured: 'Chromium 1.0.0.0' },
    { item: 'profile', expected: '0 entries', measured: '2 entries' },
    { item: 'isolation', expected: 'namespaces', measured: 'override' },
  ])
})

const image = {
  digest_as_stated: null,
  list_sha256: '4'.repeat(64),
  files_sha256: '4'.repeat(64),
  files: 3,
  changed: [],
  added: [],
  measured_at: '2026-11-21T00:00:00.000Z',
}

test('H-11 another image is a difference that may be pinned; one whose files are not those it lists is never', () => {
  const pinned = { ...manifest, items: { ...items, image_files_sha256: image.files_sha256 } }
  expect(comparePreflight(pinned, { items: pinned.items, ...still, image })).toEqual([])
  const sha256 = '5'.repeat(64)
  const newer = { ...image, list_sha256: sha256, files_sha256: sha256 }
  const other = comparePreflight(pinned, { items: { ...items, image_files_sha256: sha256 }, ...still, image: newer })
  expect(other).toEqual([{ item: 'image_files_sha256', expected: image.files_sha256, measured: sha256 }])
  expect(mayBePinned(other)).toBe(true)
  // The server no longer runs from an image: what was pinned is missing.
  const without = comparePreflight(pinned, { items, ...still })
  expect(without).toEqual([{ item: 'image_files_sha256', expected: image.files_sha256, measured: 'missing' }])
  expect(mayBePinned(without)).toBe(false)
  // A manifest of before says nothing of it.
  expect(comparePreflight(manifest, { items: pinned.items, ...still, image })).toEqual([])
  const altered = { ...image, files_sha256: sha256, changed: ['usr/bin/bwrap'], added: ['opt/probant/preload.js'] }
  const found = comparePreflight(manifest, { items: { ...items, image_files_sha256: sha256 }, ...still, image: altered })
  expect(found).toEqual([
    { item: 'image_changed', expected: 'none', measured: 'usr/bin/bwrap' },
    { item: 'image_added', expected: 'none', measured: 'opt/probant/preload.js' },
  ])
  for (const each of found) expect(mayBePinned([each])).toBe(false)
})
