/** Files that a page asked for and that are not taken: said to the visitor, in the timeline, and counted for what is objected to. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import type { CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { silentLog } from '../../../../../platform/log/log.ts'
import type { LiveOutput } from '../../../contract/live.ts'
import { interactiveLimits } from '../../../domain/interactive-limits.ts'
import type { TimelineEntry } from '../../../domain/timeline-entry.ts'
import { createPageAsks } from './answer-page.ts'
import { createSecrets } from '../fields/secrets.ts'
import type { Tab } from '../tabs/tab.ts'
import { openTimeline } from '../timeline/timeline.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-refused-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('C-35: files beyond the bound, or more than were asked for, are refused once for each wish, and no other answer counts', async () => {
  const timeline = await openTimeline({ workDir: folder, clock: systemClock, log: silentLog })
  timeline.begin(performance.now())
  const told: LiveOutput[] = []
  const session = { send: () => Promise.resolve({ node: { attributes: [] } }) } as unknown as CdpSession
  const tab = { number: 1, url: 'https://example.org/' } as Tab
  const works: Promise<unknown>[] = []
  const asks = createPageAsks({
    folder: { path: folder, uid: process.getuid?.() ?? 0 },
    inBrowser: '/session',
    timeline,
    secrets: createSecrets(timeline),
    ask: (message) => told.push(message),
    tell: () => undefined,
    quietly: (work) => void works.push(work),
  })
  const wish = async (mode: 'selectSingle' | 'selectMultiple'): Promise<number> => {
    asks.chooser(tab, session, { mode, backendNodeId: 7, frameId: 'f' })
    await Promise.all(works)
    const last = told.findLast(({ type }) => type === 'ask_files')
    return last?.type === 'ask_files' ? last.id : -1
  }
  const tooLarge = await wish('selectMultiple')
  expect(await asks.giveFiles(tooLarge, [{ name: 'large', bytes: interactiveLimits.uploadBytes + 1 }])).toBe(false)
  // The wish is over: whatever comes for it belongs to nothing.
  expect(await asks.giveFiles(tooLarge, [{ name: 'small', bytes: 1 }])).toBe(false)
  const single = await wish('selectSingle')
  expect(
    await asks.giveFiles(single, [
      { name: 'one', bytes: 1 },
      { name: 'two', bytes: 1 },
    ]),
  ).toBe(false)
  const declined = await wish('selectSingle')
  asks.decline(declined)
  await Promise.all(works)
  expect(asks.refused()).toBe(2)
  expect(asks.facts()).toEqual([])
  await timeline.finish()
  const lines = (await readFile(join(folder, 'timeline.jsonl'), 'utf8')).trimEnd().split('\n')
  const said = lines.map((line) => JSON.parse(line) as TimelineEntry).filter(({ type }) => type === 'upload')
  expect(said.filter(({ data }) => data['act'] === 'refused').map(({ data }) => [data['files'], data['bytes']])).toEqual([
    [1, interactiveLimits.uploadBytes + 1],
    [2, 2],
  ])
})
