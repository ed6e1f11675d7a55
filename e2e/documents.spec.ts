/** Journey (c): documents are dated without leaving the browser; in a real browser against the whole product. */
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { enter, person } from './fixtures/accounts.ts'
import { address, isClean, test } from './fixtures/pages.ts'

const words = {
  en: {
    menu: 'Timestamping',
    hide: 'Hide the names',
    hashed: '1 of 1 document',
    stamp: 'Time-stamp 1 document',
    notSent: '1 fingerprint is not sent yet',
    deposited: '1 document was deposited.',
    stamped: 'Time-stamped',
    completed: 'Completed',
    pending: 'Pending',
    verify: /^Verify a file – /,
    verifyTitle: 'Verify a file against this deposit',
    is: 'is the deposited document, to the last bit',
    isNot: 'is not the deposited document',
    none: 'None of your other deposits has this fingerprint either.',
    another: 'It is the document of another deposit',
    close: 'Close',
    tsr: 'Time stamp (document.tsr)',
    certificate: 'Certificate (PDF)',
    zip: 'All proofs (ZIP)',
    empty: 'empty file',
    twin: 'same content as',
    stampMany: (count: number) => `Time-stamp ${count} documents`,
    draft: 'Keep as a draft',
    draftState: 'Draft',
    share: 'Share a read-only page',
    shared: 'Zoë d’Artagnan deposited the fingerprint of a document',
    trash: /^Put in the trash – /,
    undo: 'Undo',
    versionLink: 'Deposit a new version',
    replaces: /^It will be declared to replace “contrat/,
    versions: 'this deposit',
    pause: 'Pause all',
    resume: 'Resume all',
    failed: 'Could not be read',
    search: 'Name, reference, description or fingerprint',
  },
  fr: {
    menu: 'Horodatage',
    hide: 'Cacher les noms',
    hashed: '1 sur 1 document',
    stamp: 'Horodater 1 document',
    notSent: '1 empreinte n’est pas encore envoyée',
    deposited: '1 document a été déposé.',
    stamped: 'Horodaté',
    completed: 'Finalisés',
    pending: 'En cours',
    verify: /^Vérifier un fichier – /,
    verifyTitle: 'Vérifier un fichier par rapport à ce dépôt',
    is: 'est le document déposé, au bit près',
    isNot: 'n’est pas le document déposé',
    none: 'Aucun de vos autres dépôts n’a non plus cette empreinte.',
    another: 'C’est le document d’un autre dépôt',
    close: 'Fermer',
    tsr: 'Horodatage (document.tsr)',
    certificate: 'Certificat (PDF)',
    zip: 'Toutes les preuves (ZIP)',
    empty: 'fichier vide',
    twin: 'même contenu que',
    stampMany: (count: number) => `Horodater ${count} documents`,
    draft: 'Garder en brouillon',
    draftState: 'Brouillon',
    share: 'Partager une page en lecture seule',
    shared: 'Zoë d’Artagnan a déposé l’empreinte d’un document',
    trash: /^Mettre à la corbeille – /,
    undo: 'Annuler',
    versionLink: 'Déposer une nouvelle version',
    replaces: /^Il sera déclaré comme remplaçant «\u202fcontrat/,
    versions: 'ce dépôt',
    pause: 'Tout suspendre',
    resume: 'Tout reprendre',
    failed: 'Lecture impossible',
    search: 'Nom, référence, description ou empreinte',
  },
} as const
type Locale = keyof typeof words

const folder = mkdtempSync(join(tmpdir(), 'probant-documents-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rows = (page: Page) => page.getByRole('main').locator('li').filter({ has: page.locator('[data-status]') })
const shot = async (page: Page, name: string) => await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true })
const chooseFiles = (page: Page) => page.getByRole('main').locator('input[type=file]').first()
const sha256 = (file: string) => execFileSync('openssl', ['dgst', '-sha256', '-r', file]).toString().slice(0, 64)

/** Every call that sends something, in bytes as they went over the network; what is in them is kept too. */
function watchNetwork(context: BrowserContext) {
  const sent: { method: string; path: string; bytes: number; body: string }[] = []
  context.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    void request.sizes().then(({ requestBodySize, requestHeadersSize }) =>
      sent.push({ method: request.method(), path: pathname, bytes: requestBodySize + requestHeadersSize, body: request.postData() ?? '' }),
    )
  })
  return sent
}

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('R-14 L-04 C-15 E-32 C-75 C-76: two gigabytes are dated, and a fingerprint alone leaves the browser', async ({ page, context }) => {
      const say = words[locale]
      // Sparse: as long as it says, and read to its end.
      const huge = join(folder, `secret-${locale}.bin`)
      writeFileSync(huge, locale)
      truncateSync(huge, 2 * 1024 ** 3)
      const who = await person(page, locale, `documents-${randomUUID()}@example.org`)
      await enter(page, who)
      await page.goto(address(`/${locale}/documents/`))
      await expect(page).toHaveURL(new RegExp(`/${locale}/documents/pending/$`))
      await isClean(page)
      const sent = watchNetwork(context)

      // The network goes away as soon as the page is there.
      await context.setOffline(true)
      await chooseFiles(page).setInputFiles(huge)
      await expect(page.getByRole('progressbar').first()).toBeVisible()
      await shot(page, 'hashing')
      await page.getByRole('button', { name: say.pause, exact: true }).click()
      await page.getByRole('button', { name: say.resume, exact: true }).click()
      await expect(page.getByText(say.hashed)).toBeVisible({ timeout: 170_000 })
      await page.getByLabel(say.hide, { exact: true }).check()
      await isClean(page)
      await shot(page, 'hashed')
      await page.getByRole('button', { name: say.stamp, exact: true }).click()
      await expect(page.getByText(say.notSent)).toBeVisible()
      await isClean(page)
      await shot(page, 'cut-off')

      // The page is closed; another finds what waits, and sends it.
      await page.close()
      await context.setOffline(false)
      const next = await context.newPage()
      await enter(next, who)
      await next.goto(address(`/${locale}/documents/pending/`))
      await expect(next.getByText(say.deposited)).toBeVisible()
      await next.getByRole('link', { name: say.completed, exact: true }).click()
      await expect(rows(next)).toHaveCount(1)
      await expect(rows(next).getByText(say.stamped, { exact: true })).toBeVisible()
      // Shown by this browser, which alone knows it.
      await expect(rows(next).getByRole('link', { name: `secret-${locale}.bin` })).toBeVisible()
      await isClean(next)
      await shot(next, 'completed')

      const bytes = sent.reduce((sum, each) => sum + each.bytes, 0)
      const bodies = sent.filter(({ body }) => body !== '')
      await test.info().attach('network', {
        body: JSON.stringify({ bytes, calls: sent.map(({ method, path, bytes: each }) => `${method} ${path} ${each}`) }, null, 1),
        contentType: 'application/json',
      })
      expect(bodies.map(({ path }) => path)).toEqual(['/documents/batches/'])
      expect(bodies[0]?.body).toContain(sha256(huge))
      expect(Object.keys((JSON.parse(bodies[0]?.body ?? '{}') as { documents: object[] }).documents[0] ?? {}).sort()).toEqual([
        'client_id',
        'sha256',
        'sha512',
      ])
      expect(sent.some(({ body, path }) => `${body}${path}`.includes('secret'))).toBe(false)
      expect(bytes).toBeLessThan(100_000)
      rmSync(huge)
    })
  })
