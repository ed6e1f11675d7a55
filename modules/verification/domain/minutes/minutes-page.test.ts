import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { steeredChromium } from '../../../../testing/steered-chromium.ts'
import { utcInstant } from '../../../../kernel/utc-instant.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { fingerprintsOf } from '../../../../testing/verify-compared.ts'
import { coverEveryProof, sealEveryProof, zipOfEntries } from '../../../../testing/package-of-every-proof.ts'
import type { Words } from '../describe/describe-check.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'
import { minutesHtml } from './minutes-html.ts'
import { minutesOf } from './minutes.ts'

const run = promisify(execFile)
const shown = `https://www.example.org/${'a-long-path/'.repeat(12)}?q=<b>`
const begun = new Date('2026-11-21T10:00:00.000Z')
let dir: string
let browser: Browser
let whole: Uint8Array
/** Of the platform, as its reader compared them. */
let fingerprints: readonly string[]
let altered: Uint8Array

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'minutes-'))
  browser = await chromium.launch(steeredChromium())
  const pieces = Array.from({ length: 30 }, (_, i) => ({
    path: `capture/piece-${String(i)}.html`,
    role: 'dom' as const,
    bytes: Buffer.from(`<p>${String(i)}`),
  }))
  const about = { requested_url: 'https://example.org/', final_url: shown, started_at: begun.toISOString() }
  const sealed = await sealEveryProof({ keys: join(dir, 'keys'), pieces, subject: about })
  const entries = await coverEveryProof(sealed.files, sealed.timestampers)
  whole = await zipOfEntries(entries)
  fingerprints = await fingerprintsOf({ kind: 'zip', file: fileOfBytes('package.zip', whole) }, { now: () => new Date() })
  altered = await zipOfEntries(
    entries.map(([path, bytes]) => [path, path.startsWith('capture/') ? Buffer.concat([bytes, Buffer.from('!')]) : bytes]),
  )
}, 60_000)
afterAll(async () => {
  await browser.close()
  await rm(dir, { recursive: true, force: true })
})

const wordsOf = (locale: 'en' | 'fr', timeZone: string): Words => {
  const messages = createMessages(locale)
  const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone })
  return {
    format: (id, values) => (messages.has(id) ? messages.format(id, values) : id),
    has: (id) => messages.has(id),
    instant: (iso) =>
      timeZone === 'UTC' ? utcInstant(iso, locale) : `${utcInstant(iso, locale)} = ${clock.format(new Date(iso))} (${timeZone})`,
  }
}

/** As the page writes them to a file, printed. */
async function printed(
  locale: 'en' | 'fr',
  zip: Uint8Array,
  timeZone = 'Europe/Paris',
): Promise<{ pages: number; text: string }> {
  const dossier = await verifyDossier([fileOfBytes('package.zip', zip)], { now: () => new Date(), fingerprints })
  const page = await browser.newPage()
  await page.setContent(minutesHtml(minutesOf(dossier, wordsOf(locale, timeZone), '0.1.0'), locale))
  const pdf = join(dir, 'minutes.pdf')
  await page.pdf({ path: pdf, preferCSSPageSize: true })
  await page.close()
  const [{ stdout: info }, { stdout: text }] = await Promise.all([run('pdfinfo', [pdf]), run('pdftotext', ['-layout', pdf, '-'])])
  return { pages: Number(/Pages:\s+(\d+)/.exec(info)?.[1]), text: text.replaceAll(/\s+/g, ' ') }
}

test('the minutes of a package are one page: page, capture in local time and UTC, root, seal, qualified, anchor, log', async () => {
  const { pages, text } = await printed('en', whole)
  expect(pages).toBe(1)
  for (const said of [
    'Everything holds',
    'EN 319 102-1: TOTAL-PASSED',
    'by the fingerprint that you compared',
    'Address asked for https://example.org/',
    'Address shown https://www.example.org/a-long-path/',
    '21 November 2026, 10:00:00 UTC = 21 November 2026 at 11:00:00 (Europe/Paris) – ',
    'Asked for by Nobody is named in what was sealed.',
    'Sealed digest (SHA-256 root)',
    'Signed by Seal of a Probant platform',
    'Qualified The time stamps are not said to be qualified',
    'Bitcoin anchor',
    'calendars promised',
    'Public log',
    'Passed: ',
  ])
    expect(text).toContain(said)
  expect(text).not.toMatch(/more lines?|full report/)
  // Where the reader's clock is UTC the hour is said once.
  expect((await printed('en', whole, 'UTC')).text).not.toContain(' = 21')
})

test('the minutes of an altered package are one page too, in French: pieces by name, then how many more', async () => {
  const { pages, text } = await printed('fr', altered)
  expect(pages).toBe(1)
  for (const said of [
    'TOTAL-FAILED',
    '21 novembre 2026 à 10 h 00 min 00 s UTC = 21 November 2026 at 11:00:00 (Europe/Paris) –',
    'À la demande de Ce qui a été scellé ne nomme personne.',
    'capture/piece-0.html',
    'Et 24 autres du même contrôle.',
  ])
    expect(text).toContain(said)
})
