/** Journey (g), of a company that takes Comfort for a year: sees every invoice to come, pays, invites, goes back to Unit at term, and changes its mind. */
import { execFileSync } from 'node:child_process'
import { expect, type Locator, type Page } from '@playwright/test'
import { enter, person, send, type Someone } from './fixtures/accounts.ts'
import { closeHavingPaid } from './fixtures/closing.ts'
import { beyondPlan, completeProfile, heldInvoice, holdMoney, payments, subscriptions, test } from './fixtures/money.ts'
import { cards } from './fixtures/paid-product.ts'
import { dayOf, monthsAfter } from '../modules/billing/domain/calendar/calendar.ts'
import { formatDay } from '../ui/intl/format.ts'
import { address, isClean, keepPicture } from './fixtures/pages.ts'
import { widthsOf } from './fixtures/walks.ts'

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

for (const width of widthsOf('en'))
  test.describe(`in English, ${width} px`, () => {
    test.use({ viewport: { width, height: 800 }, locale: 'en', ...contracted })

    test('P-07 V-45 K-15 S-04 S-05 D-02 D-08 S-12 S-13 E-38 E-40 H-38: Comfort for a year in four, to the cent; five seats, back to Unit at term and not, the invoice, a card removed; the account closed, and what was paid ahead given back', async ({
      page,
      paid,
    }) => {
      test.slow()
      const who = await person(page, 'en', `card-${String(Date.now())}@example.org`)
      await enter(page, who)
      await page.goto(address('/en/account/'))
      // the first page of the account.
      await expect(page.getByRole('heading', { name: 'Your plan: Unit' })).toBeVisible()
      await page.getByRole('radio', { name: /^Comfort/ }).check()
      await page.getByRole('radio', { name: /^Every year/ }).check()
      await page.getByRole('radio', { name: /^In 4 instalments/ }).check()
      // What an invoice needs is typed here, and what is known already is not asked again.
      const profile = page.getByRole('group', { name: 'Profile', exact: true })
      await profile.getByRole('radio', { name: 'Legal entity' }).check()
      await profile.getByRole('button', { name: 'Save and go on' }).click()
      await expect(profile.getByText('Please enter the name of the company')).toBeVisible()
      await expect(profile.getByLabel('First name')).toHaveCount(0)
      await expect(profile.getByLabel('Company email address')).toHaveValue(who.email)
      await isClean(page)
      await keepPicture(page, 'profile.png')
      const typed = {
        Country: 'France',
        City: 'Marseille',
        'Postal code': '13002',
        'Street and number': '1 rue du Port',
        'Registration number': '732829320',
        'Company name': 'Mousquetaires SA',
      }
      for (const [label, value] of Object.entries(typed)) await profile.getByLabel(label, { exact: true }).fill(value)
      await profile.getByLabel('Company name', { exact: true }).press('Enter')
      const table = page.getByRole('table', { name: 'Invoices to come' })
      const rows = await cellsOf(table)
      // 4,790.40 excl. VAT = 4 × 1,197.60, each invoice with its day.
      expect(rows.map(([, ...amounts]) => amounts)).toEqual(
        Array.from({ length: 4 }, () => ['€1,197.60', '€239.52', '€1,437.12']),
      )
      const today = dayOf(new Date())
      expect(rows.map(([day]) => day)).toEqual(
        [0, 3, 6, 9].map((months) => expect.stringContaining(formatDay(monthsAfter(today, months), 'en')) as unknown),
      )
      await isClean(page)
      await keepPicture(page, 'foreseen.png')
      await page.getByRole('button', { name: 'Go on to pay €1,437.12' }).click()
      await expect(page.getByRole('heading', { name: 'Comfort is awaiting its payment: Annual, in 4 instalments' })).toBeVisible()
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
      await typeCard(page, cards.confirmed, words)
      await page.getByRole('button', { name: 'Pay €1,437.12' }).click()
      await page.waitForURL(/127\.0\.0\.1:\d+\/(?!en\/|fr\/)/)
      await page.getByRole('button').first().click()
      await page.waitForURL('**/en/account/subscription/')
      await expect(page.getByRole('heading', { name: 'Your plan: Comfort' })).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'active.png')

      // Five people, and no sixth.
      await page.goto(address('/en/account/users/'))
      await page.getByLabel('Name of the group').fill('Mousquetaires')
      await page.getByRole('button', { name: 'Make the group' }).click()
      const invite = async (n: number) => {
        await page.getByLabel('Email address to invite').fill(`seat-${String(n)}-${who.email}`)
        await page.getByRole('button', { name: 'Invite', exact: true }).click()
      }
      for (const taken of [2, 3, 4, 5]) {
        await invite(taken)
        await expect(page.getByText(`${String(taken)} of 5 taken`)).toBeVisible()
      }
      await invite(6)
      const full = page.getByRole('dialog', { name: 'Upgrade required' })
      await expect(full.getByText('All seats of your group are taken.')).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'sixth.png')
      await full.getByRole('button', { name: 'See subscriptions' }).click()
      await page.waitForURL('**/en/account/subscription/')

      // Back to Unit, at the end of what is paid for and not before; then not at all.
      await page.getByRole('button', { name: 'Cancel the subscription', exact: true }).click()
      await expect(page.getByRole('radio', { name: /^Unit/ })).toBeChecked()
      const end = formatDay(monthsAfter(today, 12), 'en')
      await page.getByRole('button', { name: `Change on ${end}` }).click()
      await expect(page.getByRole('heading', { name: `Unit from ${end} on` })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Your plan: Comfort' })).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'at-term.png')
      await page.getByRole('button', { name: 'Cancel this change' }).click()
      await expect(page.getByRole('heading', { name: `Unit from ${end} on` })).toHaveCount(0)
      await expect(page.getByRole('radio', { name: /^Comfort/ })).toBeChecked()

      // The invoice on its page and the document say the same as what was agreed to.
      await page.goto(address('/en/account/invoice/'))
      await page.getByRole('link', { name: /F\d{4}-\d{6}/ }).click()
      await expect(page.getByText('Paid', { exact: true })).toBeVisible()
      const shown = (await page.locator('main').innerText()).replaceAll(/[\u00a0\u202f]/g, ' ')
      for (const amount of ['€1,197.60', '€239.52', '€1,437.12']) expect(shown).toContain(amount)
      await isClean(page)
      await keepPicture(page, 'invoice.png')
      const pdf = test.info().outputPath('invoice.pdf')
      const pages = page.getByRole('button', { name: /^PDF: / })
      // It is made after the issue, by a job.
      await expect(async () => {
        const saving = page.waitForEvent('download', { timeout: 5_000 })
        await pages.click()
        await (await saving).saveAs(pdf)
      }).toPass()
      const printed = execFileSync('pdftotext', ['-layout', pdf, '-'])
        .toString()
        .replaceAll(/[\u00a0\u202f]/g, ' ')
      for (const amount of ['1,197.60', '239.52', '1,437.12']) expect(printed).toContain(amount)
      expect(printed).toContain('Mousquetaires SA')

      await page.goto(address('/en/account/payment-methods/'))
      await page.getByRole('button', { name: 'Remove: Card ending in 4408' }).click()
      const asked = page.getByRole('dialog', { name: 'Remove: Card ending in 4408' })
      await expect(asked.getByText('Your renewals are charged to it')).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'remove.png')
      await asked.getByRole('button', { name: 'Remove', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Remove: Card ending in 4408' })).toHaveCount(0)
      await expect(page.getByText('Pays your renewals')).toHaveCount(0)

      // Who leaves in the first of three months that he has paid for.
      const cents = await closeHavingPaid(page, { paid, who, locale: 'en' })
      expect(cents).toBeGreaterThan(143_712 * 0.64)
      expect(cents).toBeLessThan(143_712 * 0.69)
    })
  })

test.describe('in English, suspended', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'en', ...contracted })

  test('D-01 S-10: whoever is suspended is told so once, and led to his invoices or left where he is', async ({ page }) => {
    await holdMoney(page, { subscription: subscriptions.suspended })
    await page.goto(address('/en/account/profile/'))
    const dialog = page.getByRole('dialog', { name: 'Subscription suspended' })
    await dialog.getByRole('button', { name: 'See invoices' }).click()
    await expect(page).toHaveURL(address('/en/account/invoice/'))
    await expect(page.getByText('A2026-000001')).toBeVisible()
    await page.goto(address('/en/account/profile/'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(dialog).toBeHidden()
    // Another time that it comes to that.
    await holdMoney(page, { subscription: { ...subscriptions.suspended, id: heldInvoice } })
    await page.reload()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(address('/en/account/profile/'))
  })
})

for (const [locale, width, say] of [
  [
    'en',
    360,
    {
      beyond: 'Beyond your plan',
      on: '€237.60 on your invoice of 1 December 2026',
      owes: 'A previous invoice has not been payed',
      comfort: /^Comfort/,
      invoices: 'See my invoices',
      support: 'Write to support',
      lines: ['€99.00', '€99.00', '€5.00'],
    },
  ],
  [
    'fr',
    1280,
    {
      beyond: 'Hors formule',
      on: '237,60 € sur votre facture du 1er décembre 2026',
      owes: 'Une facture précédente n’a pas été payée',
      comfort: /^Confort/,
      invoices: 'Voir mes factures',
      support: 'Écrire à l’assistance',
      lines: ['99,00 €', '99,00 €', '5,00 €'],
    },
  ],
] as const)
  test.describe(`beyond the plan (${locale}, ${width} px)`, () => {
    test.use({ viewport: { width, height: 800 }, locale, ...contracted })

    test('K-16 H-36 X-11 L-19: what was had beyond the plan, its invoice line by line, and where a refusal leads', async ({
      page,
    }) => {
      await holdMoney(page, {
        subscription: { ...subscriptions['used up'], upgrade_required: false },
        invoice: beyondPlan,
        payment: { ...payments.none, amount_cents: beyondPlan.to_pay_cents },
      })
      const refusal = {
        code: 'billing.invoice_unpaid',
        message: 'A previous invoice has not been payed',
        fields: {},
        data: {},
        request_id: heldInvoice,
      }
      await page.route('**/subscriptions/preview/', (route) => route.fulfill({ status: 409, json: refusal }))
      await page.goto(address(`/${locale}/account/subscription/`))
      const words = async (of: Locator) => (await of.innerText()).replaceAll(/[\u00a0\u202f]/g, ' ')
      await expect(page.getByText(say.beyond)).toBeVisible()
      expect(await words(page.locator('main'))).toContain(say.on)
      await page.getByRole('radio', { name: say.comfort }).check()
      const alert = page.getByRole('alert').filter({ hasText: say.owes })
      await expect(alert.getByRole('link', { name: say.support })).toHaveAttribute('href', `/${locale}/support/`)
      await isClean(page)
      await keepPicture(page, 'beyond-plan.png')
      await alert.getByRole('link', { name: say.invoices }).click()
      await expect(page).toHaveURL(address(`/${locale}/account/invoice/`))

      await page.goto(address(`/${locale}/account/invoice/${heldInvoice}/`))
      await expect(page.getByRole('heading', { name: /F2026-000031/ })).toBeVisible()
      const cells = await cellsOf(page.getByRole('table').first())
      expect(cells.map((line) => line.at(-1))).toEqual(say.lines)
      await isClean(page)
      await keepPicture(page, 'its-invoice.png')
    })
  })

for (const width of widthsOf('fr'))
  test.describe(`in French, ${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, locale: 'fr', ...contracted })

    test('K-15 S-04 S-46 D-08 D-09 H-38: Confort pour un an en quatre, par mandat ; un autre compte y met fin, et on le dit ; le compte fermé, ce qui était payé d’avance est rendu', async ({
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
      // He is back before the provider has told anybody.
      await paid.control('POST hooks', { hold: true })
      await page.getByRole('button', { name: 'Signer le mandat' }).click()
      await page.waitForURL(/127\.0\.0\.1:\d+\/(?!en\/|fr\/)/)
      await page.getByRole('button', { name: /^(Confirm the payment|Signer le mandat)/ }).click()
      // Back where the payment was asked for, with the mandate chosen.
      await page.waitForURL(/\/fr\/payment\/return\//)
      await expect(page.getByRole('radio', { name: /^Prélèvement SEPA/ })).toBeChecked()
      await paid.control('POST hooks', { hold: false })
      await paid.control('POST hooks/release', {})
      await page.getByRole('button', { name: /^Payer 1.437,12/ }).click()
      await expect(page.getByText('Le paiement est en cours').last()).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'under-way.png')
      // What the bank says days later.
      await paid.control('POST clock', { advance: 7 * 86_400 })
      await expect(async () => {
        await page.goto(address('/fr/account/subscription/'))
        await expect(page.getByRole('heading', { name: 'Votre formule : Confort' })).toBeVisible({ timeout: 5000 })
      }).toPass({ timeout: 60_000 })
      await page.goto(address('/fr/account/bank/'))
      // Nothing goes on before it is known whether a mandate hangs on the account.
      const asked = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<void>()
      await page.route('**/payments/methods/', async (route) => {
        asked.resolve()
        await answered.promise
        await route.fallback()
      })
      await page.getByRole('button', { name: 'Le remplacer' }).click()
      await asked.promise
      await expect(page.getByRole('button', { name: 'Le remplacer' })).toBeVisible()
      const warning = page.getByRole('dialog', { name: 'Votre mandat SEPA prend fin avec ce compte' })
      await expect(warning).toBeHidden()
      answered.resolve()
      await expect(warning).toBeVisible()
      await warning.getByRole('button', { name: 'Annuler' }).click()
      await page.getByRole('button', { name: 'Le remplacer' }).click()
      await isClean(page)
      await keepPicture(page, 'mandate-ends.png')
      await warning.getByRole('button', { name: 'Remplacer le compte' }).click()
      await page.getByLabel('IBAN', { exact: true }).fill('FR1420041010050500013M02606')
      await page.getByLabel('Titulaire du compte').fill('Mousquetaires SA')
      await page.getByLabel('Adresse du titulaire').fill('1 rue du Port, 13002 Marseille')
      await page.getByRole('button', { name: 'Enregistrer le compte bancaire' }).click()
      await expect(page.getByText('se termine par 2606')).toBeVisible()
      // With the account it was of, the mandate is gone, and what it paid.
      await page.goto(address('/fr/account/payment-methods/'))
      await expect(page.getByText(/^Aucun mandat/)).toBeVisible()
      await expect(page.getByText('Règle vos reconductions')).toHaveCount(0)
      await isClean(page)
      await keepPicture(page, 'no-mandate.png')

      const cents = await closeHavingPaid(page, { paid, who, locale: 'fr' })
      expect(cents).toBeGreaterThan(143_712 * 0.64)
      expect(cents).toBeLessThan(143_712 * 0.69)
    })
  })
