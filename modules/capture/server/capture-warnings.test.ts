/** Pages that are captured as far as they came: what is wrong with them is said. */
import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { capture, codes, fileOf, ownProcesses, site, useFixtureSite } from './capture-on-site.fixture.ts'

useFixtureSite()
// Whatever the page did: nothing of its browser is left.
afterEach(async () => expect(await ownProcesses()).toEqual([]))

describe('pages that are captured with a warning', () => {
  test.each([
    ['/error/404', ['http_error']],
    ['/blank/', ['blank_page']],
    ['/white-on-white/', ['blank_page']],
    ['/missing-images/', ['missing_images', 'resources_failed']],
    ['/missing-script/', ['resources_failed']],
    ['/login/', ['login_wall']],
    ['/bot-wall/', ['http_error', 'bot_wall']],
    ['/cookie-banner/', ['cookie_banner']],
    ['/redirect-elsewhere/', ['redirected_elsewhere']],
    ['/private-resource/', ['missing_images', 'resources_failed']],
    ['/alert-forever/', ['dialogs_dismissed']],
    ['/popups/', ['popups_blocked']],
    ['/redirect-once/', []],
    ['/window-close/', []],
    ['/permissions/', []],
    ['/service-worker/', []],
  ])(
    '%s: %j',
    async (path, expected) => {
      const result = await capture(site.origin + path)
      expect(codes(result)).toEqual(expected)
    },
    180_000,
  )

  test('a page that never finishes loading is captured as far as it came', async () => {
    const result = await capture(`${site.origin}/endless-stream/`, { limits: { loadMs: 2_000, settleMs: 1_000 } })
    expect(codes(result)).toEqual(['load_timeout'])
    expect(result.facts.completeness.state).toBe('incomplete')
  }, 180_000)

  test.each(['/busy/', '/busy-at-once/'])(
    '%s: a script that never yields is stopped, which is said, and the page is captured',
    async (path) => {
      const result = await capture(site.origin + path, { limits: { loadMs: 3_000, busyMs: 4_000 } })
      expect(codes(result)).toEqual(['script_ended'])
      expect(result.facts.title).toBe('Occupé')
      expect(result.facts.completeness).toEqual({ state: 'complete', losses: [] })
      expect(await readFile(fileOf(result, 'capture/actions.jsonl'), 'utf8')).toContain('"action":"script_ended"')
    },
    180_000,
  )

  test('a page that grows for ever is cut where the limit says, and it is said', async () => {
    const result = await capture(`${site.origin}/endless-scroll/`, { limits: { maxHeight: 10_000 } })
    expect(result.facts.captured_height).toBe(10_000)
    expect(codes(result)).toEqual(['height_cut'])
  }, 180_000)

  test('a body over the limit is cut, and the capture is not called complete', async () => {
    const result = await capture(`${site.origin}/huge-body/`, { limits: { bodyBytes: 4 * 1024 * 1024 } })
    expect(codes(result)).toContain('body_truncated')
    expect(result.facts.completeness.state).toBe('incomplete')
  }, 180_000)

  test('what a shadow tree holds is in the DOM', async () => {
    const result = await capture(`${site.origin}/shadow/`)
    expect(codes(result)).toEqual([])
    const dom = await readFile(fileOf(result, 'capture/dom.html'), 'utf8')
    expect(dom).toContain('<template shadowrootmode="open"><p>Declared in the shade</p></template>')
    expect(dom).toContain('Scripted in the shade')
  }, 180_000)

  test('the console is written down, line by line', async () => {
    const lines = (await readFile(fileOf(await capture(`${site.origin}/console/`), 'capture/console.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; text: string })
    expect(lines.map(({ level, text }) => `${level}: ${text}`)).toEqual(expect.arrayContaining(['warning: été', 'error: erreur']))
    expect(lines.some(({ text }) => text.includes('thrown on purpose'))).toBe(true)
  }, 180_000)
})
