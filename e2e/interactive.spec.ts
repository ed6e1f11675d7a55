/** Journey (b), and (i) in its fourth step: a visitor steers a real browser from the home page to a package that anyone verifies. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { account } from '../testing/site/interactive-pages.ts'
import { brightnessAt, picturesIn, timelineIn, toneIn, unpack, whereIs, type TimelineLine } from './fixtures/live-package.ts'
import { beginSession, type LivePage } from './fixtures/live-page.ts'
import { isClean, test } from './fixtures/pages.ts'
import { verifyByCommand } from './fixtures/verify-package.ts'

const site = (): string => process.env['PROBANT_E2E_FIXTURES'] ?? ''
const black = [0, 0, 0] as const
const white = [255, 255, 255] as const

const folders: string[] = []
test.afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A click that the page answers in colour: the same moment in the viewer, in the timeline and in the recording. */
async function clickColours(page: Page, live: LivePage): Promise<void> {
  await live.picture(200, 600, black)
  for (const colour of [white, black]) {
    const { x, y } = await live.at(640, 300)
    await page.mouse.click(x, y)
    await live.picture(200, 600, colour)
  }
}

async function type(page: Page, live: LivePage): Promise<void> {
  await live.goTo(`${site()}/live/echo/`, 'Echo')
  await live.key('Tab')
  await expect(page.getByLabel(live.say('live.keyboard.label'))).toBeFocused()
  await page.keyboard.type('plain')
  for (const text of ['é', 'œ', '漢字', '👩🏽‍🚀']) await page.keyboard.insertText(text)
  await live.press('live.paste')
  await page.getByLabel(live.say('live.paste.label'), { exact: true }).fill('Collé – déjà vu')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: live.say('live.paste.submit'), exact: true })
    .click()
  await live.tells(live.say('live.notice.pasted'))
}

async function answerDialog(live: LivePage): Promise<void> {
  await live.goTo(`${site()}/live/dialogs/`, 'Dialogs – Dialogues')
  await live.key('Tab')
  await live.key('Enter')
  await live.tells(live.say('live.notice.dialog_open'))
  await live.key('Enter')
}

async function openTabs(page: Page, live: LivePage): Promise<void> {
  await live.goTo(`${site()}/live/tabs/`, 'Tabs – Onglets')
  await live.key('Tab')
  await live.key('Enter')
  await live.shows('Echo')
  await page.getByRole('button', { name: 'Tabs – Onglets', exact: true }).click()
  await live.shows('Tabs – Onglets')
  await page.getByRole('button', { name: live.say('live.tab.close', { title: 'Echo' }) }).click()
  await expect(page.getByRole('button', { name: 'Echo', exact: true })).toHaveCount(0)
}

async function keepDownload(live: LivePage): Promise<void> {
  await live.goTo(`${site()}/live/downloads/`, 'Downloads – Téléchargements')
  await live.key('Tab')
  await live.key('Enter')
  await live.tells(live.say('live.notice.download_kept', { name: 'contrat.pdf' }))
}

/** The password goes through a form, JSON, a WebSocket and back into the page; the visitor only ever pastes it. */
async function logIn(page: Page, live: LivePage): Promise<void> {
  const paste = async () => {
    // Known as a field of a password: no keyboard may learn from it.
    await expect(page.getByLabel(live.say('live.keyboard.label'))).toHaveAttribute('autocorrect', 'off')
    await live.press('live.secret')
    await page.getByLabel(live.say('live.secret.label'), { exact: true }).fill(account.password)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: live.say('live.secret.submit') })
      .click()
    await live.tells(live.say('live.notice.secret_pasted'))
    await expect(page.getByLabel(live.say('live.keyboard.label'))).toBeFocused()
  }
  await live.goTo(`${site()}/live/login/`, 'Log in – Connexion')
  await live.key('Tab', 7)
  await paste()
  await live.key('Tab')
  await live.key('Enter')
  await live.key('Tab', 2)
  await live.key('Enter')
  await live.key('Tab')
  await live.key('Enter')
  await live.press('live.shot.take.viewport')
  await expect(page.getByRole('button', { name: shot(live, 1, 'viewport') })).toBeVisible()
  await live.goTo(`${site()}/live/sound/`, 'Sound – Son')
  await live.goTo(`${site()}/live/login/`, 'Log in – Connexion')
  await live.key('Tab', 2)
  await paste()
  await live.key('Enter')
  await live.shows('Welcome – Bienvenue')
}

const shot = (live: LivePage, number: number, kind: 'viewport' | 'full_page') =>
  live.say('live.shot.open', { number, kind: live.say(`live.shot.${kind}`) })

/** The network goes away for a while, and what is there afterwards is the same session. */
async function loseNetwork(page: Page, live: LivePage): Promise<void> {
  // Its way back is tried and fails: by then the session has heard that nobody is there.
  const tried = page.waitForEvent('requestfailed', (request) => request.url().includes('/live_ticket/'))
  await page.context().setOffline(true)
  await expect(page.getByText(live.say('live.reconnecting'))).toBeVisible()
  await tried
  await page.context().setOffline(false)
  await live.tells(live.say('live.notice.reconnected'))
  await expect(page.getByRole('button', { name: shot(live, 1, 'viewport') })).toBeVisible()
}

async function endSession(page: Page, live: LivePage): Promise<void> {
  await page.getByRole('button', { name: live.say('live.quit') }).click()
  await page.getByRole('button', { name: live.say('live.quit.confirm') }).click()
  await expect(page.getByRole('heading', { level: 1, name: live.say('evidence.preview.heading') })).toBeVisible({
    timeout: 120_000,
  })
}

/** Agrees, downloads, and has the command line verify. @returns the folder of the package */
async function takePackage(page: Page, live: LivePage): Promise<string> {
  await page.getByRole('button', { name: live.say('evidence.preview.agree') }).click()
  await expect(page.getByRole('heading', { level: 1, name: live.say('evidence.result.heading') })).toBeVisible({
    timeout: 120_000,
  })
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: live.say('evidence.result.full') }).click()
  const folder = mkdtempSync(join(tmpdir(), 'probant-journey-'))
  folders.push(folder)
  const zip = join(folder, 'package.zip')
  await (await downloading).saveAs(zip)
  const verified = verifyByCommand(zip)
  expect(verified.status, verified.stdout).toBe(0)
  const inside = join(folder, 'package')
  unpack(zip, inside)
  return inside
}

/** The recording has a clock without gaps, its sound is the page's, and its pictures are where the timeline says. */
function examineRecording(folder: string, lines: readonly TimelineLine[]): void {
  const video = join(folder, 'capture/session.mp4')
  const pictures = picturesIn(video)
  const times = pictures.map(({ ms }) => ms)
  expect(times.filter((time, i) => i > 0 && time <= (times[i - 1] ?? 0))).toEqual([])
  // Each picture lasts until the next, and the timeline knows of no time without.
  expect(pictures.slice(1).filter(({ ms }, i) => Math.abs(ms - (pictures[i]?.until ?? 0)) > 1)).toEqual([])
  expect(lines.filter(({ data }) => 'gap' in data)).toEqual([])
  // Of noise a 400th: a machine that is busy cuts the tone into pieces.
  expect(toneIn(video, 440)).toBeGreaterThan(0.1)

  const [first, second] = lines.filter(({ type, data }) => type === 'pointer' && data['kind'] === 'down').map(({ ms }) => ms)
  if (first === undefined || second === undefined) throw new Error('clicks are missing')
  const bright = brightnessAt(video, 200, 600)
  expect(bright).toHaveLength(times.length)
  const seen = times.map((ms, i) => ({ ms, white: (bright[i] ?? 0) > 200, black: (bright[i] ?? 0) < 50 }))
  const turned = seen.find(({ ms, white: is }) => is && ms > first)
  const back = seen.find(({ ms, black: is }) => is && ms > second)
  expect(seen.findLast(({ ms }) => ms <= first)?.black).toBe(true)
  expect(turned?.ms).toBeLessThan(second)
  expect(seen.filter(({ ms, white: is }) => ms >= (turned?.ms ?? 0) && ms <= second && !is)).toEqual([])
  expect(back).toBeDefined()
}

test.describe('journey (b), at 1280', () => {
  test.use({ viewport: { width: 1280, height: 900 } })

  test('C-30 to C-38: a live session from the home page to a package that verifies', async ({ page }) => {
    test.setTimeout(420_000)
    const live = await beginSession(page, 'en', `${site()}/live/latency/`, 'Latency')
    await clickColours(page, live)
    await type(page, live)
    await answerDialog(live)
    await openTabs(page, live)
    await keepDownload(live)
    await live.goTo(`${site()}/live/sound/`, 'Sound – Son')
    await live.key('Tab')
    await live.key('Enter')
    await logIn(page, live)
    await loseNetwork(page, live)
    await live.press('live.shot.take.full_page')
    await expect(page.getByRole('button', { name: shot(live, 2, 'full_page') })).toBeVisible()
    await isClean(page)
    await endSession(page, live)
    await isClean(page)
    const folder = await takePackage(page, live)

    const lines = timelineIn(folder)
    examineRecording(folder, lines)
    const of = (type: string) => lines.filter((line) => line.type === type).map(({ data }) => data)
    const typed = of('key').filter(({ kind, key }) => kind === 'down' && String(key).length === 1)
    expect(typed.map(({ key }) => key).join('')).toBe('plain')
    expect(of('text').map(({ text }) => text)).toEqual(['é', 'œ', '漢字', '👩🏽‍🚀'])
    expect(of('paste')).toMatchObject([{ text: 'Collé – déjà vu' }, { masked: true }, { masked: true }])
    const viewers = of('viewer').map(({ act }) => act)
    expect(viewers.slice(viewers.indexOf('leaves'))).toEqual(expect.arrayContaining(['leaves', 'joins', 'controls']))
    expect(of('dialog').map(({ act }) => act)).toEqual(['opened', 'closed'])
    expect(of('tab').map(({ act }) => act)).toEqual(expect.arrayContaining(['opened', 'select', 'close', 'closed']))
    expect(of('download').filter(({ pieces }) => pieces !== undefined)).toHaveLength(1)
    expect(whereIs('Bienvenue', folder)).not.toEqual([])
    expect(whereIs(account.password, folder)).toEqual([])
    expect(readFileSync(join(folder, 'capture/timeline.jsonl'), 'utf8')).toContain('"type":"secret"')
  })

  // The package of a session in French is that of the telephone below.
  test('C-30 to C-34 in French: what is typed, opened, kept and asked for, to the review', async ({ page }) => {
    test.setTimeout(240_000)
    // Elsewhere than where is typed: of the page that is there already it could not be told when it was loaded again.
    const live = await beginSession(page, 'fr', `${site()}/live/latency/`, 'Latency')
    await type(page, live)
    await answerDialog(live)
    await openTabs(page, live)
    await keepDownload(live)
    await live.press('live.shot.take.full_page')
    await expect(page.getByRole('button', { name: shot(live, 1, 'full_page') })).toBeVisible()
    await isClean(page)
    await endSession(page, live)
    await isClean(page)
  })
})

test.describe('journey (i), fourth step: on a telephone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 })

  test('K-01: fingers, the phone’s own keyboard, accents and paste; then the whole way to a package', async ({ page }) => {
    test.setTimeout(240_000)
    const live = await beginSession(page, 'fr', `${site()}/live/echo/`, 'Echo', 'mobile')
    const keyboard = page.getByLabel(live.say('live.keyboard.label'))
    const field = await live.at(200, 90)
    await page.touchscreen.tap(field.x, field.y)
    await expect(keyboard).toBeFocused()
    for (const text of ['é', 'ç', 'œ', ' l’été à Nîmes']) await page.keyboard.insertText(text)
    await live.press('live.paste')
    await page.getByLabel(live.say('live.paste.label'), { exact: true }).fill('Collé – 漢字 👩🏽‍🚀')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: live.say('live.paste.submit'), exact: true })
      .click()
    await live.tells(live.say('live.notice.pasted'))
    await live.press('live.shot.take.viewport')
    await live.tells(live.say('live.notice.screenshot_taken', { number: 1 }))
    await isClean(page)
    await endSession(page, live)
    await isClean(page)
    const folder = await takePackage(page, live)
    const lines = timelineIn(folder)
    const of = (type: string) => lines.filter((line) => line.type === type).map(({ data }) => data)
    expect(of('touch').map(({ kind }) => kind)).toEqual(['start', 'end'])
    expect(of('text').map(({ text }) => text)).toEqual(['é', 'ç', 'œ', ' l’été à Nîmes'])
    expect(of('paste')).toMatchObject([{ text: 'Collé – 漢字 👩🏽‍🚀' }])
    // The page has what was typed and pasted, to the code point.
    const points = Array.from('éçœ l’été à NîmesCollé – 漢字 👩🏽‍🚀', (c) => (c.codePointAt(0) ?? 0).toString(16)).join(' ')
    expect(readFileSync(join(folder, 'capture/dom.html'), 'utf8')).toContain(points)
  })
})
