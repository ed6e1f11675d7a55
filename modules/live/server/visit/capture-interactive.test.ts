import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { checkInteractive } from '../../../../testing/check-interactive.ts'
import { testViewer } from './visitor.fixture.ts'
import { timelineOf, withVisits } from './visits.test-data.ts'

const run = promisify(execFile)
const visits = withVisits()
const { start } = visits
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test(
  'C-30: a visit from the first page to the pieces: typed, clicked, photographed, in tabs, recorded',
  { timeout: 180_000 },
  async () => {
    const live = await start('/live/echo/')
    expect((await live.told('welcome')).role).toBe('controller')
    await live.tab(({ title }) => title === 'Echo')
    live.click(100, 100)
    await live.told('focus', ({ editable, input_mode }) => editable && input_mode === 'text')
    live.type('abc')
    live.send({ type: 'text', text: 'é漢😀' })
    live.send({ type: 'paste', id: 1, text: 'collé', secret: false })
    expect((await live.told('pasted')).result).toBe('pasted')
    live.send({ type: 'screenshot', kind: 'viewport', id: 7 })
    live.send({ type: 'screenshot', kind: 'full_page', id: 8 })
    expect((await live.told('screenshot', ({ id }) => id === 8)).screenshot).toMatchObject({
      number: 2,
      kind: 'full_page',
      automatic: false,
    })

    // An address without its scheme is completed; one of a private network is refused by name.
    live.send({ type: 'navigate', url: 'http://192.168.0.1/' })
    expect((await live.told('notice', ({ code }) => code === 'navigation_refused')).data).toMatchObject({
      reason: 'private_address',
    })
    live.send({ type: 'navigate', url: `${visits.site.origin}/live/tabs/` })
    await live.tab(({ url, loading }) => url.endsWith('/live/tabs/') && !loading)
    // The first link opens a tab: it comes to the front, as its page and its first request do into the record.
    live.key('Tab', 'Tab')
    live.key('Enter', 'Enter')
    await live.told('tabs', ({ tabs }) => tabs.length === 2 && tabs[1]?.active === true && tabs[1].title === 'Echo')
    // Inputs are done in order: what was sent before it is done, too. The new page has no field that has the focus.
    live.send({ type: 'paste', id: 9, text: 'nowhere', secret: false })
    expect((await live.told('pasted', ({ id }) => id === 9)).result).toBe('no_field')
    live.session.call('quit_interactivity').catch(() => undefined)

    const { files, facts } = await live.result
    const { interactive } = facts
    if (interactive === null) throw new Error('no interactive facts')
    expect(interactive).toMatchObject({ ended_by: 'visitor', device: { kind: 'desktop' }, crashes: [], secrets: [] })
    expect(facts.completeness).toEqual({ state: 'complete', losses: [] })
    expect(facts.final_url).toBe(`${visits.site.origin}/live/echo/`)
    expect(
      interactive.navigations.map(({ tab, url, cause, status }) => [tab, url.replace(visits.site.origin, ''), cause, status]),
    ).toEqual([
      [1, '/live/echo/', 'address', 200],
      [1, '/live/tabs/', 'address', 200],
      [2, '/live/echo/', 'opened', 200],
    ])
    expect(interactive.screenshots.map(({ number, kind, automatic }) => [number, kind, automatic])).toEqual([
      [1, 'viewport', false],
      [2, 'full_page', false],
      [3, 'viewport', true],
      [4, 'full_page', true],
    ])
    // The page had nothing to say on its console.
    for (const { file, role } of files) if (role !== 'console') expect((await stat(file)).size).toBeGreaterThan(0)
    const paths = files.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const { paths: own } of interactive.screenshots) for (const path of own) expect(paths).toContain(path)
    for (const path of [
      'capture/dom.html',
      'capture/page.pdf',
      'capture/page.mhtml',
      'capture/archive.wacz',
      'capture/tls-keys.log',
    ].slice(0, 4))
      expect(paths).toContain(path)

    // Every page that was gone to stands in the archive and the HAR, with its time; the first document's source beside the last one's.
    const fileOf = (path: string): string => files.find((one) => one.path === path)?.file ?? ''
    const listed = (await run('unzip', ['-p', fileOf('capture/archive.wacz'), 'pages/pages.jsonl'])).stdout
    const pages = listed
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as { url: string; title: string; ts: string })
    expect(pages.map(({ url, title }) => [url.replace(visits.site.origin, ''), title])).toEqual([
      ['/live/echo/', 'Echo'],
      ['/live/tabs/', interactive.navigations[1]?.title],
      ['/live/echo/', 'Echo'],
    ])
    expect(pages.map(({ ts }) => Date.parse(ts))).toEqual(pages.map(({ ts }) => Date.parse(ts)).toSorted((a, b) => a - b))
    const { log } = JSON.parse(await readFile(fileOf('capture/network.har'), 'utf8')) as {
      log: { pages: { id: string }[]; entries: { pageref?: string; _resourceType: string; request: { url: string } }[] }
    }
    expect(log.pages.map(({ id }) => id)).toEqual(['page_1', 'page_2', 'page_3'])
    const documents = log.entries.filter(({ _resourceType }) => _resourceType === 'Document')
    expect(documents.map(({ pageref }) => pageref)).toEqual(['page_1', 'page_2', 'page_3'])
    for (const path of ['capture/source.html', 'capture/first-source.html'])
      expect(await readFile(fileOf(path), 'utf8')).toContain('<title>Echo</title>')

    // The checklist follows the visitor; the verdict is on the last page, and what was refused is said.
    const line = (id: string) => facts.checklist.find((one) => one.id === id)
    expect(line('visited_first')).toMatchObject({ result: 'pass', data: { url: `${visits.site.origin}/live/echo/` } })
    expect(line('path')).toMatchObject({ result: 'pass', data: { steps: 3, typed: 1, by_page: 1, history: 0 } })
    expect(line('screenshots')).toMatchObject({ result: 'pass', data: { count: 4, missing: 0 } })
    expect(line('end_of_session')).toMatchObject({ result: 'pass' })
    expect(facts.warnings).toContainEqual({
      code: 'session_refused',
      data: { tabs: 0, popups: 0, files: 0, uploads: 0, addresses: 1 },
    })
    expect(facts.quality).toMatchObject({ verdict: 'good', advice: [] })

    // The lines are a chain, each with the digest of the one before; the last is the end.
    const { lines, entries } = await timelineOf(live)
    entries.forEach(({ n, previous }, i) => expect([n, previous]).toEqual([i + 1, i === 0 ? null : sha256(lines[i - 1] ?? '')]))
    expect(interactive.timeline).toEqual({
      path: 'capture/timeline.jsonl',
      entries: lines.length,
      head: sha256(lines.at(-1) ?? ''),
    })
    expect(entries.at(-1)).toMatchObject({ type: 'end', data: { why: 'visitor' } })
    expect(
      entries
        .filter(({ type }) => type === 'key')
        .map(({ data }) => data['key'])
        .join(''),
    ).toBe('aabbccTabTabEnterEnter')
    expect(entries.filter(({ type }) => type === 'request').map(({ data }) => [data['url'], data['tab']])).toContainEqual([
      `${visits.site.origin}/live/echo/`,
      2,
    ])

    // The file is one that others read: both tracks, times that only grow.
    const video = files.find(({ path }) => path === interactive.video?.path)?.file ?? ''
    const { stdout } = await run('ffprobe', [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-show_entries',
      'packet=pts_time',
      '-of',
      'csv=p=0',
      video,
    ])
    const times = stdout.trim().split('\n').map(Number.parseFloat)
    expect(times).toHaveLength(interactive.video?.frames ?? -1)
    expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0))).toBe(true)
    // Line by line, picture by picture, packet by packet, by the verifier.
    expect(await checkInteractive(files)).toEqual(['session_timeline passed', 'session_pieces passed', 'session_video passed'])
  },
)

test(
  'C-31: witnesses look on, another device takes over, and the time comes to its end by itself',
  { timeout: 120_000 },
  async () => {
    const live = await start('/live/', { input: { sessionMs: 6_000, graceMs: 60_000 } })
    const second = testViewer('viewer-2')
    const witness = testViewer('witness', { role: 'witness', witness: { id: 'w', label: 'Maître Zoé' } })
    live.session.join(witness.viewer)
    expect((await witness.told('welcome')).role).toBe('witness')
    // A witness steers nothing.
    live.session.receive(witness.viewer, { type: 'quit' })
    live.session.receive(witness.viewer, { type: 'take_control' })
    live.session.receive(witness.viewer, { type: 'countersign', name: 'Zoé', statement: 'Vu.' })
    expect((await live.told('countersigned')).name).toBe('Zoé')
    live.session.join(second.viewer)
    expect((await live.told('role')).role).toBe('watcher')
    // A program that sends more than any hand is shut out; the session goes on.
    for (let i = 0; i < 2_000; i += 1) live.session.receive(second.viewer, { type: 'ping', at: i })
    expect(second.closed[0]?.[0]).toBe(4005)
    live.session.leave(second.viewer)
    await live.told('viewers', ({ controllers }) => controllers === 0)
    live.send({ type: 'take_control' })
    const { facts } = await live.result
    expect(facts.interactive).toMatchObject({
      ended_by: 'time',
      hand_overs: [{ viewer: 1 }, { viewer: 2 }, { viewer: 1 }],
      witnesses: [{ label: 'Maître Zoé', watched: [{}], countersigned: { name: 'Zoé', statement: 'Vu.' } }],
    })
    expect(facts.interactive?.absences.length).toBeGreaterThan(0)
    expect(live.closed.map(([code]) => code)).toEqual([4000])
  },
)
