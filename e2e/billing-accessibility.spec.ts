/** Every screen of money: axe finds nothing, in both languages, narrow and wide, light and dark. */
import { expect, type Page } from '@playwright/test'
import { holdEarnings } from './fixtures/earnings.ts'
import { endings, heldInvoice, holdMoney, outlooks, payments, subscriptions, test } from './fixtures/money.ts'
import { holdDocuments, unpaidDeposits } from './fixtures/documents.ts'
import { lookAt } from './fixtures/scenes.ts'

type Held = Parameters<typeof holdMoney>[1]

const signedIn = (held: Held) => async (page: Page) => await holdMoney(page, held)
const subscription = '/account/subscription/'
const invoice = `/account/invoice/${heldInvoice}/`
const depositing = async (page: Page) => {
  await holdMoney(page, { payment: payments.refused })
  const [deposit] = unpaidDeposits()
  await holdDocuments(page, { pending: unpaidDeposits(), ...(deposit === undefined ? {} : { deposit }) })
  await page.route(`**/invoices/${deposit?.payment?.invoice_id ?? ''}/payment/`, (route) =>
    route.fulfill({ json: payments.refused }),
  )
  await page.route('**/purchases/outlook/?*', (route) => route.fulfill({ json: outlooks.unit }))
}
const sees = (name: RegExp) => async (page: Page) => await expect(page.getByText(name).first()).toBeVisible()

lookAt(
  [
    {
      name: 'K-01 plans and prices',
      path: '/plans/',
      act: async (page) => await expect(page.getByRole('listitem').nth(3)).toBeVisible(),
    },
    {
      name: 'K-01 home, with a price',
      path: '/',
      act: async (page) => await expect(page.getByText('118').first()).toBeVisible(),
    },
    {
      name: 'S-14 E-47 subscription, a year in four',
      path: subscription,
      prepare: signedIn({ subscription: subscriptions.comfort }),
      act: sees(/1[.,\s]437/),
    },
    {
      name: 'S-12 S-13 subscription, a change at its term',
      path: subscription,
      prepare: signedIn({ subscription: subscriptions['back to unit at term'] }),
      act: async (page) =>
        await expect(page.getByRole('button', { name: /Cancel this change|Annuler ce changement/ })).toBeVisible(),
    },
    {
      name: 'S-10 E-48 subscription, suspended',
      path: subscription,
      prepare: signedIn({ subscription: subscriptions.suspended }),
      act: async (page) => await expect(page.getByRole('button', { name: /^(Pay|Payer) / })).toBeVisible(),
    },
    {
      name: 'subscription, past due, refused',
      path: subscription,
      prepare: signedIn({ subscription: subscriptions['past due'], payment: payments.refused }),
      act: async (page) => await expect(page.getByRole('button', { name: /^(Pay|Payer) / })).toBeVisible(),
    },
    {
      name: 'D-01 suspended dialog',
      path: '/account/profile/',
      prepare: signedIn({ subscription: subscriptions.suspended }),
      act: async (page) =>
        await expect(page.getByRole('dialog', { name: /Subscription suspended|Abonnement suspendu/ })).toBeVisible(),
    },
    {
      name: 'D-02 upgrade dialog',
      path: '/account/profile/',
      prepare: signedIn({ subscription: subscriptions['used up'] }),
      act: async (page) =>
        await expect(page.getByRole('dialog', { name: /Upgrade required|Changement de formule/ })).toBeVisible(),
    },
    {
      name: 'S-11 X-16 subscription, its month used up',
      path: subscription,
      prepare: signedIn({ subscription: subscriptions['used up'] }),
      act: async (page) => await expect(page.getByRole('progressbar')).toHaveCount(2),
    },
    { name: 'E-36 E-39 invoices', path: '/account/invoice/', prepare: signedIn({}), act: sees(/A2026-000001/) },
    {
      name: 'no invoice',
      path: '/account/invoice/',
      prepare: signedIn({ none: true }),
      act: sees(/No invoice yet|Aucune facture/),
    },
    {
      name: 'V-29 E-38 an invoice, to be paid by a new card',
      path: invoice,
      prepare: signedIn({}),
      act: async (page) => {
        // V-44, H-24: whoever is known to have referred the account stands chosen already.
        const managers = page.getByRole('group', { name: /^(?:Who referred you|Qui vous a parrainé)/ })
        await expect(managers.getByRole('radio', { name: /referred me|parrainé/ })).toBeChecked()
        await page.getByRole('radio', { name: /Another card|autre carte/ }).check()
        await page.getByRole('button', { name: /^(Pay|Payer) / }).click()
        await expect(page.getByRole('alert').filter({ hasText: /card number|numéro de la carte/ })).toBeVisible()
      },
    },
    ...(
      [
        ['to be confirmed', '[data-tone=caution] a'],
        ['debit under way', '[data-tone=plain]:not(:has(dl))'],
        ['transfer', 'dl:has-text("IBAN")'],
      ] as const
    ).map(([state, shown]) => ({
      name: `an invoice, ${state}`,
      path: invoice,
      prepare: signedIn({ payment: payments[state] }),
      act: async (page: Page) => await expect(page.getByRole('main').locator(shown).last()).toBeVisible(),
    })),
    {
      name: 'deposits to be paid, selected',
      path: '/documents/pending/',
      prepare: depositing,
      act: async (page) => {
        await page.getByLabel(/Select this page|Sélectionner cette page/).check()
        await expect(page.getByRole('region', { name: /Selection|Sélection/ })).toBeVisible()
      },
    },
    {
      name: 'a deposit to be paid, refused',
      path: `/documents/deposit/${unpaidDeposits()[0]?.id ?? ''}/`,
      prepare: depositing,
      act: sees(/not enough money|solde du compte/),
    },
    {
      name: 'D-08 H-38 an account that is closed, and money',
      path: '/account/delete/',
      prepare: async (page) => {
        await holdEarnings(page)
        await page.route('**/subscriptions/ending/', (route) => route.fulfill({ json: endings.settled }))
      },
      act: sees(/invoice F2026-000009|facture F2026-000009/),
    },
    {
      name: 'payment methods',
      path: '/account/payment-methods/',
      prepare: signedIn({}),
      act: sees(/1119/),
    },
    {
      name: 'no payment method',
      path: '/account/payment-methods/',
      prepare: signedIn({ none: true }),
      act: sees(/No card|Aucune carte/),
    },
    {
      name: 'D-09 a bank account with a mandate',
      path: '/account/bank/',
      prepare: signedIn({}),
      act: async (page) => {
        await page.getByRole('button', { name: /Replace|remplacer/ }).click()
        await expect(page.getByRole('dialog', { name: /mandate|mandat/ })).toBeVisible()
      },
    },
    {
      name: 'S-05 back from the bank, refused',
      path: `/payment/return/?invoice=${heldInvoice}&to=%2Fen%2F`,
      prepare: signedIn({ payment: payments.refused }),
      act: sees(/not enough money|solde du compte/),
    },
  ],
  test,
)
