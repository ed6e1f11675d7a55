/** What was earned by referral and by licences, and how it is paid out: each state in both languages, narrow and wide, light and dark. */
import { expect } from '@playwright/test'
import { comings, heldPayout, holdEarnings, holdPayoutDesk } from './fixtures/earnings.ts'
import { test } from './fixtures/money.ts'
import { lookAt } from './fixtures/scenes.ts'

lookAt(
  [
    {
      name: 'E-41 S-18 S-19 S-20 S-21 payouts, each state, and what keeps the next one back',
      path: '/account/payout/',
      prepare: async (page) => await holdEarnings(page),
      act: async (page) => {
        for (const words of [/^(To be wired|À virer)$/, /^(Sending|Envoi en cours)$/, /^(Paid out|Versé)$/, /^(Failed|Échec)$/])
          await expect(page.getByText(words).first()).toBeVisible()
        const mended = page.getByRole('link', { name: /Add a bank account|Ajouter un compte bancaire/ })
        await expect(mended).toHaveAttribute('href', /\/account\/bank\/$/)
        await expect(page.getByText(/F2026-000012/).first()).toBeVisible()
      },
    },
    {
      name: 'S-27 payouts, an account to be confirmed and a document that was refused',
      path: '/account/payout/',
      prepare: async (page) => await holdEarnings(page, { coming: comings['to be confirmed'] }),
      act: async (page) => {
        await expect(page.getByRole('link', { name: /Confirm the bank account|Confirmer le compte bancaire/ })).toBeVisible()
        await expect(page.getByRole('alert').filter({ hasText: /has expired|a expiré/ })).toBeVisible()
      },
    },
    {
      name: 'a payout with each line that it comes from',
      path: `/account/payout/${heldPayout}/`,
      prepare: async (page) => await holdEarnings(page),
      act: async (page) => await expect(page.getByText(/F2026-000012/).nth(2)).toBeVisible(),
    },
    {
      name: 'H-20 S-20 payouts of all accounts, where one is paid to, and what it brings that it was paid',
      path: '/admin/payouts/',
      prepare: holdPayoutDesk,
      act: async (page) => {
        await page.getByRole('button', { name: /^(Where to pay|Où payer) PBT/ }).click()
        await expect(page.getByText(/FR76\s3000/)).toBeVisible()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^(Close|Fermer)$/ })
          .click()
        await expect(page.getByRole('dialog')).toBeHidden()
        await page.getByRole('button', { name: /^(It was paid|Le virement est passé)/ }).click()
        await page.getByRole('textbox').fill('As the bank says')
        await page.getByRole('button', { name: /^(Show what it brings|Voir les conséquences)$/ }).click()
        await expect(page.getByText(/Nothing is done yet|Rien n’est encore fait/)).toBeVisible()
        await expect(page.getByText(/512000/)).toBeVisible()
      },
    },
    {
      name: 'nothing was earned',
      path: '/account/payout/',
      prepare: async (page) =>
        await holdEarnings(page, { none: true, coming: { ...comings.ready, amount_cents: 0, lacks: ['minimum'] } }),
      act: async (page) => await expect(page.getByText(/Nothing was earned yet|Aucun gain/)).toBeVisible(),
    },
    {
      name: 'E-42 E-43 E-44 those whom one referred',
      path: '/account/referral/',
      prepare: async (page) => await holdEarnings(page),
      act: async (page) => {
        await expect(page.getByText('j•••@e•••.org').first()).toBeVisible()
        await expect(page.getByText(/First subscription: Comfort|Premier abonnement\s: Confort/).first()).toBeVisible()
        await expect(page.getByText(/Same person|Même personne/)).toBeVisible()
      },
    },
  ],
  test,
)
