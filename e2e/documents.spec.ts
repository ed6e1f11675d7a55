/** Journey (c): documents are dated without leaving the browser; in a real browser against the whole product. */
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { enter, person } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, openRowMenu, test } from './fixtures/pages.ts'

const words = {
  en: {
    menu: 'Timestamping',
    hide: 'Hide the names',
    forget: 'Forget these names',
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
    agree: 'Time-stamp',
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
    forget: 'Oublier ces noms',
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
    agree: 'Horodater',
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

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'probant-documents-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rows = (page: Page) =>
  page
    .getByRole('main')
    .locator('li')
    .filter({ has: page.locator('[data-status]') })
const shot = async (page: Page, name: string) => await keepPicture(page, `${name}.png`)
const chooseFiles = (page: Page) => page.getByRole('main').locator('input[type=file]').first()
const sha256 = (file: string) => execFileSync('openssl', ['dgst', '-sha256', '-r', file]).toString().slice(0, 64)

/** Every call that sends something, in bytes as they went over the network; what is in them is kept too. */
function watchNetwork(context: BrowserContext) {
  const sent: { method: string; path: string; bytes: number; bodyBytes: number; body: string }[] = []
  context.on('requestfinished', (request) => {
    const body = request.postData() ?? ''
    const bytes = Buffer.byteLength(body)
    const each = { method: request.method(), path: new URL(request.url()).pathname, bytes, bodyBytes: bytes, body }
    sent.push(each)
    // With its head, unless the page was closed before that was counted.
    request.sizes().then(
      ({ requestBodySize, requestHeadersSize }) =>
        Object.assign(each, { bytes: requestBodySize + requestHeadersSize, bodyBytes: requestBodySize }),
      () => undefined,
    )
  })
  return sent
}

const twoGigabytes = 2 * 1024 ** 3

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({
      viewport: { width, height: 900 },
      locale,
      // Firefox says which face it could not fetch while there was no network.
      expected: /^download failed \(font-family/,
      contextOptions: { reducedMotion: 'reduce' },
    })

    test('R-14 L-04 C-15 E-32 C-75 C-76: a large file is dated, and its fingerprint alone leaves the browser', async ({
      page,
      context,
      browserName,
    }) => {
      const say = words[locale]
      // Sparse: as long as it says, and read to its end.
      const huge = join(folder, `secret-${locale}.bin`)
      writeFileSync(huge, locale)
      truncateSync(huge, twoGigabytes)
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
      await expect(rows(next).getByRole('link', { name: `secret-${locale}.bin`, exact: true })).toBeVisible()
      await isClean(next)
      await shot(next, 'completed')
      await next.getByRole('button', { name: say.forget, exact: true }).click()
      await next.getByRole('dialog').getByRole('button', { name: say.forget, exact: true }).click()
      await expect(rows(next).getByRole('link', { name: `secret-${locale}.bin`, exact: true })).toHaveCount(0)

      const bytes = sent.reduce((sum, each) => sum + each.bytes, 0)
      const bodies = sent.filter(({ bodyBytes }) => bodyBytes > 0)
      await test.info().attach('network', {
        body: JSON.stringify({ bytes, calls: sent.map(({ method, path, bytes: each }) => `${method} ${path} ${each}`) }, null, 1),
        contentType: 'application/json',
      })
      expect(bodies.map(({ path }) => path)).toEqual(['/documents/batches/'])
      // Firefox tells how long a body is, and not what it says: two fingerprints have room in it, and not much else.
      if (browserName === 'firefox') expect(bodies[0]?.bodyBytes).toBeLessThan(400)
      else {
        expect(bodies[0]?.body).toContain(sha256(huge))
        const { documents } = JSON.parse(bodies[0]?.body ?? '{}') as { documents: object[] }
        expect(Object.keys(documents[0] ?? {}).sort()).toEqual(['client_id', 'sha256', 'sha512'])
      }
      expect(sent.some(({ body, path }) => `${body}${path}`.includes('secret'))).toBe(false)
      expect(bytes).toBeLessThan(100_000)
      rmSync(huge)
    })

    test('H-43 E-31: many are hashed and dated together, and a file is verified on the line of its deposit', async ({ page }) => {
      const say = words[locale]
      const who = await person(page, locale, `documents-${randomUUID()}@example.org`)
      const at = mkdtempSync(join(folder, 'many-'))
      mkdirSync(join(at, 'dossier'))
      const [contract, copy, empty, other] = ['contrat œuvre.txt', 'copie.txt', 'vide.txt', 'autre.txt'].map((name) =>
        join(at, name),
      ) as [string, string, string, string]
      for (const file of [contract, copy]) writeFileSync(file, `Contrat ${locale}`)
      writeFileSync(empty, '')
      writeFileSync(other, 'autre')
      for (let i = 0; i < 300; i += 1) writeFileSync(join(at, 'dossier', `${i}.txt`), `${locale} ${i}`)
      await enter(page, who)
      await page.goto(address(`/${locale}/documents/pending/`))
      await chooseFiles(page).setInputFiles([contract, copy, empty])
      await page.getByRole('main').locator('input[type=file]').nth(1).setInputFiles(join(at, 'dossier'))
      await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: /302/ })).toBeVisible()
      // Of three hundred and three only those in view are drawn.
      const drawn = page.locator('li[aria-setsize="303"]')
      await expect(drawn.first()).toBeVisible()
      expect(await drawn.count()).toBeLessThan(30)
      await expect(page.getByText(say.empty)).toBeVisible()
      await expect(page.getByText(`${say.twin} contrat œuvre.txt`)).toBeVisible()
      await isClean(page)
      await shot(page, 'many')
      await page.getByRole('button', { name: say.stampMany(302), exact: true }).click()
      await expect(page.locator('strong', { hasText: /^302 / })).toBeVisible()
      await page.goto(address(`/${locale}/documents/completed/?search=contrat`))
      const row = rows(page)
      await expect(async () => {
        await page.reload()
        await expect(row).toHaveCount(1, { timeout: 2_000 })
      }).toPass()

      const dialog = page.getByRole('dialog', { name: say.verifyTitle })
      await openRowMenu(page, 'contrat')
      await page.getByRole('button', { name: say.verify }).click()
      await dialog.locator('input[type=file]').setInputFiles(contract)
      await expect(dialog.locator('[data-verdict="same"]')).toContainText(say.is)
      await dialog.locator('input[type=file]').setInputFiles(other)
      await expect(dialog.locator('[data-verdict="other"]')).toContainText(say.isNot)
      await expect(dialog.getByText(say.none)).toBeVisible()
      await expect(dialog.locator('code').nth(1)).toContainText(createHash('sha256').update('autre').digest('hex').slice(0, 8))
      await isClean(page)
      await shot(page, 'other')
      await dialog.locator('input[type=file]').setInputFiles(empty)
      await expect(dialog.getByText(say.another)).toBeVisible()
      await dialog.getByRole('button', { name: say.close, exact: true }).click()
      await expect(dialog).toBeHidden()

      // Dropped on the line itself.
      const transfer = await page.evaluateHandle(
        (text) => {
          const data = new DataTransfer()
          data.items.add(new File([text], 'dropped.txt'))
          return data
        },
        readFileSync(contract, 'utf8'),
      )
      await row.dispatchEvent('drop', { dataTransfer: transfer })
      await expect(dialog.locator('[data-verdict="same"]')).toContainText('dropped.txt')
      await isClean(page)
    })

    test('C-14 C-16 C-75 C-76 X-15: a draft is dated, its proofs verify by openssl, it is shared, replaced, put in the trash and had back', async ({
      page,
      browser,
    }) => {
      const say = words[locale]
      const who = await person(page, locale, `documents-${randomUUID()}@example.org`)
      const at = mkdtempSync(join(folder, 'one-'))
      const [first, second] = ['contrat.txt', 'contrat v2.txt'].map((name) => join(at, name)) as [string, string]
      writeFileSync(first, `Contrat ${randomUUID()}`)
      writeFileSync(second, `Contrat ${randomUUID()}`)
      await enter(page, who)
      await page.goto(address(`/${locale}/documents/pending/`))
      await chooseFiles(page).setInputFiles(first)
      await page.getByRole('button', { name: say.draft, exact: true }).click()
      await expect(rows(page).getByText(say.draftState, { exact: true })).toBeVisible()
      await isClean(page)
      await shot(page, 'draft')
      // What was deposited is counted until it is put away.
      await page.getByRole('main').getByRole('button', { name: say.close, exact: true }).click()
      await expect(page.getByText(say.deposited)).toHaveCount(0)
      await rows(page).getByRole('link', { name: 'contrat.txt' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'contrat.txt' })).toBeVisible()
      await page.getByRole('button', { name: say.agree, exact: true }).click()
      await expect(page.getByRole('button', { name: say.zip })).toBeVisible()
      await isClean(page)
      await shot(page, 'deposit')

      const id = /deposit\/([^/]+)\//.exec(page.url())?.[1] ?? ''
      for (const [button, name] of [
        [say.tsr, 'document.tsr'],
        [say.certificate, `deposit_${id}.pdf`],
        [say.zip, `proofs_${id}.zip`],
      ] as const) {
        // Where the browser shows no PDF in a frame, that too is a download.
        const downloading = page.waitForEvent('download', (download) => download.suggestedFilename() === name)
        await page.getByRole('button', { name: button, exact: true }).click()
        await (await downloading).saveAs(join(at, name))
      }
      expect(
        readFileSync(join(at, `deposit_${id}.pdf`))
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-')
      execFileSync('unzip', ['-q', join(at, `proofs_${id}.zip`), '-d', join(at, 'proofs')])
      const authorities = readdirSync(join(at, 'proofs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.(?:pem|crt)$/.test(name),
      )
      const trusted = join(at, 'trusted.pem')
      writeFileSync(trusted, authorities.map((name) => readFileSync(join(at, 'proofs', name), 'utf8')).join('\n'))
      const verified = execFileSync(
        'openssl',
        ['ts', '-verify', '-data', first, '-in', join(at, 'document.tsr'), '-CAfile', trusted],
        { stdio: 'pipe' },
      )
      expect(verified.toString()).toContain('Verification: OK')

      await page.getByRole('button', { name: say.share, exact: true }).click()
      const shared = await page.locator('code', { hasText: '/shared/' }).textContent()
      const visitor = await (await browser.newContext({ locale, viewport: { width, height: 900 } })).newPage()
      await visitor.goto(shared ?? '')
      await expect(visitor.getByText(say.shared)).toBeVisible()
      await visitor.locator('input[type=file]').setInputFiles(first)
      await expect(visitor.locator('[data-verdict="same"]')).toContainText(say.is)
      await isClean(visitor)
      await shot(visitor, 'shared')
      await visitor.context().close()

      await page.getByRole('link', { name: say.versionLink }).click()
      await chooseFiles(page).setInputFiles(second)
      await expect(page.getByText(say.replaces)).toBeVisible()
      await page.getByRole('button', { name: say.stamp, exact: true }).click()
      await expect(page.getByText(say.deposited)).toBeVisible()
      // The page does not follow what is not its own deposit.
      await expect(async () => {
        await page.goto(address(`/${locale}/documents/completed/`))
        await expect(rows(page)).toHaveCount(2, { timeout: 2_000 })
      }).toPass()
      await page.goto(address(`/${locale}/documents/deposit/${id}/`))
      await expect(page.getByRole('listitem').filter({ hasText: say.versions })).toBeVisible()
      await expect(page.getByRole('link', { name: /^contrat v2\.txt/ })).toBeVisible()

      await page.goto(address(`/${locale}/documents/completed/?search=contrat.txt`))
      await openRowMenu(page, 'contrat.txt')
      await page.getByRole('button', { name: say.trash }).first().click()
      await page.getByRole('button', { name: say.undo, exact: true }).click()
      await expect(rows(page).getByRole('link', { name: 'contrat.txt', exact: true })).toBeVisible()

      // The verifier asks the network for nothing of the person who is signed in, and says of the file what its proofs say.
      const refused: string[] = []
      page.on('response', (answer) => void (answer.status() >= 400 && refused.push(answer.url())))
      await page.goto(address(`/${locale}/proofs/`))
      await chooseFiles(page).setInputFiles([join(at, `proofs_${id}.zip`), first])
      await expect(page.locator('[data-answer="TOTAL-PASSED"]')).toContainText('contrat.txt')
      expect(refused).toEqual([])
      await shot(page, 'verified')
      const copy = join(at, 'copie.bin')
      writeFileSync(copy, readFileSync(first, 'utf8').replace('C', 'c'))
      await chooseFiles(page).setInputFiles([join(at, `proofs_${id}.zip`), copy])
      await expect(page.locator('[data-answer="TOTAL-FAILED"]')).toContainText('copie.bin')
    })
  })
