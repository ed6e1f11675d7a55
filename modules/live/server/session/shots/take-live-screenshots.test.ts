import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BrowserGone, CdpTimeout, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import type { Photographer } from './photograph-page.ts'
import type { Tab } from '../tabs/tab.ts'
import { createScreenshots } from './take-live-screenshots.ts'
import type { Timeline } from '../timeline/timeline.ts'

let workDir = ''
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'shots-'))
})
afterEach(() => rm(workDir, { recursive: true, force: true }))

/** A page of 41,000 rows in six images; the browser draws them as it is told to. */
function pageOf(photograph: Photographer) {
  const lines: [string, Record<string, unknown>][] = []
  const layout = { cssContentSize: { width: 1280, height: 41_000 }, cssLayoutViewport: { clientWidth: 1280, clientHeight: 800 } }
  const session = { send: () => Promise.resolve(layout) } as unknown as CdpSession
  const tab = { number: 1, url: 'https://a.example/', title: 'A', zoom: 100, loader: 'one', crashed: null, dialog: null, session }
  const shots = createScreenshots({
    workDir,
    timeline: {
      ms: () => 1,
      at: () => '2026-01-01T00:00:00.000Z',
      add: (type: string, data: Record<string, unknown>) => void lines.push([type, data]),
    } as unknown as Timeline,
    actions: { add: () => undefined } as never,
    maxHeight: 100_000,
    device: () => ({ kind: 'desktop' }),
    photograph,
    dateImages: () => Promise.resolve(),
  })
  const progress: [number, number][] = []
  const take = async () =>
    await shots.take(tab as unknown as Tab, 'full_page', false, (done, of) => void progress.push([done, of]))
  return { tab, shots, take, lines, progress }
}
const image = PNG.sync.write(new PNG({ width: 8, height: 8 }))

test('C-37: a whole page of which a part did not come is refused, nothing of it is kept, and the next one is taken under its number', async () => {
  let calls = 0
  const { shots, take, lines, progress } = pageOf(() => {
    calls += 1
    return calls === 3 ? Promise.reject(new CdpTimeout('Page.captureScreenshot')) : Promise.resolve({ png: image, held: null })
  })
  expect(await take()).toBe('no_answer')
  expect(await readdir(workDir)).toEqual([])
  expect(progress).toEqual([
    [0, 6],
    [1, 6],
    [2, 6],
  ])
  expect(lines).toEqual([
    [
      'warning',
      {
        code: 'screenshot_refused',
        kind: 'full_page',
        automatic: false,
        reason: 'no_answer',
        url: 'https://a.example/',
        done: 2,
        of: 6,
      },
    ],
  ])
  expect(shots.facts()).toEqual([])

  const taken = await take()
  expect(taken).toMatchObject({ screenshot: { number: 1 }, shots: { pageHeight: 41_000, capturedHeight: 41_000 } })
  expect(await readdir(workDir)).toHaveLength(6)
  // None of its images was drawn with the picture kept, which is said.
  expect(shots.facts()).toMatchObject([{ number: 1, disturbed: true }])
  expect(shots.facts()[0]).not.toHaveProperty('held')
})

test('images of two documents are no picture of a page; a tab that is gone has none', async () => {
  let after = () => undefined as void
  const { tab, take, shots } = pageOf(() => {
    after()
    return Promise.resolve({ png: image })
  })
  after = () => void (tab.loader = 'two')
  expect(await take()).toBe('page_changed')
  after = () => {
    throw new BrowserGone('the target was closed')
  }
  expect(await take()).toBe('no_page')
  expect(await readdir(workDir)).toEqual([])
  after = () => undefined
  expect(await take()).toMatchObject({ screenshot: { number: 1 } })
  expect(shots.facts()).toMatchObject([{ number: 1, url: 'https://a.example/' }])
})
