/** A session whose time is short, over a network that fails in the middle: what is said, what goes on, and what the evidence tells of it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import type { Evidence } from '../modules/evidence/contract/evidence.ts'
import { startFixtureSite, type FixtureSite } from '../testing/site/start-fixture-site.ts'
import { readEvidence, type Held } from './fixtures/evidence-client.ts'
import { startNetwork, type Network } from './fixtures/cut-connection.ts'
import { livePage, words } from './fixtures/live-page.ts'
import { inkBelow } from './fixtures/live-session.ts'
import { isClean, test } from './fixtures/pages.ts'
import { startInstallation, type Installation } from './fixtures/installation.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-limits-'))
let site: FixtureSite
let installation: Installation
let network: Network

test.use({ viewport: { width: 1280, height: 900 } })

test.beforeAll(async () => {
  site = await startFixtureSite()
  installation = await startInstallation({
    PROBANT_ALLOW_ADDRESSES: site.addresses.join(','),
    PROBANT_BILLING: 'off',
    // Long enough for a slow machine to lose and find the session before the last thirty seconds are told: one thing is said at a time.
    PROBANT_INTERACTIVE_SECONDS: '64',
    PROBANT_INTERACTIVE_PER_ADDRESS: '0',
  })
  network = await startNetwork(installation.origin)
})

test.afterAll(async () => {
  await network.close()
  expect(await installation.stop()).toBe(0)
  installation.removeData()
  rmSync(folder, { recursive: true, force: true })
  await site.close()
})

const say = (...asked: Parameters<typeof words> extends [unknown, ...infer Rest] ? Rest : never) => words('en', ...asked)

/** The draft that this browser holds, newest first. */
async function heldBy(page: Page): Promise<Held> {
  const held = await page.evaluate(() => JSON.parse(localStorage.getItem('probant.held') ?? '[]') as Held[])
  const id = new URL(page.url()).pathname.split('/').find((part) => part.length === 36)
  const found = held.find((one) => one.id === id)
  if (found === undefined) throw new Error('nothing is held')
  return found
}

/** The report as it would be printed, as text. */
async function reportOf({ id, token }: Held): Promise<string> {
  const headers = { 'x-evidence-token': token }
  let link = ''
  await expect
    .poll(async () => {
      const answer = await fetch(`${installation.origin}/evidences/${id}/pdf_preview/?language=en`, { headers })
      const { status, pdf_preview } = (await answer.json()) as { status: string; pdf_preview: string | null }
      link = pdf_preview ?? ''
      return status
    })
    .toBe('ready')
  const file = join(folder, `${id}.pdf`)
  writeFileSync(file, new Uint8Array(await (await fetch(new URL(link, installation.origin))).arrayBuffer()))
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
}

type Session = NonNullable<NonNullable<Evidence['preview']>['session']>

test('H-49 C-36: the network fails and comes back, the time runs out by itself, and a new session may follow', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const live = livePage(page, 'en')
  await page.goto(`${network.origin}/en/`)
  await page.getByLabel(say('evidence.form.address')).fill(`${site.origin}/live/echo/`)
  await page.getByRole('button', { name: say('evidence.form.interactive') }).click()
  await live.shows('Echo')
  await expect(page.getByRole('status').filter({ hasText: /^Less than two minutes left\./ })).toBeVisible()
  const field = await live.at(280, 88)
  await page.mouse.click(field.x, field.y)
  await expect(page.getByLabel(say('live.keyboard.label'))).toBeFocused()
  const ink = await inkBelow(page, 110)
  await page.keyboard.insertText('before')
  // The page writes what it was given: it has arrived before nothing arrives any more.
  await expect.poll(async () => (await inkBelow(page, 110)) - ink).toBeGreaterThan(100)

  network.cut()
  await expect(page.getByRole('status').getByText(say('live.reconnecting'))).toBeVisible()
  // What is done now goes nowhere, and nothing of it is kept for later.
  await expect(page.getByRole('button', { name: say('live.quit') })).toBeDisabled()
  await page.keyboard.insertText('lost')
  await isClean(page)
  const held = await heldBy(page)
  expect((await readEvidence(installation.origin, held)).phase.name).toBe('capturing')
  network.mend()
  await live.tells(say('live.notice.reconnected'))
  await expect(page.getByRole('button', { name: say('live.quit') })).toBeEnabled()
  await live.shows('Echo')

  await expect(page.getByRole('alert').filter({ hasText: /hirty seconds left\./ })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('heading', { level: 2, name: say('live.over.title') })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('heading', { level: 1, name: say('evidence.preview.heading') })).toBeVisible({ timeout: 120_000 })

  const { session } = (await readEvidence(installation.origin, held)).preview ?? { session: null }
  expect(session).toMatchObject({ ended_by: 'time', video: { gaps: [] } } satisfies {
    ended_by: Session['ended_by']
    video: unknown
  })
  // The first absence is the start, until somebody steers; on a fast machine the cut follows within the same second.
  const [start, absence] = session?.absences ?? []
  expect(start?.from_ms).toBe(0)
  expect(absence?.to_ms).toBeGreaterThan(absence?.from_ms ?? 0)
  const option = (name: string | RegExp) => page.getByRole('listbox').getByRole('option', { name })
  await page.getByRole('searchbox').fill('Typed:')
  await expect(option(/Typed: before/)).toBeVisible()
  await expect(option(/Typed/)).toHaveCount(1)
  await page.getByRole('searchbox').fill('30 seconds left')
  await expect(option(/30 seconds left/)).toBeVisible()
  await page.getByRole('tab', { name: 'Session', exact: true }).click()
  await expect(page.getByText(say('review.facts.ended.time'), { exact: true })).toBeVisible()
  await expect(page.getByText(/^Nobody steered from 0:\d\d\.\d{3} to 0:\d\d\.\d{3}\./).last()).toBeVisible()
  const tenths = (ms: number) => `0:${String(Math.floor(ms / 1000)).padStart(2, '0')}.${Math.floor(ms / 100) % 10}`
  expect(await reportOf(held)).toContain(`${tenths(absence?.from_ms ?? 0)} to ${tenths(absence?.to_ms ?? 0)}`)

  await page.getByRole('button', { name: say('review.retry') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('review.retry.confirm') })
    .click()
  await live.shows('Echo')
  const next = await heldBy(page)
  expect(next.id).not.toBe(held.id)
  const [first, second] = [await readEvidence(installation.origin, held), await readEvidence(installation.origin, next)]
  expect([first.status, first.replaced_by, second.action, second.page_url]).toEqual([
    'to_validate',
    next.id,
    'interactive',
    first.page_url,
  ])
  // Back at the first: it may be agreed to still, and leads to the second.
  await page.goBack()
  await expect(page.getByRole('button', { name: say('evidence.preview.agree') })).toBeEnabled()
  await expect(page.getByRole('button', { name: say('evidence.ended.replaced') })).toBeVisible()
})
