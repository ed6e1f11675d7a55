/** Pages that fight whoever steers, the browser or the machine; beside each of them another session goes on. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkInteractive } from '../../../../testing/check-interactive.ts'
import { startFixtureSite, type FixtureSite } from '../../../../testing/site/start-fixture-site.ts'
import { liveFrame, type LiveNotice } from '../../contract/live.ts'
import type { Viewer } from '../session/viewers/viewer.ts'
import { startVisit, testViewer, type TestVisit } from './visitor.fixture.ts'

let site: FixtureSite
let beside: TestVisit
const shown = { pictures: 0 }
let pushed = 0
let wake = Promise.withResolvers<void>()

beforeAll(async () => {
  site = await startFixtureSite()
  beside = await startVisit(`${site.origin}/live/tabs/`, site.addresses)
  await beside.tab(({ title, loading }) => title.startsWith('Tabs') && !loading)
  const looker = testViewer('looker', { role: 'witness', witness: { id: 'w', label: 'Léa' } }).viewer
  const looking: Viewer = {
    ...looker,
    wants: { video: 'h264', audio: false, touch: false },
    sendBytes: (bytes) => {
      if (bytes[0] !== liveFrame.video) return 0
      shown.pictures += 1
      wake.resolve()
      wake = Promise.withResolvers()
      const picture = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2)
      queueMicrotask(() => beside.session.receive(looking, { type: 'acknowledge', picture }))
      return 0
    },
  }
  beside.session.join(looking)
  // To the button that names the page anew each time it is pressed.
  for (let i = 0; i < 5; i += 1) beside.key('Tab', 'Tab')
})
afterAll(async () => {
  await beside.end()
  await site.close()
})

/** The other session: its page answers a key, and its picture goes on. */
async function goesOn(): Promise<void> {
  pushed += 1
  beside.key('Enter', 'Enter')
  await beside.tab(({ title }) => title === `Page ${String(pushed)}`)
  const goal = shown.pictures + 10
  while (shown.pictures < goal) await wake.promise
}

const pages: readonly { readonly name: string; readonly told?: LiveNotice }[] = [
  { name: 'pointer-lock' },
  { name: 'keyboard-lock' },
  { name: 'swallow' },
  { name: 'print' },
  { name: 'beep' },
  { name: 'never-paints' },
  { name: 'busy' },
  // Before anything is opened from another page: where it must be ended, what shares its process goes with it.
  { name: 'titles' },
  { name: 'popups', told: 'popup_blocked' },
  { name: 'downloads', told: 'download_kept' },
  { name: 'gpu' },
  { name: 'devices', told: 'permission_denied' },
]

test(
  'C-30: whatever a page grabs, opens, asks for or never gives back, its visitor leaves it, and another session goes on',
  { timeout: 300_000 },
  async () => {
    const live = await startVisit(`${site.origin}/live/`, site.addresses)
    try {
      await live.tab(({ title, loading }) => title.startsWith('Live') && !loading)
      for (const { name, told } of pages) {
        live.forget()
        live.send({ type: 'navigate', url: `${site.origin}/hostile/${name}/` })
        // Where something is to come of the gesture, the page's script must have run before it.
        await live.tab(
          ({ active, url, loading }) => active && url.includes(`/hostile/${name}/`) && (told === undefined || !loading),
        )
        // The gesture without which a browser allows nothing.
        live.key('KeyA', 'a')
        if (told !== undefined) await live.told('notice', ({ code }) => code === told)
        await goesOn()
      }
      live.session.call('quit_interactivity').catch(() => undefined)
      const { files, facts } = await live.result
      expect(facts.interactive).toMatchObject({ ended_by: 'visitor', crashes: [] })
      expect(facts.interactive?.navigations.map(({ url }) => new URL(url).pathname)).toEqual(
        expect.arrayContaining(pages.map(({ name }) => `/hostile/${name}/`)),
      )
      expect(await checkInteractive(files)).toEqual(['session_timeline passed', 'session_pieces passed', 'session_video passed'])
      // The last page asked for ten things: of those that were answered, no device and no permission was given.
      const document = await readFile(files.find(({ path }) => path === 'capture/dom.html')?.file ?? '', 'utf8')
      const answers = /<pre id="got">([^<]*)/.exec(document)?.[1]?.trimEnd().split('\n') ?? []
      expect(answers).toContain('bluetooth refused: TypeError')
      expect(answers.filter((line) => !/^\w+ refused: |^hid given:\s*$|^notices given: denied$/.test(line))).toEqual([])
    } finally {
      await live.end()
    }
  },
)

test(
  'C-30: a page that exhausts the memory ends its own browser, by name; what was seen until then is kept, and another session goes on',
  { timeout: 120_000 },
  async () => {
    const live = await startVisit(`${site.origin}/hostile/memory/`, site.addresses)
    try {
      await live.tab(({ title, loading }) => title.startsWith('Hostile') && !loading)
      const over = live.result.then(() => true)
      // Pressed until the page has had it: a key that comes before its script is nobody's.
      for (let ended = false; !ended;) {
        live.key('KeyA', 'a')
        ended = await Promise.race([over, goesOn().then(() => false)])
      }
      const { files, facts } = await live.result
      await goesOn()
      expect(facts.interactive?.ended_by).toBe('browser_gone')
      expect(facts.interactive?.crashes.map(({ what }) => what)).toContain('browser')
      expect(facts.interactive?.video?.frames).toBeGreaterThan(0)
      expect(facts.completeness.state).toBe('incomplete')
      expect(await checkInteractive(files)).toEqual(['session_timeline passed', 'session_video passed'])
    } finally {
      await live.end()
    }
  },
)

test(
  'C-30: a page that asks to be printed again and again is kept as a page to print, as any other',
  { timeout: 120_000 },
  async () => {
    const live = await startVisit(`${site.origin}/hostile/print/`, site.addresses)
    try {
      await live.tab(({ title, loading }) => title.startsWith('Hostile') && !loading)
      live.key('KeyA', 'a')
      await goesOn()
      live.session.call('quit_interactivity').catch(() => undefined)
      const { files, facts } = await live.result
      expect(files.map(({ path }) => path)).toContain('capture/page.pdf')
      expect(facts.interactive).toMatchObject({ ended_by: 'visitor', crashes: [] })
    } finally {
      await live.end()
    }
  },
)

test(
  'C-30: a page of dialogs without end lets its visitor go, and the next page is steered as any other',
  { timeout: 120_000 },
  async () => {
    const live = await startVisit(`${site.origin}/hostile/dialogs/`, site.addresses)
    try {
      await live.told('notice', ({ code }) => code === 'dialog_open')
      live.send({ type: 'navigate', url: `${site.origin}/live/tabs/` })
      await live.tab(({ active, title, loading }) => active && title.startsWith('Tabs') && !loading)
      for (let i = 0; i < 4; i += 1) live.key('Tab', 'Tab')
      live.forget()
      // The link "New tab" is the first that the keyboard comes to, "pushState" the fifth.
      live.key('Tab', 'Tab')
      live.key('Enter', 'Enter')
      await live.tab(({ title }) => title === 'Page 1')
      live.session.call('quit_interactivity').catch(() => undefined)
      const { files, facts } = await live.result
      expect(facts.interactive).toMatchObject({ ended_by: 'visitor', crashes: [] })
      expect(await checkInteractive(files)).toEqual(['session_timeline passed', 'session_pieces passed', 'session_video passed'])
    } finally {
      await live.end()
    }
  },
)

test('C-30: the session beside them is whole', { timeout: 60_000 }, async () => {
  await goesOn()
  beside.session.call('quit_interactivity').catch(() => undefined)
  const { files, facts } = await beside.result
  expect(facts.interactive).toMatchObject({ ended_by: 'visitor', crashes: [] })
  expect(facts.completeness.state).toBe('complete')
  expect(facts.interactive?.video?.gaps).toEqual([])
  expect(await checkInteractive(files)).toEqual(['session_timeline passed', 'session_pieces passed', 'session_video passed'])
})
