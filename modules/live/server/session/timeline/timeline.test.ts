import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../../../../../platform/log/log.ts'
import type { TimelineEntry } from '../../../domain/timeline-entry.ts'
import { createCountDown } from '../count-down.ts'
import { safeName } from '../wishes/keep-downloads.ts'
import { createFloodLimit } from '../limit-floods.ts'
import { createInputQueue } from '../input/order-input.ts'
import { openTimeline } from './timeline.ts'

const clock = { now: () => new Date('2026-11-21T10:00:00.000Z') }
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-timeline-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true })
})

const linesOf = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'timeline.jsonl'), 'utf8')).trimEnd().split('\n')
const read = (lines: readonly string[]): readonly TimelineEntry[] => lines.map((line) => JSON.parse(line) as TimelineEntry)

describe('C-32: the timeline', () => {
  test('counts from the first picture, before it too, and chains its lines', async () => {
    let now = 1_000
    const timeline = await openTimeline({ workDir: folder, clock, log: silentLog, monotonicMs: () => now })
    expect(timeline.add('session', { early: true })).toBe(null)
    expect(timeline.head()).toEqual({ entries: 0, head: null })
    now = 1_500
    timeline.begin(1_400)
    now = 1_650.1234
    expect(timeline.add('key', { key: '\ud800x', text: 'é'.repeat(5_000) })).toEqual({
      ms: 250.123,
      at: '2026-11-21T10:00:00.150Z',
    })
    const done = await timeline.finish()
    const lines = await linesOf()
    const [first, second] = read(lines)
    expect(first).toMatchObject({ n: 1, ms: -400, at: '2026-11-21T09:59:59.500Z', previous: null })
    expect(second?.previous).toBe(
      createHash('sha256')
        .update(lines[0] ?? '')
        .digest('hex'),
    )
    expect(second?.data).toMatchObject({ key: '\ufffdx', text: 'é'.repeat(4_000) })
    expect(done).toMatchObject({
      entries: 2,
      head: createHash('sha256')
        .update(lines[1] ?? '')
        .digest('hex'),
    })
  })

  test('is bounded: what hands and pages make without end is left out first, and that is said; the end is always there', async () => {
    const timeline = await openTimeline({ workDir: folder, clock, log: silentLog, bounds: { lines: 100 } })
    timeline.begin(performance.now())
    for (let i = 0; i < 500; i += 1) timeline.add('pointer', { i })
    for (let i = 0; i < 3; i += 1) timeline.add('screenshot', { i })
    timeline.add('end', { why: 'time' })
    await timeline.finish()
    const entries = read(await linesOf())
    const count = (type: string) => entries.filter((entry) => entry.type === type).length
    expect([count('pointer'), count('warning'), count('screenshot'), count('end')]).toEqual([88, 1, 3, 1])
    expect(timeline.dropped()).toBe(412)
  })

  test('ends with its last line: what happens while it is closed, or later, stands in no head', async () => {
    const timeline = await openTimeline({ workDir: folder, clock, log: silentLog })
    timeline.begin(performance.now())
    timeline.add('end', { why: 'time' })
    const finishing = timeline.finish()
    // A viewer goes at this very moment.
    expect(timeline.add('viewer', { act: 'leaves', viewer: 1 })).toBe(null)
    const done = await finishing
    timeline.add('viewer', { act: 'leaves', viewer: 2 })
    const lines = await linesOf()
    const head = createHash('sha256')
      .update(lines.at(-1) ?? '')
      .digest('hex')
    expect(lines).toHaveLength(1)
    expect(done).toMatchObject({ entries: 1, head })
    expect(timeline.head()).toEqual({ entries: 1, head })
  })

  test('bounds what waits by its size, too: a page that takes nothing cannot fill the memory of other sessions', async () => {
    const queue = createInputQueue({ most: 100, mostBytes: 1_000, failed: () => undefined })
    const busy = Promise.withResolvers<void>()
    const push = (bytes: number) => queue.push('call', () => busy.promise, bytes)
    expect([push(900), push(600), push(500), push(400)]).toEqual([true, true, false, true])
    busy.resolve()
    await queue.idle()
    expect(push(1_000)).toBe(true)
  })

  test('passes every text through what takes secrets out, before it is cut', async () => {
    const timeline = await openTimeline({ workDir: folder, clock, log: silentLog })
    timeline.begin(performance.now())
    timeline.maskWith((text) => text.replaceAll('s3cret', 'XXXXXX'))
    timeline.add('navigation', { url: `https://x.test/?${'a'.repeat(3_990)}s3cret`, deep: [{ text: 's3cret' }] })
    await timeline.finish()
    expect((await linesOf())[0]).not.toMatch(/s3c/)
  })
})

test('C-31: the time warns twice and ends; a session that nobody steers ends after its grace', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const told: unknown[] = []
  const countDown = createCountDown({
    sessionMs: 600_000,
    graceMs: 60_000,
    warningsMs: [120_000, 30_000],
    warn: (left) => told.push(left),
    end: (why) => told.push(why),
  })
  vi.advanceTimersByTime(1_000_000)
  expect([told, countDown.remaining()]).toEqual([[], null])
  countDown.begin()
  countDown.steered(true)
  vi.advanceTimersByTime(300_000)
  countDown.steered(false)
  vi.advanceTimersByTime(59_999)
  countDown.steered(true)
  vi.advanceTimersByTime(240_001)
  expect(told).toEqual([120_000, 30_000, 'time'])
  countDown.steered(false)
  vi.advanceTimersByTime(60_000)
  expect(told.at(-1)).toBe('viewer_gone')
  countDown.stop()
})

test('C-32: inputs are done in their order; of movements that wait the last counts', async () => {
  const done: string[] = []
  const failed: unknown[] = []
  const queue = createInputQueue({ most: 5, failed: (error) => failed.push(error) })
  const run = (name: string) => () => {
    done.push(name)
    return name === 'bad' ? Promise.reject(new Error(name)) : Promise.resolve()
  }
  for (const name of ['first', 'move', 'move', 'move', 'bad', 'key'])
    expect(queue.push(name === 'first' ? 'key' : name, run(`${name}${name === 'move' ? String(done.length) : ''}`))).toBe(true)
  await queue.idle()
  expect(done).toHaveLength(4)
  expect(done.slice(-2)).toEqual(['bad', 'key'])
  expect(failed).toHaveLength(1)
  const full = Array.from({ length: 8 }, () => queue.push('key', () => Promise.resolve()))
  expect(full.filter((one) => !one).length).toBeGreaterThan(0)
  await queue.idle()
})

test('C-32: a flood is one of the rate that it has', () => {
  let now = 0
  const limit = createFloodLimit({ burst: 10, perSecond: 5, monotonicMs: () => now })
  expect(Array.from({ length: 12 }, () => limit.take()).filter(Boolean)).toHaveLength(10)
  now = 1_000
  expect(Array.from({ length: 12 }, () => limit.take()).filter(Boolean)).toHaveLength(5)
})

test('C-34: names of files lead nowhere', () => {
  expect(
    [
      '../../etc/passwd',
      '..',
      '',
      'a\u0000b.pdf',
      '.htaccess',
      'contrat é.pdf',
      'x'.repeat(300),
      '\u202efdp.exe',
      'a/b\\c.txt',
    ].map(safeName),
  ).toEqual(['passwd', 'file', 'file', 'a-b.pdf', 'htaccess', 'contrat-e-.pdf', 'x'.repeat(80), 'fdp.exe', 'c.txt'])
})
