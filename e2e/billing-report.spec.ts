/** Journey (a) where reports are paid for: from an address, without account, to the report and its invoice, by a card that is refused and one that the bank has confirmed. */
import type { Page } from '@playwright/test'
import { codeOf, mailTo, password } from './fixtures/accounts.ts'
import { isClean, keepPicture, standingOut } from './fixtures/pages.ts'
import { cards, expect, test as base } from './fixtures/paid-product.ts'
import { walks } from './fixtures/walks.ts'

const test = base.extend<{ there: void }>({
  there: [
    async ({ paid }, use) => {
      const before = process.env['PROBANT_E2E_ADDRESS'] ?? ''
      process.env['PROBANT_E2E_ADDRESS'] = paid.origin
      await use()
      process.env['PROBANT_E2E_ADDRESS'] = before
    },
    { auto: true },
  ],
})

const words = {
  en: {
    field: 'Address of the page',
    capture: 'Capture this page',
    price: '€118.80 incl. VAT',
    agree: 'Agree and get the report',
    create: 'Create an account',
    names: [
      'First name',
      'Last name',
      'Email address',
      'Password',
      'Password again',
      'I accept the terms of use',
      'Six-digit code',
    ],
    register: 'Create the account',
    confirm: 'Confirm',
    missing: /An invoice needs more of your profile: kind of user, address, postal code, city,? and country\./,
    profile: 'Profile',
    kind: { natural: 'Natural person', missing: 'Please enter whether you are a natural person or a legal entity' },
    address: ['Street and number', 'Postal code', 'City', 'Country'],
    save: 'Save and go on',
    heading: 'Pay, and the report is made',
    card: ['Card number', 'Expiry (MM/YY)', 'Security code'],
    pay: 'Pay €118.80',
    refused: 'Your bank refused, without saying why. Ask it, or pay by another card.',
    kept: /^Nothing was paid\. What was sealed stays for you until /,
    another: /^Another card/,
    ready: 'Your package is ready',
    paid: 'Paid',
    amounts: ['€99.00', '€19.80', '€118.80'],
  },
  fr: {
    field: 'Adresse de la page',
    capture: 'Capturer cette page',
    price: '118,80 € TTC',
    agree: 'Accepter et obtenir le rapport',
    create: 'Créer un compte',
    names: [
      'Prénom',
      'Nom',
      'Adresse e-mail',
      'Mot de passe',
      'Mot de passe, une seconde fois',
      'J’accepte les conditions d’utilisation',
      'Code à six chiffres',
    ],
    register: 'Créer le compte',
    confirm: 'Confirmer',
    missing: /Une facture demande de compléter votre profil.: type d’utilisateur, adresse, code postal, ville et pays\./u,
    profile: 'Profil',
    kind: { natural: 'Personne physique', missing: 'Veuillez indiquer si vous êtes une personne physique ou morale' },
    address: ['Numéro et voie', 'Code postal', 'Ville', 'Pays'],
    save: 'Enregistrer et continuer',
    heading: 'Payez, et le rapport est établi',
    card: ['Numéro de carte', 'Expiration (MM/AA)', 'Cryptogramme'],
    pay: /^Payer 118,80.€$/u,
    refused: 'Votre banque a refusé sans dire pourquoi. Interrogez-la ou payez avec une autre carte.',
    kept: /^Rien n’a été payé\. Ce qui a été scellé vous est gardé jusqu’au /,
    another: /^Une autre carte/,
    ready: 'Votre dossier est prêt',
    paid: 'Payée',
    amounts: ['99,00 €', '19,80 €', '118,80 €'],
  },
} as const

async function typeCard(page: Page, number: string, [label, expiry, code]: readonly [string, string, string]): Promise<void> {
  await page.getByLabel(label).pressSequentially(number)
  await page.getByLabel(expiry).fill('1228')
  await page.getByLabel(code).fill('123')
}

const blanks = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

for (const [locale, width] of walks) {
  test.describe(`in ${locale}, ${String(width)} px`, () => {
    test.use({ viewport: { width, height: 800 }, locale, contextOptions: { reducedMotion: 'reduce' } })
    const say = words[locale]

    test('S-38 V-45 H-33 C-31 E-36 E-40: a visitor pays for his report, by a card that is refused, then by one that his bank has confirmed', async ({
      page,
      context,
      paid,
    }) => {
      const email = `report-${locale}-${String(Date.now())}@example.org`
      await page.goto(`/${locale}/`)
      await page.getByLabel(say.field).fill(`${paid.site}/`)
      await page.getByRole('button', { name: say.capture }).click()
      const agree = page.getByRole('button', { name: say.agree })
      await expect(agree).toBeVisible({ timeout: 120_000 })
      // The price is there before he has an account.
      await expect(page.getByText(/118[.,]80/).first()).toBeVisible()
      const preview = new URL(page.url()).pathname
      await agree.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: say.create }).click()
      const [first, last, address, secret, again, terms, mailed] = say.names
      await dialog.getByLabel(first, { exact: true }).fill('Zoë')
      await dialog.getByLabel(last, { exact: true }).fill('d’Artagnan')
      await dialog.getByLabel(address).fill(email)
      await dialog.getByLabel(secret, { exact: true }).fill(password)
      await dialog.getByLabel(again).fill(password)
      await dialog.getByLabel(terms).check()
      await dialog.getByRole('button', { name: say.register }).click()
      await page.getByLabel(mailed).fill(codeOf(await mailTo(page, email, 1)))
      await page.getByRole('button', { name: say.confirm, exact: true }).click()
      // The draft has come with him; an invoice needs more, and each thing is named.
      await expect(page.getByText(say.missing)).toBeVisible()
      // One thing is put forward at a time.
      await expect(agree).toHaveAttribute('data-variant', 'default')
      await isClean(page)
      await keepPicture(page, 'missing.png')
      // It is typed where it is missed; what was told already is not asked again.
      const profile = page.getByRole('group', { name: say.profile })
      await expect(profile.getByRole('textbox').or(profile.getByRole('combobox'))).toHaveCount(4)
      await profile.getByRole('button', { name: say.save }).click()
      await expect(profile.getByText(say.kind.missing)).toBeVisible()
      await profile.getByRole('radio', { name: say.kind.natural }).check()
      const typed = ['1 rue du Port', '13002', 'Marseille', 'France']
      for (const [i, label] of say.address.entries()) await profile.getByLabel(label, { exact: true }).fill(typed[i] ?? '')
      await isClean(page)
      await keepPicture(page, 'profile.png')
      await profile.getByRole('button', { name: say.save }).click()
      await expect(page.getByText(say.missing)).toHaveCount(0)
      await expect(agree).toHaveAttribute('data-variant', 'filled')
      const session = await page.evaluate(
        () =>
          JSON.parse(localStorage.getItem('probant.session') ?? sessionStorage.getItem('probant.session') ?? '{}') as {
            token: string
          },
      )
      const headers = { authorization: `Bearer ${session.token}` }
      await agree.click()
      await expect(page.getByRole('heading', { name: say.heading })).toBeVisible()
      await isClean(page)
      expect(await standingOut(page)).toEqual([])
      await keepPicture(page, 'to-be-paid.png')
      // In another tab the same is to be paid, once.
      const other = await context.newPage()
      await other.addInitScript(
        (kept) => sessionStorage.setItem('probant.session', kept),
        await page.evaluate(() => sessionStorage.getItem('probant.session') ?? localStorage.getItem('probant.session') ?? ''),
      )
      await other.goto(preview)
      await expect(other.getByRole('heading', { name: say.heading })).toBeVisible()
      // Of a tab that lies behind another the browser draws one frame a second.
      await page.bringToFront()
      await typeCard(page, cards.refused, say.card)
      await page.getByRole('button', { name: say.pay }).click()
      await expect(page.getByText(say.refused)).toBeVisible()
      await expect(page.getByText(say.kept)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'refused.png')
      await page.getByRole('radio', { name: say.another }).check()
      await typeCard(page, cards.confirmed, say.card)
      await page.getByRole('button', { name: say.pay }).click()
      await page.waitForURL(/127\.0\.0\.1:\d+\/(?!en\/|fr\/)/)
      await page.getByRole('button').first().click()
      await page.waitForURL(`**${preview}`)
      await expect(page.getByRole('heading', { level: 1, name: say.ready })).toBeVisible({ timeout: 120_000 })
      // The other tab has followed, and asks for nothing.
      await expect(other.getByRole('heading', { level: 1, name: say.ready })).toBeVisible()
      const listed = await page.request.get('/invoices/', { headers })
      const { results } = (await listed.json()) as { results: { id: string }[] }
      expect(results).toMatchObject([
        {
          category: 'evidence',
          status: 'success',
          number: expect.stringMatching(/^F\d{4}-\d{6}$/) as unknown,
          gross_cents: 11_880,
        },
      ])
      await page.goto(`/${locale}/account/invoice/${results[0]?.id ?? ''}/`)
      await expect(page.getByText(say.paid, { exact: true })).toBeVisible()
      const shown = blanks(await page.locator('main').innerText())
      for (const amount of say.amounts) expect(shown).toContain(amount)
      await isClean(page)
      await keepPicture(page, 'invoice.png')
    })
  })
}
