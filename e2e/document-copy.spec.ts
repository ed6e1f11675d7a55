/** Journey (c), where the depositor wishes a copy kept: the file is sent in pieces, through a lost network, a reload and a pause. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { enter, person } from './fixtures/accounts.ts'
import { address, isClean, test } from './fixtures/pages.ts'

const words = {
  en: {
    keep: 'Keep a copy of the file, too',
    stamp: 'Time-stamp 1 document',
    waiting: 'The file has not been sent yet',
    other: 'This is not the deposited document',
    interrupted: /^The upload was interrupted: 33% of /,
    pause: 'Pause',
    resume: 'Resume',
    kept: 'It is kept until',
    download: /^Download the copy/,
    remove: 'Delete the copy',
    gone: /^The copy was deleted on/,
  },
  fr: {
    keep: 'Conserver aussi une copie du fichier',
    stamp: 'Horodater 1 document',
    waiting: 'Le fichier n’a pas encore été envoyé',
    other: 'Ce n’est pas le document déposé',
    interrupted: /^L’envoi a été interrompu\s: 33\s% de /,
    pause: 'Suspendre',
    resume: 'Reprendre',
    kept: 'Elle est conservée jusqu’au',
    download: /^Télécharger la copie/,
    remove: 'Supprimer la copie',
    gone: /^La copie a été supprimée le/,
  },
} as const

const folder = mkdtempSync(join(tmpdir(), 'probant-copy-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('E-33 E-34 H-15: a copy is sent through a lost network, a reload and a pause, kept until a date, had back, deleted', async ({
      page,
    }) => {
      const say = words[locale]
      const shot = async (name: string) => await page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true })
      const [file, other] = [join(folder, `plan-${locale}.bin`), join(folder, `other-${locale}.bin`)]
      const content = randomBytes(20 * 1024 * 1024)
      writeFileSync(file, content)
      writeFileSync(other, 'another')
      const arrived: string[] = []
      page.on('requestfinished', (request) => {
        const part = /\/copy\/parts\/(\d+)\//.exec(request.url())?.[1]
        if (part !== undefined) arrived.push(part)
      })
      await enter(page, await person(page, locale, `copy-${randomUUID()}@example.org`))
      await page.goto(address(`/${locale}/documents/`))
      const chosen = page.getByRole('main').locator('input[type=file]')
      await chosen.first().setInputFiles(file)
      await page.getByLabel(say.keep, { exact: true }).check()
      await isClean(page)
      await shot('wish')
      await page.getByRole('button', { name: say.stamp, exact: true }).click()
      const link = page.getByRole('link', { name: `plan-${locale}.bin` })
      await expect(async () => {
        await page.goto(address(`/${locale}/documents/completed/`))
        await expect(link).toHaveCount(1, { timeout: 2_000 })
      }).toPass()
      await link.click()

      const copy = page.getByRole('region', { name: locale === 'en' ? 'Copy of the file' : 'Copie du fichier' })
      const asked = copy.locator('input[type=file]')
      await expect(copy.getByText(say.waiting)).toBeVisible()
      await asked.setInputFiles(other)
      await expect(copy.locator('[data-copy="other"]')).toContainText(say.other)
      await isClean(page)
      await shot('other')
      expect(arrived).toEqual([])

      // The network is lost at the second piece; then the page is.
      await page.route('**/copy/parts/1/*', (route) => route.abort('internetdisconnected'))
      await asked.setInputFiles(file)
      await expect(copy.locator('[data-copy="resting"]')).toBeVisible()
      await page.reload()
      await expect(copy.getByText(say.interrupted)).toBeVisible()
      await isClean(page)
      await shot('interrupted')
      await page.unrouteAll({ behavior: 'ignoreErrors' })

      // The file is asked for again; what had arrived is not sent again.
      let reached: () => void = () => undefined
      const last = new Promise<void>((resolve) => {
        reached = resolve
      })
      // Held, so that it is on its way when somebody pauses.
      await page.route('**/copy/parts/2/*', () => reached())
      await asked.setInputFiles(file)
      await last
      await copy.getByRole('button', { name: say.pause, exact: true }).click()
      await expect(copy.locator('[data-copy="paused"]')).toBeVisible()
      await isClean(page)
      await shot('paused')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await copy.getByRole('button', { name: say.resume, exact: true }).click()
      await expect(copy.locator('[data-copy="stored"]')).toContainText(say.kept)
      expect(arrived).toEqual(['0', '1', '2'])
      await isClean(page)
      await shot('stored')

      const downloading = page.waitForEvent('download')
      await copy.getByRole('button', { name: say.download }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toBe(`plan-${locale}.bin`)
      await download.saveAs(join(folder, `back-${locale}.bin`))
      const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
      expect(sha256(readFileSync(join(folder, `back-${locale}.bin`)))).toBe(sha256(content))

      await copy.getByRole('button', { name: say.remove, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: say.remove, exact: true }).click()
      await expect(copy.getByText(say.gone)).toBeVisible()
      await isClean(page)
    })
  })
