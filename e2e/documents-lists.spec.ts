/** What is done with many deposits at once; in a real browser against the whole product. */
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { enter, person, send } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

test.use({ viewport: { width: 360, height: 900 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } })

const rows = (page: Page) =>
  page
    .getByRole('main')
    .locator('li')
    .filter({ has: page.locator('[data-status]') })

test('C-13 C-17 H-43: all that match are selected, their proofs come as one archive, and the trash gives them back', async ({
  page,
}) => {
  const who = await person(page, 'fr', `documents-lists-${randomUUID()}@example.org`)
  const documents = Array.from({ length: 22 }, (_, i) => ({
    sha256: createHash('sha256')
      .update(`${who.id} ${String(i)}`)
      .digest('hex'),
    document_name: `Pièce ${String(i)}.pdf`,
  }))
  await send(page, 'post', '/documents/batches/', { documents }, who)
  await enter(page, who)
  await expect(async () => {
    await page.goto(address('/fr/documents/completed/?search=pièce'))
    await expect(rows(page)).toHaveCount(20, { timeout: 3_000 })
  }).toPass()
  await expect(rows(page).getByRole('button', { name: /^Télécharger les preuves – / })).toHaveCount(20)

  await page.getByLabel('Sélectionner cette page').check()
  const bar = page.getByRole('region', { name: 'Sélection' })
  await bar.getByRole('button', { name: 'Tout sélectionner (22)' }).click()
  await expect(bar.getByRole('status')).toHaveText('Sélection\u202f: 22')
  // In a window that has room for all of the page the bar stands where it covers no row by half.
  await page.setViewportSize({ width: 360, height: 3600 })
  await isClean(page)
  await keepPicture(page, 'selected.png')
  await page.setViewportSize({ width: 360, height: 900 })
  const saving = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Télécharger les preuves' }).click()
  const archive = test.info().outputPath('proofs.zip')
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('preuves-de-22-dépôts.zip')
  await saved.saveAs(archive)
  const names = execFileSync('unzip', ['-Z1', archive]).toString().trim().split('\n')
  expect(names.filter((name) => /^Piece_\d+\.pdf_[0-9a-f-]{36}\/document\.ers$/.test(name))).toHaveLength(22)

  await bar.getByRole('button', { name: 'Mettre à la corbeille' }).click()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await expect(rows(page)).toHaveCount(20)

  // On a narrow page the filters are a sheet; what is set is told beside the way out of it.
  await page.getByRole('button', { name: /^Rechercher et filtrer/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Rechercher et filtrer' })
  await sheet.getByLabel('Au', { exact: true }).fill('2020-01-01')
  await sheet.getByRole('button', { name: 'Afficher', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Rien n’a été trouvé' })).toBeVisible()
  await isClean(page)
  await page.getByRole('button', { name: /^Retirer le filtre «.Au/ }).click()
  await expect(rows(page)).toHaveCount(20)
})
