/** Journey (c), where the depositor wishes copies kept: the files are sent in pieces, through a lost network, a reload and a pause. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { enter, person } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

const words = {
  en: {
    keep: 'Keep copies of the files, too',
    limits: /^Files of up to .* Kept for 365 days/,
    stamp: 'Time-stamp 2 documents',
    absent: '2 copies are not sent yet.',
    others: 'One file is none of these',
    more: 'One more file waits.',
    pause: 'Pause',
    resume: 'Resume',
    sent: '2 files were sent. Each has the fingerprint that was deposited, and is kept until',
    kept: 'It is kept until',
    download: /^Download the copy/,
    remove: 'Delete the copy',
    gone: /^The copy was deleted on/,
    without: 'Do without a copy',
    wish: 'Have a copy kept',
    other: 'This is not the deposited document',
  },
  fr: {
    keep: 'Conserver aussi une copie des fichiers',
    limits: /^Fichiers jusqu’à .* 365 jours/,
    stamp: 'Horodater 2 documents',
    absent: '2 copies ne sont pas encore envoyées.',
    others: 'Un fichier n’est aucun de ceux-ci',
    more: 'Un autre fichier attend.',
    pause: 'Suspendre',
    resume: 'Reprendre',
    sent: '2 fichiers ont été envoyés. Chacun a l’empreinte déposée et est conservé jusqu’au',
    kept: 'Elle est conservée jusqu’au',
    download: /^Télécharger la copie/,
    remove: 'Supprimer la copie',
    gone: /^La copie a été supprimée le/,
    without: 'Se passer de copie',
    wish: 'Faire conserver une copie',
    other: 'Ce n’est pas le document déposé',
  },
} as const

let folder = ''
// Made for each worker's share of this file: the tests of one are not all done when it is cleared.
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'probant-copy-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test.describe(`${locale}, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale, contextOptions: { reducedMotion: 'reduce' } })

    test('E-33 E-34 H-15: copies are sent after the deposit, through a lost network, a reload and a pause, kept until a date, had back, deleted', async ({
      page,
    }) => {
      const say = words[locale]
      const shot = async (name: string) => await keepPicture(page, `${name}.png`)
      const [file, small, other] = ['plan', 'note', 'other'].map((name) => join(folder, `${name}-${locale}.bin`)) as [
        string,
        string,
        string,
      ]
      const content = randomBytes(20 * 1024 * 1024)
      writeFileSync(file, content)
      writeFileSync(small, randomBytes(5000))
      writeFileSync(other, 'another')
      const arrived: string[] = []
      page.on('requestfinished', (request) => {
        const part = /\/copy\/parts\/(\d+)\//.exec(request.url())?.[1]
        if (part !== undefined) arrived.push(part)
      })
      await enter(page, await person(page, locale, `copy-${randomUUID()}@example.org`))
      await page.goto(address(`/${locale}/documents/`))
      await page.getByRole('main').locator('input[type=file]').first().setInputFiles([file, small])
      await page.getByLabel(say.keep, { exact: true }).check()
      await expect(page.getByText(say.limits)).toBeVisible()
      await isClean(page)
      await shot('wish')

      // The network is lost at the second piece; then the page is, which asks before it goes.
      await page.route('**/copy/parts/1/*', (route) => route.abort('internetdisconnected'))
      await page.getByRole('button', { name: say.stamp, exact: true }).click()
      const copies = page.getByRole('region', { name: locale === 'en' ? 'Copies being sent' : 'Copies en cours d’envoi' })
      await expect(copies.locator('[data-copy="resting"]')).toBeVisible()
      await expect(copies).toContainText(say.more)
      await isClean(page)
      await shot('resting')
      const asked: string[] = []
      page.on('dialog', (dialog) => {
        asked.push(dialog.type())
        void dialog.accept()
      })
      await page.reload()
      expect(asked).toEqual(['beforeunload'])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await expect(copies).toContainText(say.absent)
      await isClean(page)
      await shot('absent')

      // The files are asked for once, and known again; what had arrived is not sent again.
      let reached: () => void = () => undefined
      const last = new Promise<void>((resolve) => {
        reached = resolve
      })
      // Held, so that it is on its way when somebody pauses.
      await page.route('**/copy/parts/2/*', () => reached())
      await copies.locator('input[type=file]').first().setInputFiles([other, file])
      await last
      await expect(copies).toContainText(say.others)
      await copies.getByRole('button', { name: say.pause, exact: true }).click()
      await expect(copies.locator('[data-copy="paused"]')).toBeVisible()
      await copies.locator('input[type=file]').first().setInputFiles(small)
      await expect(copies).toContainText(say.more)
      await isClean(page)
      await shot('paused')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await copies.getByRole('button', { name: say.resume, exact: true }).click()
      await expect(copies).toContainText(say.sent)
      await expect.poll(() => arrived).toEqual(['0', '1', '2', '0'])
      await isClean(page)
      await shot('sent')

      const link = page.getByRole('link', { name: `plan-${locale}.bin`, exact: true })
      await expect(async () => {
        await page.goto(address(`/${locale}/documents/completed/`))
        await expect(link).toHaveCount(1, { timeout: 2_000 })
      }).toPass()
      await link.click()
      const copy = page.getByRole('region', { name: locale === 'en' ? 'Copy of the file' : 'Copie du fichier' })
      await expect(copy.locator('[data-copy="stored"]')).toContainText(say.kept)
      await isClean(page)
      await shot('stored')
      // By its name: what the window of the test before began to save may arrive still.
      const downloading = page.waitForEvent('download', (each) => each.suggestedFilename() === `plan-${locale}.bin`)
      await copy.getByRole('button', { name: say.download }).click()
      const download = await downloading
      await download.saveAs(join(folder, `back-${locale}.bin`))
      const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
      expect(sha256(readFileSync(join(folder, `back-${locale}.bin`)))).toBe(sha256(content))

      await copy.getByRole('button', { name: say.remove, exact: true }).click()
      // What the deposit was before the next change is answered after it, as by a slow network: it takes back nothing.
      let answer: () => void = () => undefined
      const late = new Promise<void>((resolve) => {
        answer = resolve
      })
      const readings = new RegExp(`/documents/${new URL(page.url()).pathname.split('/').at(-2) ?? ''}/$`)
      await page.route(readings, async (route) => {
        if (route.request().method() !== 'GET') return await route.continue()
        const response = await route.fetch()
        await late
        await route.fulfill({ response })
      })
      await page.getByRole('dialog').getByRole('button', { name: say.remove, exact: true }).click()
      await expect(copy.getByText(say.gone)).toBeVisible()
      await copy.getByRole('button', { name: say.without, exact: true }).click()
      await expect(copy.getByRole('button', { name: say.wish, exact: true })).toBeVisible()
      answer()
      await page.unrouteAll({ behavior: 'wait' })
      await copy.getByRole('button', { name: say.wish, exact: true }).click()
      await copy.locator('input[type=file]').setInputFiles(other)
      await expect(copy.locator('[data-copy="other"]')).toContainText(say.other)
      await isClean(page)
      await shot('other')
      expect(arrived).toHaveLength(4)
    })
  })
