/** Pages of deposits that a journey does not come by: in another's account, failed, not shared any more. */
import { expect } from '@playwright/test'
import { failedDeposit, heldDeposit, holdDocuments } from './fixtures/documents.ts'
import { address, isClean, test } from './fixtures/pages.ts'

test.use({
  viewport: { width: 360, height: 780 },
  locale: 'en',
  colorScheme: 'dark',
  contextOptions: { reducedMotion: 'reduce' },
})

test('H-22: who may look on in another’s account is offered nothing else, who may deposit there deposits', async ({ page }) => {
  await holdDocuments(page, { scope: 'read' })
  await page.goto(address('/en/documents/completed/'))
  const main = page.getByRole('main')
  await expect(main.getByText('deposited by Constance Bonacieux')).toBeVisible()
  await expect(main.getByRole('button', { name: /^More – / })).toHaveCount(4)
  await main
    .getByRole('button', { name: /^More – / })
    .first()
    .click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('button', { name: /^Verify a file – / })).toBeVisible()
  await expect(sheet.getByRole('button', { name: /^Put in the trash – / })).toHaveCount(0)
  await page.keyboard.press('Escape')
  // The proofs of many are for whoever may read; nothing else can be done with what is selected.
  await main.getByLabel('Select this page').check()
  await expect(page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Download the proofs' })).toBeEnabled()
  await expect(page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Put in the trash' })).toHaveCount(0)
  await isClean(page)
  await page.getByRole('link', { name: 'Pending', exact: true }).click()
  await expect(main.getByRole('link', { name: 'contrat-2.pdf' })).toBeVisible()
  await expect(main.getByText('Choose documents')).toHaveCount(0)
  await expect(main.locator('li input[type=checkbox]')).toHaveCount(0)
  await page.goto(address(`/en/documents/deposit/${heldDeposit}/`))
  await expect(page.getByText('Deposited by Constance Bonacieux for Anne d’Autriche.')).toBeVisible()
  for (const name of ['Put in the trash', 'Change', 'End the sharing', 'Delete the copy'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Deposit a new version' })).toHaveCount(0)

  const other = await page.context().newPage()
  await holdDocuments(other, { scope: 'create' })
  await other.goto(address('/en/documents/pending/'))
  await expect(other.getByText('Choose documents')).toBeVisible()
  await other
    .getByRole('main')
    .getByRole('button', { name: /^More – / })
    .first()
    .click()
  await expect(other.getByRole('dialog').getByRole('button', { name: /^Verify a file – / })).toBeVisible()
  await expect(other.getByRole('dialog').getByRole('button', { name: /^(Time-stamp|Delete) – / })).toHaveCount(0)
})

test('X-40: a deposit that got no time stamp says why and what to do; an address that is not shared any more says so', async ({
  page,
}) => {
  await holdDocuments(page, { deposit: failedDeposit() })
  await page.goto(address(`/en/documents/deposit/${heldDeposit}/`))
  await expect(page.getByText('No time authority gave a usable time stamp in a whole day of trying.')).toBeVisible()
  await expect(page.getByText('the date will be that of the new time stamp')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Time-stamp', exact: true })).toBeVisible()
  await isClean(page)
  // The real server, which shares nothing under that address; its visitor is nobody, and reads French.
  const visitor = await (await page.context().browser()?.newContext({ locale: 'fr' }))?.newPage()
  await visitor?.goto(address(`/shared/${'b'.repeat(43)}/`))
  await expect(
    visitor?.getByRole('heading', { level: 1, name: 'Rien n’est partagé ici' }) ?? page.locator('nowhere'),
  ).toBeVisible()
  await visitor?.context().close()
})
