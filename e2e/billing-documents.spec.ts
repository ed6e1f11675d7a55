/** Deposits where they are paid for: agreed to by and by, paid for by one invoice, by cards that are refused and one that is not; then taken from a plan. */
import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { enter, person, send, type Someone } from './fixtures/accounts.ts'
import { subscription } from '../modules/billing/contract/subscriptions.ts'
import { completeProfile, payFor, test } from './fixtures/money.ts'
import { address, goElsewhere, isClean, keepPicture } from './fixtures/pages.ts'
import { cards } from './fixtures/paid-product.ts'
import { walks } from './fixtures/walks.ts'

const words = {
  en: {
    price: '€12.00 incl. VAT',
    stamp: 'Time-stamp 2 documents',
    toPay: '2 deposits are time-stamped once paid for.',
    row: '€12.00 incl. VAT to be paid for 2 deposits together',
    alone: '€6.00 incl. VAT to be paid',
    all: 'Select this page',
    bar: 'Selection',
    do: 'Pay',
    together:
      '3 deposits are paid for together, by one invoice, and time-stamped as soon as it is paid. Withdrawing your agreement withdraws it for all of them.',
    card: ['Card number', 'Expiry (MM/YY)', 'Security code'],
    another: /^Another card/,
    pay: 'Pay €18.00',
    stolen: 'The card was reported lost or stolen. Pay by another one, and ask your bank.',
    withoutMoney: 'There is not enough money in the account, or the card’s limit is reached.',
    kept: /^Nothing was paid\. It stays here until /,
    over: 'This card has expired',
    confirm: 'Your bank asks you to confirm',
    late: 'The confirmation came too late. Try again: your bank gives you a few minutes.',
    refuse: 'Refuse the payment',
    notYou: 'Your bank could not tell that it was you. Try again, with your bank’s application at hand.',
    agree: 'Confirm the payment',
    stamped: 'Time-stamped on',
    stampOne: 'Time-stamp 1 document',
    included: /^Included in your plan/,
  },
  fr: {
    price: '12,00 € TTC',
    stamp: 'Horodater 2 documents',
    toPay: '2 dépôts sont horodatés une fois payés.',
    row: '12,00 € TTC à payer pour 2 dépôts ensemble',
    alone: '6,00 € TTC à payer',
    all: 'Sélectionner cette page',
    bar: 'Sélection',
    do: 'Payer',
    together:
      '3 dépôts sont payés ensemble, par une seule facture, et horodatés dès qu’elle est payée. Retirer l’accord vaut pour tous.',
    card: ['Numéro de carte', 'Expiration (MM/AA)', 'Cryptogramme'],
    another: /^Une autre carte/,
    pay: /^Payer 18,00.€$/u,
    stolen: 'La carte a été déclarée perdue ou volée. Payez avec une autre et interrogez votre banque.',
    withoutMoney: 'Le solde du compte est insuffisant ou le plafond de la carte est atteint.',
    kept: /^Rien n’a été payé\. Ce dépôt est gardé ici jusqu’au /,
    over: 'Cette carte a expiré',
    confirm: 'Votre banque vous demande de confirmer',
    late: 'La confirmation est arrivée trop tard. Réessayez : votre banque vous laisse quelques minutes.',
    refuse: 'Refuser le paiement',
    notYou: 'Votre banque n’a pas pu vous authentifier. Réessayez, avec l’application de votre banque sous la main.',
    agree: 'Confirmer le paiement',
    stamped: 'Horodaté le',
    stampOne: 'Horodater 1 document',
    included: /^Compris dans votre formule/,
  },
} as const

const typeCard = async (page: Page, number: string, [label, expiry, code]: readonly [string, string, string]) => {
  await page.getByLabel(label).pressSequentially(number)
  await page.getByLabel(expiry).fill('1228')
  await page.getByLabel(code).fill('123')
}

const choose = async (page: Page, ...names: readonly string[]) =>
  await page
    .getByRole('main')
    .locator('input[type=file]')
    .first()
    .setInputFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`${name} ${randomUUID()}`) })))

const invoicesOf = async (page: Page, who: Someone) =>
  (await send(page, 'get', '/invoices/', undefined, who))['results'] as Record<string, unknown>[]

for (const [locale, width] of walks)
  test.describe(`in ${locale}, ${String(width)} px`, () => {
    test.use({ viewport: { width, height: 800 }, locale, contextOptions: { reducedMotion: 'reduce' } })
    const say = words[locale]

    test('S-04 S-05 X-26 V-33: deposits agreed to by and by are paid for together, whatever cards are refused; a plan includes the next', async ({
      page,
      paid,
    }) => {
      // By another of its names than the one that it is known by: to that one comes back from one’s bank.
      goElsewhere(paid.origin.replace('127.0.0.1', 'localhost'))
      const who = await person(page, locale, `deposits-${locale}-${String(Date.now())}@example.org`)
      await completeProfile(page, who)
      await enter(page, who)
      await page.goto(address(`/${locale}/documents/`))
      await choose(page, 'contrat.txt', 'plan.txt')
      // What it costs stands there before it is agreed to.
      await expect(page.getByText(say.price.slice(0, 6)).first()).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'cost.png')
      await page.getByRole('button', { name: say.stamp, exact: true }).click()
      await expect(page.getByText(say.toPay)).toBeVisible()
      await expect(page.getByText(say.row)).toHaveCount(2)
      await isClean(page)
      await keepPicture(page, 'deposited.png')

      // One more, by itself; then all of them at once.
      const alone = { sha256: 'ab'.repeat(32), document_name: 'annexe.txt', agree: true }
      await send(page, 'post', '/documents/', alone, who)
      await page.reload()
      await expect(page.getByText(say.alone)).toBeVisible()
      await page.getByLabel(say.all).check()
      const bar = page.getByRole('region', { name: say.bar })
      await isClean(page)
      await keepPicture(page, 'selected.png')
      await bar.getByRole('button', { name: say.do, exact: true }).click()
      await expect(page.getByText(say.together)).toBeVisible()
      const deposit = new URL(page.url()).pathname
      expect(deposit).toMatch(new RegExp(`^/${locale}/documents/deposit/[0-9a-f-]{36}/$`))
      await typeCard(page, cards.stolen, say.card)
      // One that has expired goes nowhere.
      await page.getByLabel(say.card[1]).fill('1025')
      await page.getByRole('button', { name: say.pay }).click()
      await expect(page.getByRole('alert').filter({ hasText: say.over })).toBeVisible()
      await page.getByLabel(say.card[1]).fill('1228')
      await isClean(page)
      await keepPicture(page, 'to-be-paid.png')
      await page.getByRole('button', { name: say.pay }).click()
      await expect(page.getByText(say.stolen)).toBeVisible()
      await expect(page.getByText(say.kept)).toBeVisible()
      await page.getByRole('radio', { name: say.another }).check()
      await typeCard(page, cards.withoutMoney, say.card)
      await page.getByRole('button', { name: say.pay }).click()
      await expect(page.getByText(say.withoutMoney)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'refused.png')
      await page.getByRole('radio', { name: say.another }).check()
      await typeCard(page, cards.confirmed, say.card)
      await page.getByRole('button', { name: say.pay }).click()
      await expect(page.getByRole('button', { name: say.refuse })).toBeVisible()
      // Left there, an hour long: it is said what it waits for, then that it was too late.
      await page.goto(address(deposit))
      await expect(page.getByText(say.confirm).last()).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'confirm.png')
      await paid.control('POST clock', { advance: 3600 })
      await expect(page.getByText(say.late)).toBeVisible()
      await expect(page.getByText(say.kept)).toBeVisible()
      await page.getByRole('button', { name: say.pay }).click()
      await page.getByRole('button', { name: say.refuse }).click()
      await page.waitForURL(`http://localhost:*/${locale}/payment/return/*`)
      await expect(page.getByText(say.notYou)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'not-confirmed.png')
      await page.getByRole('button', { name: say.pay }).click()
      await page.getByRole('button', { name: say.agree }).click()
      await page.waitForURL(address(deposit))
      await expect(page.getByText(say.stamped, { exact: true }).first()).toBeVisible()
      expect(await invoicesOf(page, who)).toMatchObject([
        { category: 'document', status: 'success', net_cents: 1500, vat_cents: 300, gross_cents: 1800 },
      ])
      const unpaid = await send(page, 'get', '/documents/?category=pending&status=awaiting_payment', undefined, who)
      expect(unpaid['count']).toBe(0)
      await isClean(page)
      await keepPicture(page, 'stamped.png')

      // What a plan includes is paid for by it.
      await subscribe(page, who)
      await page.goto(address(`/${locale}/documents/`))
      await choose(page, 'avenant.txt')
      await expect(page.getByText(say.included)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'included.png')
      await page.getByRole('button', { name: say.stampOne, exact: true }).click()
      await expect(page.getByText(say.toPay)).toHaveCount(0)
      await expect.poll(async () => (await send(page, 'get', '/documents/?category=completed', undefined, who))['count']).toBe(4)
      expect((await invoicesOf(page, who)).filter(({ category }) => category === 'document')).toHaveLength(1)
    })
  })

async function subscribe(page: Page, who: Someone): Promise<void> {
  const wished = { plan: 'essential', cycle: 'month', instalments: 1 }
  const {
    to_pay: [due],
  } = subscription.parse(await send(page, 'post', '/subscriptions/', wished, who))
  await payFor(page, who, due?.invoice_id ?? '')
}
