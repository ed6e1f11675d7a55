/** Journey (g), of a company that takes Comfort for a year: sees every invoice to come, pays, goes back to Unit at term, and changes its mind. */
import { expect, type Locator, type Page } from '@playwright/test'
import { enter, person, send, type Someone } from './fixtures/accounts.ts'
import { completeProfile, test } from './fixtures/money.ts'
import { cards } from './fixtures/paid-product.ts'
import { address, isClean, keepPicture } from './fixtures/pages.ts'

const contracted = { contextOptions: { reducedMotion: 'reduce' } } as const

/** What stands in each line of a table; no-break blanks are blanks here. */
const cellsOf = async (table: Locator): Promise<string[][]> => {
  await expect(table).toBeVisible()
  return await table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replaceAll(/[\u00a0\u202f]/g, ' ').trim())),
    )
}

async function company(page: Page, locale: 'en' | 'fr', email: string): Promise<Someone> {
  const who = await person(page, locale, email)
  await completeProfile(page, who)
  await enter(page, who)
  return who
}

const typeCard = async (page: Page, number: string, words: readonly [number: string, expiry: string, cvc: string]) => {
  await page.getByLabel(words[0]).pressSequentially(number)
  await page.getByLabel(words[1]).fill('1228')
  await page.getByLabel(words[2]).fill('123')
}

test.describe('in English, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'en', ...contracted })

  test('K-15 S-05: Comfort for a year in four, by a card that is refused', async ({ page }) => {
    await company(page, 'en', `card-${String(Date.now())}@example.org`)
    await page.goto(address('/en/account/'))
    // the first page of the account.
    await expect(page.getByRole('heading', { name: 'Your plan: Unit' })).toBeVisible()
    await page.getByRole('radio', { name: /^Comfort/ }).check()
    await page.getByRole('radio', { name: /^Every year/ }).check()
    await page.getByRole('radio', { name: /^In 4 instalments/ }).check()
    const table = page.getByRole('table', { name: 'Invoices to come' })
    const rows = await cellsOf(table)
    // 4,790.40 excl. VAT = 4 × 1,197.60, each invoice with its day.
    expect(rows.map(([, ...amounts]) => amounts)).toEqual(Array.from({ length: 4 }, () => ['€1,197.60', '€239.52', '€1,437.12']))
    expect(new Set(rows.map(([day]) => day)).size).toBe(4)
    await isClean(page)
    await keepPicture(page, 'foreseen.png')
    await page.getByRole('button', { name: 'Go on to pay €1,437.12' }).click()
    await expect(page.getByRole('heading', { name: 'Comfort waits for its payment: Annual, in 4 instalments' })).toBeVisible()
    await expect(page.getByText('Test payments.').first()).toBeVisible()
    const words = ['Card number', 'Expiry (MM/YY)', 'Security code'] as const
    await typeCard(page, cards.refused, words)
    await page.getByRole('button', { name: 'Pay €1,437.12' }).click()
    await expect(page.getByText('The payment was refused').last()).toBeVisible()
    await expect(page.getByText('Your bank refused, without saying why')).toBeVisible()
    await isClean(page)
    // What was typed went to the provider, and is kept nowhere here.
    await page.getByRole('radio', { name: /^Another card/ }).check()
    await expect(page.getByLabel('Card number')).toHaveValue('')
  })
})

test.describe('in French, 1280 px', () => {
  test.use({ viewport: { width: 1280, height: 900 }, locale: 'fr', ...contracted })

  test('K-15 S-04 D-09: Confort pour un an en quatre, par mandat ; un autre compte y met fin, et on le dit', async ({
    page,
    paid,
  }) => {
    const who = await company(page, 'fr', `mandat-${String(Date.now())}@example.org`)
    await send(
      page,
      'patch',
      `/profiles/${who.id}/bank_account/`,
      {
        type: 'IBAN',
        iban: 'FR7630006000011234567890189',
        bic: '',
        owner_name: 'Mousquetaires SA',
        owner_address: '1 rue du Port',
      },
      who,
    )
    await page.goto(address('/fr/account/subscription/'))
    await page.getByRole('radio', { name: /^Confort/ }).check()
    await page.getByRole('radio', { name: /^Chaque année/ }).check()
    await page.getByRole('radio', { name: /^En 4 échéances/ }).check()
    const rows = await cellsOf(page.getByRole('table', { name: 'Factures à venir' }))
    expect(rows.map(([, ...amounts]) => amounts)).toEqual(
      Array.from({ length: 4 }, () => ['1 197,60 €', '239,52 €', '1 437,12 €']),
    )
    await isClean(page)
    await keepPicture(page, 'foreseen.png')
    await page.getByRole('button', { name: /^Continuer pour payer 1.437,12/ }).click()
    await page.getByRole('radio', { name: /^Prélèvement SEPA/ }).check()
    await page.getByRole('button', { name: 'Signer le mandat' }).click()
    await page.waitForURL(/127\.0\.0\.1:\d+\/(?!en\/|fr\/)/)
    await page.getByRole('button', { name: /^(Confirm the payment|Signer le mandat)/ }).click()
    // Back where the payment was asked for, with the mandate chosen.
    await page.waitForURL(/\/fr\/payment\/return\//)
    await expect(page.getByRole('radio', { name: /^Prélèvement SEPA/ })).toBeChecked()
    await page.getByRole('button', { name: /^Payer 1.437,12/ }).click()
    await expect(page.getByText('Le paiement est en cours').last()).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'under-way.png')
    // What the bank says days later.
    await paid.control('POST clock', { advance: 7 * 86_400 })
    await page.goto(address('/fr/account/subscription/'))
    await expect(page.getByRole('heading', { name: 'Votre formule : Confort' })).toBeVisible()
    await page.goto(address('/fr/account/bank/'))
    await page.getByRole('button', { name: 'Le remplacer' }).click()
    const warning = page.getByRole('dialog', { name: 'Votre mandat SEPA prend fin avec ce compte' })
    await expect(warning).toBeVisible()
    await warning.getByRole('button', { name: 'Annuler' }).click()
    await expect(page.getByRole('button', { name: 'Le remplacer' })).toBeVisible()
  })
})
