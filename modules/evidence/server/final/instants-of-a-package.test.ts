import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locales, type Locale } from '../../../../kernel/locale.ts'
import { utcInstant } from '../../../../kernel/utc-instant.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { steeredChromium } from '../../../../testing/steered-chromium.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createMessages } from '../../../../platform/messages/messages.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { createTimestampers, openKeyring, openPublicLog } from '../../../sealing/server/index.ts'
import { evidence as evidenceSchema, type Evidence } from '../../contract/evidence.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { agreeEvidence } from '../draft/agree-evidence.ts'
import { insertFiles, type FileRecord } from '../files/file-store.ts'
import { finalizeEvidence } from './finalize-evidence.ts'
import { packageOf, webDeps } from '../health/final-evidence.test-data.ts'
import { claimNext, closeCapture } from '../queue/lease-store.ts'
import { presentEvidence } from '../present/present-evidence.ts'
import { reportWords } from '../../../report/server/words/report-words.ts'
import { sampleFacts, samplePieces, writeSampleFiles } from '../../../report/server/sample-report.test-data.ts'
import { sealEvidence } from '../seal/seal-evidence.ts'
import { findEvidence } from '../record/store.ts'
import { storeLocalFile } from '../files/store-files.ts'

const run = promisify(execFile)
const database = withDatabase()
/** The last millisecond of a day: whoever rounds says another day. */
const began = '2026-11-20T23:59:59.999Z'
/** Each look at the clock is later by most of a second: what is read twice is told twice. */
let ticks = Date.parse('2026-11-21T00:00:20.100Z')
const clock = { now: () => new Date((ticks += 900)) }

let folder = ''
let open = ''
let api: Evidence
/** What the offline verifier shows, in each language. */
const verified = new Map<Locale, string>()

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'instants-'))
  // The jailed printer reads what it prints as another user.
  await chmod(folder, 0o755)
  await build({
    configFile: fileURLToPath(new URL('../../../../apps/verify-html/vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { outDir: join(folder, 'built'), emptyOutDir: true },
  })
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const origin = 'proofs.example/log'
  const publicLog = await openPublicLog({ db: database.db, keyring, clock, origin, folder: join(folder, 'log') })
  const blobs = createFolderBlobStore(join(folder, 'blobs'))
  const world = { db: database.db, blobs, clock, keyring, timestampers, publicLog }
  const deps = { ...webDeps(world), ...world }

  const asked = { url: 'https://boutique.example/', action: 'static', locale: 'en' } as const
  const { evidence, token } = await createEvidence(deps, asked, { addressPrefix: null })
  const { id } = evidence
  const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 600)
  if (claim?.id !== id) throw new Error('another evidence was claimed')
  const samples = await writeSampleFiles(folder, 900)
  const files: FileRecord[] = []
  for (const { path, role, media_type: mediaType } of samplePieces) {
    const file = samples.get(path)
    if (file !== undefined) files.push(await storeLocalFile(blobs.scope(id), { path, section: 'piece', role, mediaType }, file))
  }
  const facts = {
    ...sampleFacts(900),
    started_at: began,
    navigated_at: '2026-11-21T00:00:03.001Z',
    finished_at: '2026-11-21T00:00:09.999Z',
  }
  await database.db.transaction().execute(async (tx) => {
    await closeCapture(tx, id, claim.fence, { status: 'completing', facts })
    await insertFiles(tx, id, files)
  })
  await sealEvidence(deps, id)
  await agreeEvidence(deps, { evidenceToken: token }, id)
  await finalizeEvidence(
    {
      ...deps,
      verifyHtmlFile: join(folder, 'built/verify.html'),
      workFolder: join(folder, 'work'),
      siteUrl: null,
    },
    id,
    new AbortController().signal,
  )
  const record = await findEvidence(database.db, id)
  if (record === null) throw new Error('the evidence is gone')
  api = evidenceSchema.parse(await presentEvidence(deps, { evidenceToken: token }, record))

  const zip = join(folder, 'package.zip')
  await writeFile(zip, await packageOf(world, id))
  open = join(folder, 'open')
  await run('unzip', ['-q', zip, '-d', open])
  const browser = await chromium.launch(steeredChromium())
  try {
    for (const locale of locales) {
      const context = await browser.newContext({
        locale: locale === 'fr' ? 'fr-FR' : 'en-GB',
        timezoneId: 'America/Guadeloupe',
      })
      const page = await context.newPage()
      await page.goto(pathToFileURL(join(open, 'verify.html')).href)
      await page.locator('#file').setInputFiles(zip)
      await page.locator('#result').waitFor()
      verified.set(locale, plain(await page.locator('main').innerText()))
      await context.close()
    }
  } finally {
    await browser.close()
  }
}, 180_000)
afterAll(async () => await rm(folder, { recursive: true, force: true }))

describe('one package tells each of its instants once', () => {
  test('the calls give the instants that are sealed', async () => {
    const { subject } = JSON.parse(await readFile(join(open, 'manifest.json'), 'utf8')) as { subject: { started_at: string } }
    const seal = JSON.parse(await readFile(join(open, 'seal/seal.json'), 'utf8')) as {
      signed_at: string
      timestamps: { gen_time: string }[]
    }
    expect(subject.started_at).toBe(began)
    expect([api.captured_at, api.preview?.started_at]).toEqual([began, began])
    expect(api.seal?.signed_at).toBe(seal.signed_at)
    expect(api.seal?.timestamps.map(({ gen_time }) => gen_time)).toEqual(seal.timestamps.map(({ gen_time }) => gen_time))
    // Three facts, three instants: a text that took one for another would be found out.
    const instants = [began, seal.signed_at, seal.timestamps[0]?.gen_time ?? ''].map((iso) => utcInstant(iso, 'en'))
    expect(new Set(instants).size).toBe(3)
  })

  test.each(locales)(
    '%s: report, README.txt and verify.html say what the calls give, in the one form of the pages (words.test.ts)',
    async (locale) => {
      const { t } = reportWords(locale)
      const messages = createMessages(locale)
      const said = { began, signed: api.seal?.signed_at ?? '', stamped: api.seal?.timestamps[0]?.gen_time ?? '' }
      const written = {
        began: plain(utcInstant(said.began, locale)),
        signed: plain(utcInstant(said.signed, locale)),
        stamped: plain(utcInstant(said.stamped, locale)),
      }
      const { stdout } = await run('pdftotext', ['-raw', join(open, `report.${locale}.pdf`), '-'], {
        maxBuffer: 64 * 1024 * 1024,
      })
      const pdf = plain(stdout)
      expect(pdf).toContain(plain(`${t('report.cover.captured')} ${written.began}`))
      expect(pdf).toContain(plain(`${t('report.seal.signed_at')} ${written.signed}`))
      expect(pdf).toContain(plain(`${t('report.cover.sealed')} ${written.stamped}`))
      // On the cover, on the page for the judge, with the seal, and in the answers to objections.
      expect(pdf.split(written.stamped).length - 1).toBeGreaterThan(3)
      const readme = plain(await readFile(join(open, 'README.txt'), 'utf8'))
      expect(readme).toContain(plain(`${t('report.readme.when')} ${written.began}`))
      expect(readme).toContain(plain(`${t('report.readme.stamped')} ${written.stamped}`))
      const verifier = verified.get(locale) ?? ''
      for (const [label, instant] of [
        [messages.format('verification.ui.started'), written.began],
        [messages.format('verification.ui.signed_at'), written.signed],
        [messages.format('verification.ui.stamped'), written.stamped],
      ] as const) {
        // As the pages have it: as the report, then the reader's own clock.
        expect(verifier).toContain(plain(`${label} ${instant} = `))
      }
      // Nobody rounds up: the second after the first is no fact of this package.
      const rounded = plain(utcInstant('2026-11-21T00:00:00.000Z', locale))
      for (const text of [pdf, readme, verifier]) expect(text).not.toContain(rounded)
    },
  )
})
