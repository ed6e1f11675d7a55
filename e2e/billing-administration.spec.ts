/** What administrators do about money: an invoice is found, marked as paid, credited in part and refunded, a price changed, each shown before; in a real browser. */
import type { Page } from '@playwright/test'
import { enter, person, send, type Someone } from './fixtures/accounts.ts'
import { eraseNow } from './fixtures/closing.ts'
import { isClean, keepPicture } from './fixtures/pages.ts'
import { expect, test } from './fixtures/paid-product.ts'
import { administrator } from './fixtures/staff.ts'

const words = {
  en: {
    title: 'Billing',
    customers: 'Customers',
    settle: /^Mark as paid – /,
    settleNow: 'Mark as paid',
    reference: 'Reference of the transfer or cheque',
    reason: 'Reason, shown to administrators alone',
    reasonMissing: 'Give the reason.',
    show: 'See what it brings',
    credit: /^Credit – F/,
    creditNow: 'Issue the credit note',
    net: /^Amount without VAT/,
    becomes: 'awaiting payment → active',
    paid: 'Paid',
    note: '€100.00 + VAT €20.00 = €120.00',
    hasCredit: '€0.00 → €120.00',
    refund: /^Refund – F/,
    refundNow: 'Refund',
    gross: /^Amount \(empty/,
    goesBack: '€50.00, by transfer, by hand',
    toTransfer: /^Transfer €50\.00 from the company’s account .* RF\d\d PB/,
    transferred: /^Mark as transferred – F/,
    transferredNow: 'Mark as transferred',
    sent: '€50.00, under way → refunded',
    refunded: /refunded, by transfer, by hand/,
    rest: /^Transfer €70\.00 from the company’s account /,
    giveUp: /^Give up – F/,
    giveUpNow: 'Give up this refund',
    standing: 'Standing',
    left: 'Account ended, credit left',
    hasLeft: 'Has €70.00 in credit',
    change: 'Change – Comfort',
    month: 'A month, without VAT (€)',
    from: 'In force from',
    price: '€499.00 → €520.00',
    set: 'Set these prices',
    holds: /all hold/,
  },
  fr: {
    title: 'Facturation',
    customers: 'Clients',
    settle: /^Déclarer payée – /,
    settleNow: 'Déclarer payée',
    reference: 'Référence du virement ou du chèque',
    reason: 'Motif, visible des seuls administrateurs',
    reasonMissing: 'Indiquez le motif.',
    show: 'Voir les conséquences',
    credit: /^Établir un avoir – F/,
    creditNow: 'Émettre l’avoir',
    net: /^Montant hors taxes/,
    becomes: 'en attente de paiement → actif',
    paid: 'Payée',
    note: /100,00\s€ \+ TVA 20,00\s€ = 120,00\s€/,
    hasCredit: /0,00\s€ → 120,00\s€/,
    refund: /^Rembourser – F/,
    refundNow: 'Rembourser',
    gross: /^Montant \(vide/,
    goesBack: /50,00\s€, par virement, à la main/,
    toTransfer: /^Virez 50,00\s€ depuis le compte de la société .* RF\d\d PB/,
    transferred: /^Déclarer viré – F/,
    transferredNow: 'Déclarer viré',
    sent: /50,00\s€, en cours → remboursé/,
    refunded: /remboursé, par virement, à la main/,
    rest: /^Virez 70,00\s€ depuis le compte de la société /,
    giveUp: /^Abandonner – F/,
    giveUpNow: 'Abandonner ce remboursement',
    standing: 'Situation',
    left: 'Compte fermé, crédit restant',
    hasLeft: /70,00\s€/,
    change: 'Modifier – Confort',
    month: 'Par mois, hors taxes (€)',
    from: 'Date d’effet',
    price: /499,00\s€ → 520,00\s€/,
    set: 'Fixer ces prix',
    holds: /tous respectés/,
  },
} as const

/** Somebody who asked for a plan and has not paid for it. */
async function subscriber(page: Page, boss: Someone, email: string, lastName: string): Promise<Someone> {
  const who = await person(page, 'en', email, lastName)
  const home = { user_type: 'natural', address: '2 place du Marché', zip: '69001', city: 'Lyon', country: 'FR' }
  await send(page, 'patch', `/profiles/${who.id}/`, home, who)
  await send(page, 'post', '/subscriptions/', { plan: 'essential' }, who)
  const { count } = await send(page, 'get', '/admin/billing/customers/', undefined, boss)
  expect(Number(count)).toBeGreaterThan(0)
  return who
}

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const)
  test(`E-36 E-39 H-35 S-15 an administrator finds an invoice, marks it as paid, credits a part, refunds of that, gives up the rest of a closed account and changes a price (${locale}, ${width} px)`, async ({
    page,
    paid,
  }) => {
    process.env['PROBANT_E2E_ADDRESS'] = paid.origin
    const say = words[locale]
    const tag = `${locale}${String(Date.now()).slice(-6)}`
    const boss = await administrator(page, locale, `boss.${tag}@example.org`, paid.dataFolder)
    const name = `Moreau ${tag}`
    const who = await subscriber(page, boss, `moreau.${tag}@example.org`, name)
    await page.setViewportSize({ width, height: 900 })
    await enter(page, boss)
    await page.goto(`${paid.origin}/${locale}/admin/billing/customers/`)
    await expect(page.getByRole('heading', { level: 1, name: say.title })).toBeVisible()
    await page.getByRole('searchbox').fill(name)
    await page.getByRole('link', { name: `Zoë ${name}` }).click()
    await expect(page.getByRole('heading', { level: 2, name: `Zoë ${name}` })).toBeVisible()
    const look = async (what: string) => {
      for (const at of [360, 1280]) {
        await page.setViewportSize({ width: at, height: 900 })
        await isClean(page)
        await keepPicture(page, `${what}-${locale}-${String(at)}.png`)
      }
      await page.setViewportSize({ width, height: 900 })
    }
    await look('customer')

    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: say.settle }).click()
    await dialog.getByLabel(say.reference).fill('VIR 4711')
    await dialog.getByRole('button', { name: say.show }).click()
    await expect(dialog.getByText(say.reasonMissing)).toBeVisible()
    await dialog.getByLabel(say.reason).fill('Transfer of yesterday')
    await dialog.getByRole('button', { name: say.show }).click()
    await expect(dialog.getByText(say.becomes)).toBeVisible()
    await look('settle')
    await dialog.getByRole('button', { name: say.settleNow }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(say.paid, { exact: true })).toBeVisible()
    await expect(page.getByText('Transfer of yesterday')).toBeVisible()

    await page.getByRole('button', { name: say.credit }).click()
    await dialog.getByLabel(say.net).fill('100')
    await dialog.getByLabel(say.reason).fill('Two reports failed')
    await dialog.getByRole('button', { name: say.show }).click()
    await expect(dialog.getByText(say.note)).toBeVisible()
    await expect(dialog.getByText(say.hasCredit)).toBeVisible()
    await look('credit')
    await dialog.getByRole('button', { name: say.creditNow }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Two reports failed')).toBeVisible()
    await look('after')

    await page.getByRole('button', { name: say.refund }).click()
    await dialog.getByLabel(say.gross).fill('50')
    await dialog.getByLabel(say.reason).fill('He asked for it')
    await dialog.getByRole('button', { name: say.show }).click()
    await expect(dialog.getByText(say.goesBack)).toBeVisible()
    await look('refund')
    await dialog.getByRole('button', { name: say.refundNow, exact: true }).click()
    await expect(dialog).toBeHidden()
    // The worker says with which reference, and the page asks until he has.
    await expect(page.getByText(say.toTransfer)).toBeVisible({ timeout: 120_000 })
    await look('to-transfer')
    await page.getByRole('button', { name: say.transferred }).click()
    await dialog.getByLabel(say.reference).fill('VIR 4712')
    await dialog.getByLabel(say.reason).fill('Transferred this morning')
    await dialog.getByRole('button', { name: say.show }).click()
    await expect(dialog.getByText(say.sent)).toBeVisible()
    await dialog.getByRole('button', { name: say.transferredNow, exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(say.refunded)).toBeVisible()
    await look('refunded')

    // He closes his account: the rest is to be transferred too, to somebody who is known by his invoices alone.
    const his = page.url()
    await send(page, 'post', '/profiles/current/delete/', { reason: 'Cabinet fermé' }, who)
    await eraseNow(paid, who.id)
    await expect(async () => {
      await page.goto(his)
      await expect(page.getByText(say.rest)).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await expect(page.getByRole('heading', { level: 2, name: `Zoë ${name}` })).toBeVisible()
    await look('ended')
    await page.getByRole('button', { name: say.giveUp }).click()
    await dialog.getByLabel(say.reason).fill('Nobody knows his bank account')
    await dialog.getByRole('button', { name: say.show }).click()
    await look('give-up')
    await dialog.getByRole('button', { name: say.giveUpNow, exact: true }).click()
    await expect(dialog).toBeHidden()
    await page.goto(`${paid.origin}/${locale}/admin/billing/customers/`)
    await page.getByLabel(say.standing).selectOption({ label: say.left })
    const row = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `Zoë ${name}` })
    await expect(row).toContainText(say.hasLeft)
    await expect(row).toContainText(`moreau.${tag}@example.org`)
    await look('credit-left')

    await page.goto(`${paid.origin}/${locale}/admin/billing/invoices/`)
    await expect(page.getByRole('button', { name: say.credit }).first()).toBeVisible()
    await look('invoices')
    await page.goto(`${paid.origin}/${locale}/admin/billing/plans/`)
    await page.getByRole('button', { name: say.change }).first().click()
    await dialog.getByLabel(say.from).fill(locale === 'en' ? '2099-01-01' : '2098-01-01')
    await dialog.getByLabel(say.month).fill('520')
    await look('plan-form')
    await dialog.getByRole('button', { name: say.show }).click()
    await expect(dialog.getByText(say.price)).toBeVisible()
    await look('plan')
    await dialog.getByRole('button', { name: say.set }).click()
    await expect(dialog).toBeHidden()
    await page.goto(`${paid.origin}/${locale}/admin/billing/invariants/`)
    await expect(page.getByText(say.holds)).toBeVisible()
    await look('invariants')
    await page.goto(`${paid.origin}/${locale}/admin/billing/failed/`)
    await expect(page.getByRole('combobox')).toBeVisible()
    await look('failed')
  })
