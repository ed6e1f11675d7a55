/** For a test file whose tests each visit the fixture site: the site while they run, each test's session ended after it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startFixtureSite, type FixtureSite } from '../../../../testing/site/start-fixture-site.ts'
import type { TimelineEntry } from '../../domain/timeline-entry.ts'
import { startVisit, type TestVisit } from './visitor.fixture.ts'

export function withVisits() {
  let site: FixtureSite
  let visit: TestVisit | undefined
  beforeAll(async () => {
    site = await startFixtureSite()
  })
  afterAll(() => site.close())
  afterEach(async () => {
    await visit?.end()
    visit = undefined
  })
  return {
    get site() {
      return site
    },
    start: async (path: string, given: Parameters<typeof startVisit>[2] = {}): Promise<TestVisit> => {
      visit = await startVisit(site.origin + path, site.addresses, given)
      return visit
    },
    go: async (live: TestVisit, path: string): Promise<void> => {
      live.send({ type: 'navigate', url: site.origin + path })
      await live.tab(({ url, loading, active }) => active && url === site.origin + path && !loading)
    },
  }
}

/** The timeline as it stands on the disk: whole lines alone. */
export async function timelineOf(
  from: Pick<TestVisit, 'workDir'>,
): Promise<{ readonly lines: readonly string[]; readonly entries: readonly TimelineEntry[] }> {
  const lines = (await readFile(join(from.workDir, 'timeline.jsonl'), 'utf8')).split('\n').slice(0, -1)
  return { lines, entries: lines.map((line) => JSON.parse(line) as TimelineEntry) }
}

/** Presses Tab until the element with the focus is the one that is meant. */
export function pressTab(live: TestVisit, times: number): void {
  for (let i = 0; i < times; i += 1) live.key('Tab', 'Tab')
}
