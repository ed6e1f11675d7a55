import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { chromiumPath } from '../../../../../platform/browser/browser-flags.ts'
import { programInJail } from '../../../../../platform/browser/jail.ts'
import { processTree } from '../../../../../platform/browser/process-tree.ts'
import { account } from '../../../../../testing/site/interactive-pages.ts'
import type { TimelineEntry } from '../../../domain/timeline-entry.ts'
import type { TestVisit } from '../../visit/visitor.fixture.ts'
import { pressTab, timelineOf, withVisits } from '../../visit/visits.test-data.ts'

const visits = withVisits()
const { start, go } = visits
const entriesOf = async (from: TestVisit) => (await timelineOf(from)).entries

test(
  'C-33: a password, a secret that is pasted and a login of HTTP stand in no line; each is kept for completion',
  { timeout: 180_000 },
  async () => {
    const live = await start('/live/login/')
    await live.tab(({ title, loading }) => title.startsWith('Log in') && !loading)
    pressTab(live, 1)
    await live.told('focus', ({ editable, masked }) => editable && !masked)
    live.type('me@x.fr')
    pressTab(live, 1)
    await live.told('focus', ({ masked }) => masked)
    live.type('s3cr')
    live.send({ type: 'text', text: 'et-été' })
    live.key('Enter', 'Enter')
    await live.tab(({ title }) => title.startsWith('Welcome'))

    // A field that is no password's is shown as bullets before anything stands in it.
    await go(live, '/live/echo/')
    pressTab(live, 1)
    live.forget()
    live.send({ type: 'paste', id: 5, text: account.password, secret: true })
    expect((await live.told('pasted')).result).toBe('pasted')
    live.send({ type: 'screenshot', kind: 'viewport', id: 6 })
    await live.told('screenshot', ({ id }) => id === 6)

    // What a page's own requests wait for is asked once; turned down, they go on without.
    live.forget()
    live.send({ type: 'navigate', url: `${visits.site.origin}/live/login/parts` })
    live.send({ type: 'decline', id: (await live.told('ask_credentials')).id })
    await live.told('ask_ended')
    await live.tab(({ title, active }) => active && title === 'Parts 401 401')

    live.forget()
    live.send({ type: 'navigate', url: `${visits.site.origin}/live/login/basic` })
    const { id, realm, origin } = await live.told('ask_credentials')
    expect([realm, origin]).toEqual(['Réserve', visits.site.origin])
    live.send({ type: 'credentials', id, user: 'zoé', password: 'mot de passe' })
    await live.tab(({ title, active }) => active && title.startsWith('Welcome'))
    live.send({ type: 'quit' })
    const { files, facts } = await live.result

    const text = await readFile(join(live.workDir, 'timeline.jsonl'), 'utf8')
    for (const secret of ['s3cret', 'et-été', account.password, 'mot de passe']) expect(text).not.toContain(secret)
    const entries = await entriesOf(live)
    expect(entries.filter(({ type }) => type === 'secret').map(({ data }) => data['kind'])).toEqual([
      'password_field',
      'paste',
      // One login, in whatever form it is sent.
      'credentials',
    ])
    const typed = entries.filter(({ type, data }) => type === 'key' && data['kind'] === 'down')
    expect(typed.map(({ data }) => (data['masked'] === true ? '•' : data['key'])).join(' ')).toContain('m e')
    expect(typed.filter(({ data }) => data['masked'] === true && 'key' in data)).toEqual([])
    expect(facts.interactive?.secrets.map(({ kind }) => kind)).toEqual(['password_field', 'paste', 'credentials'])
    expect(entries.filter(({ type }) => type === 'credentials').map(({ data }) => data['act'])).toEqual([
      'asked',
      'declined',
      'asked',
      'given',
    ])
    // Whoever holds the keys could read what was sent.
    expect(files.map(({ role }) => role)).not.toContain('tls_keys')
  },
)

test(
  'C-34: dialogs are answered on the screen, files are sent and kept, windows become tabs, pages crash and come back',
  { timeout: 180_000 },
  async () => {
    const live = await start('/live/dialogs/')
    await live.tab(({ title, loading }) => title.startsWith('Dialogs') && !loading)
    // Prompt is the third button. What is typed goes to the browser's own window.
    pressTab(live, 3)
    live.key('Enter', 'Enter')
    await live.told('notice', ({ code }) => code === 'dialog_open')
    live.send({ type: 'text', text: 'Zoé ñ' })
    live.key('Enter', 'Enter')
    await go(live, '/live/widgets/')
    expect((await entriesOfNow(live, ({ type, data }) => type === 'dialog' && data['act'] === 'closed')).data).toMatchObject({
      accepted: true,
      text: 'Zoé ñ',
    })

    await go(live, '/live/downloads/')
    pressTab(live, 1)
    live.key('Enter', 'Enter')
    expect((await live.told('notice', ({ code }) => code === 'download_kept')).data).toMatchObject({
      name: 'contrat.pdf',
      bytes: 70_000,
    })
    pressTab(live, 2)
    live.key('Enter', 'Enter')
    expect((await live.told('notice', ({ code }) => code === 'download_refused')).data).toMatchObject({ reason: 'too_large' })

    // A window with a size of its own fills the picture like a tab.
    await go(live, '/live/tabs/')
    pressTab(live, 4)
    live.key('Enter', 'Enter')
    await live.told(
      'tabs',
      ({ tabs: all }) => all.length === 2 && all[1]?.active === true && all[1].url.endsWith('/live/dialogs/'),
    )
    live.send({ type: 'tab', act: 'close', tab: 'tab-2' })
    live.forget()
    await live.told('tabs', ({ tabs: all }) => all.length === 1 && all[0]?.active === true)

    live.send({ type: 'quit' })
    const { files, facts } = await live.result
    const [kept, refused] = facts.interactive?.downloads ?? []
    const file = files.find(({ path }) => path === kept?.path)?.file ?? ''
    expect(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ).toBe(kept?.sha256)
    expect(refused).toMatchObject({ path: null, refused: 'too_large' })
    const shown = PNG.sync.read(await readFile(files.find(({ path }) => path === 'capture/viewport.png')?.file ?? ''))
    expect([shown.width, shown.height]).toEqual([1280, 800])
  },
)

/** A line of the timeline, as soon as it is on the disk. */
async function entriesOfNow(live: TestVisit, fits: (entry: TimelineEntry) => boolean): Promise<TimelineEntry> {
  for (;;) {
    const found = (await entriesOf(live)).find(fits)
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test(
  'C-36: a page that crashes comes back; a browser that is killed ends the session, and what was recorded is kept',
  { timeout: 180_000 },
  async () => {
    const live = await start('/live/echo/', { input: { device: 'mobile' } })
    expect((await live.told('welcome')).mobile).toEqual({ width: 412, height: 785 })
    await live.tab(({ title }) => title === 'Echo')
    live.send({ type: 'touch', kind: 'start', points: [{ id: 1, x: 200, y: 90 }] })
    live.send({ type: 'touch', kind: 'end', points: [{ id: 1, x: 200, y: 90 }] })
    live.send({ type: 'screenshot', kind: 'viewport', id: 1 })
    await live.told('screenshot')
    for (const pid of await processesOf('renderer')) process.kill(pid, 'SIGKILL')
    await live.told('notice', ({ code }) => code === 'page_crashed')
    live.send({ type: 'history', to: 'reload' })
    await entriesOfNow(live, ({ type, data }) => type === 'crash' && data['recovered'] === true)
    // The browser itself: what has no type of its own.
    for (const pid of await processesOf('')) process.kill(pid, 'SIGKILL')
    const { files, facts } = await live.result
    expect(facts.interactive).toMatchObject({
      ended_by: 'browser_gone',
      device: { kind: 'mobile', name: 'Pixel 7', width: 412, height: 785 },
    })
    expect(facts.interactive?.crashes.map(({ what, recovered }) => [what, recovered])).toEqual(
      expect.arrayContaining([
        ['page', true],
        ['browser', false],
      ]),
    )
    expect(facts.interactive?.video?.frames).toBeGreaterThan(0)
    const paths = files.map(({ path }) => path)
    expect(paths).toContain('capture/session.mp4')
    expect(paths).toContain('capture/archive.wacz')
    expect(facts.completeness.losses.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['capture/viewport.png', 'capture/full-page-001.png', 'capture/dom.html']),
    )
    // A phone's own pixels.
    const shown = PNG.sync.read(await readFile(files.find(({ path }) => path.endsWith('001-viewport.png'))?.file ?? ''))
    expect([shown.width, shown.height]).toEqual([1082, 2061])
  },
)

/** Processes of the browsers that this test started, by `--type`; empty: the browser itself. */
async function processesOf(type: string): Promise<readonly number[]> {
  const program = programInJail(chromiumPath).path
  const found = await Promise.all(
    (await processTree(process.pid)).map(async ({ pid }) => {
      const command = (await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '')).split('\0')
      const isBrowser = command[0] === program || command[0]?.startsWith(`${program} `) === true
      const own = /--type=([a-z-]+)/.exec(command.join(' '))?.[1] ?? ''
      return isBrowser && own === type ? [pid] : []
    }),
  )
  return found.flat()
}
