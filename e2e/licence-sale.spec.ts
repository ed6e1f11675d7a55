/** Journey (e): who owns a report sells a licence of it to somebody who has no account, each in his own browser, in test payments. */
import { expect, type Page } from '@playwright/test'
import { codeOf, enter, mailAbout, mailTo, password, person, send } from './fixtures/accounts.ts'
import { test } from './fixtures/money.ts'
import { address, isClean, keepPicture } from './fixtures/pages.ts'
import { cards } from './fixtures/paid-product.ts'
import { giveBankAccount, proveIdentity } from './fixtures/seller.ts'
import { administrator } from './fixtures/staff.ts'
import { walks } from './fixtures/walks.ts'

const words = {
  en: {
    agree: 'Agree and get the report',
    pay: /^Pay €/,
    ready: 'Your package is ready',
    offer: 'Offer for sale',
    price: 'Price of a licence, in euros, without VAT',
    low: 'At least €20.00 without VAT',
    description: 'Public description',
    most: 'Number of licences',
    reviewed: /^I have looked through the reports/,
    prepare: 'Prepare this offer',
    lacking: 'Still missing before the sale can be opened',
    identity: 'Have your identity verified',
    bank: 'Add your bank account',
    preview: 'What your buyers see',
    open: 'Open the sale',
    stop: 'Stop the sale',
    address: 'Address of the sale',
    find: 'Open the sale',
    saleTitle: 'Licence of a sealed report',
    proof: 'Proof that the report is sealed',
    check: 'Check this here, now',
    holds: [/lead to the root|leads to the root/, /What was sealed is what this page says/, /The root stands in the public log/],
    names: ['First name of the beneficiary', 'Last name of the beneficiary', 'Email address of the beneficiary', 'Company'],
    accept: /I have read and accept the terms of the licence/,
    waive: /I want the package at once/,
    next: 'Continue',
    firstName: 'Please enter a first name',
    secret: ['Password', 'Password again'],
    terms: 'I accept the terms of use',
    register: 'Create the account',
    code: 'Six-digit code',
    confirm: 'Confirm',
    toPayment: 'Continue to the payment',
    person: 'Natural person',
    save: 'Save this choice',
    fields: ['Street and number', 'Postal code', 'City', 'Country'],
    country: 'France',
    card: ['Card number', 'Expiry (MM/YY)', 'Security code'],
    yours: 'Your licence',
    pdf: 'Document in English (PDF)',
    package: 'Evidence package (ZIP)',
    licenses: 'Licences',
    inForce: 'In force',
    verify: 'Verify',
    licenceHolds: /^This licence was paid by a test payment:/,
    soldMail: 'A licence of your report was sold',
    readyMail: /Your licence L|Your licence .* is ready/,
    ended: 'This sale has ended',
    soldTab: 'Sold',
    kept: /can neither be thrown away nor deleted/,
  },
  fr: {
    agree: 'Accepter et obtenir le rapport',
    pay: /^Payer /,
    ready: 'Votre dossier est prêt',
    offer: 'Proposer à la vente',
    price: 'Prix d’une licence, en euros, hors taxes',
    low: /^Au moins 20,00.€ hors taxes$/u,
    description: 'Description publique',
    most: 'Nombre de licences',
    reviewed: /^J’ai parcouru les rapports/,
    prepare: 'Préparer cette offre',
    lacking: 'Ce qui manque encore avant l’ouverture de la vente',
    identity: 'Faire vérifier votre identité',
    bank: 'Ajouter votre compte bancaire',
    preview: 'Ce que vos acheteurs voient',
    open: 'Ouvrir la vente',
    stop: 'Arrêter la vente',
    address: 'Adresse de la vente',
    find: 'Ouvrir la vente',
    saleTitle: 'Licence d’un rapport scellé',
    proof: 'Preuve que le rapport est scellé',
    check: 'Vérifier ici, maintenant',
    holds: [/mène à la racine/, /Ce qui a été scellé est bien ce que dit cette page/, /La racine figure dans le journal public/],
    names: ['Prénom du bénéficiaire', 'Nom du bénéficiaire', 'Adresse e-mail du bénéficiaire', 'Société'],
    accept: /J’ai lu et j’accepte les conditions de la licence/,
    waive: /Je veux recevoir le dossier immédiatement/,
    next: 'Continuer',
    firstName: 'Veuillez saisir un prénom',
    secret: ['Mot de passe', 'Mot de passe, une seconde fois'],
    terms: 'J’accepte les conditions d’utilisation',
    register: 'Créer le compte',
    code: 'Code à six chiffres',
    confirm: 'Confirmer',
    toPayment: 'Passer au paiement',
    person: 'Personne physique',
    save: 'Enregistrer ce choix',
    fields: ['Numéro et voie', 'Code postal', 'Ville', 'Pays'],
    country: 'France',
    card: ['Numéro de carte', 'Expiration (MM/AA)', 'Cryptogramme'],
    yours: 'Votre licence',
    pdf: 'Document en français (PDF)',
    package: 'Dossier de preuve (ZIP)',
    licenses: 'Licences',
    inForce: 'En vigueur',
    verify: 'Vérifier',
    licenceHolds: /^Cette licence a été payée par un paiement de test/,
    soldMail: 'Une licence de votre rapport est vendue',
    readyMail: /Votre licence .* est prête/,
    ended: 'Cette vente est terminée',
    soldTab: 'Vendues',
    kept: /ne peut être ni jeté ni supprimé/,
  },
} as const

async function typeCard(page: Page, number: string, [label, expiry, code]: readonly [string, string, string]): Promise<void> {
  await page.getByLabel(label).pressSequentially(number)
  await page.getByLabel(expiry).fill('1228')
  await page.getByLabel(code).fill('123')
}

for (const [locale, width] of walks) {
  test.describe(`in ${locale}, ${String(width)} px`, () => {
    const context = { locale, viewport: { width, height: 800 }, contextOptions: { reducedMotion: 'reduce' } } as const
    test.use(context)
    const say = words[locale]

    test('journey (e) R-05 R-06 R-15 P-03 P-12 E-45 E-63 C-44 C-45 C-46 C-48 C-49 C-50: a report is offered, bought by somebody without account after he has checked its seal, and both have what they were promised', async ({
      page,
      browser,
      paid,
    }) => {
      // A capture, two accounts, three payments’ worth of pages, documents in two languages: on a machine that has other work too.
      test.slow()
      const seller = await person(page, locale, `seller-${locale}-${String(width)}@licence.example`)
      const home = { address: '1 rue du Port', zip: '56000', city: 'Vannes', country: 'FR' }
      await send(page, 'patch', `/profiles/${seller.id}/`, { user_type: 'natural', ...home }, seller)
      await enter(page, seller)

      // A final report, paid for.
      const asked = await send(page, 'post', '/evidences/', { url: `${paid.site}/`, action: 'static', locale }, seller)
      const { id } = asked['evidence'] as { id: string }
      await page.goto(address(`/${locale}/capture/${id}/`))
      await page.getByRole('button', { name: say.agree }).click({ timeout: 120_000 })
      await typeCard(page, cards.accepted, say.card)
      await page.getByRole('button', { name: say.pay }).click()
      await expect(page.getByRole('heading', { level: 1, name: say.ready })).toBeVisible({ timeout: 120_000 })

      // Offered: what is missing is named, with the way to it.
      await page.getByRole('link', { name: say.offer }).click()
      await expect(page.getByRole('checkbox').first()).toBeChecked()
      await page.getByLabel(say.price).fill('19,99')
      await page.getByRole('button', { name: say.prepare }).click()
      await expect(page.getByText(say.low)).toBeVisible()
      await page.getByLabel(say.price).fill('250,00')
      await expect(page.getByText(/300[.,]00/)).toBeVisible()
      await expect(page.getByText(/200[.,]00/)).toBeVisible()
      await page.getByLabel(say.description).fill('A page of a shop, with prices.\nNothing else.')
      await page.getByLabel(say.most).fill('2')
      await isClean(page)
      await keepPicture(page, 'new-offer.png')
      await page.getByRole('button', { name: say.prepare }).click()
      await expect(page.getByText(say.lacking)).toBeVisible()
      await expect(page.getByRole('link', { name: say.identity })).toHaveAttribute('href', `/${locale}/account/identity/`)
      await expect(page.getByRole('link', { name: say.bank })).toHaveAttribute('href', `/${locale}/account/bank/`)
      await expect(page.getByRole('button', { name: say.open, exact: true })).toBeDisabled()
      await isClean(page)
      await keepPicture(page, 'lacking.png')
      const boss = await administrator(page, locale, `admin-${locale}-${String(width)}@licence.example`, paid.dataFolder)
      await proveIdentity(page, seller, boss)
      await giveBankAccount(page, seller)
      await page.reload()
      await page.getByLabel(say.reviewed).check()
      await page.getByRole('button', { name: /^(Save|Enregistrer)$/ }).click()
      await expect(page.getByText(say.lacking)).toHaveCount(0)
      await expect(page.getByRole('heading', { name: say.preview })).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'offer-ready.png')
      await page.getByRole('button', { name: say.open, exact: true }).click()
      const link = page.getByRole('link', { name: new RegExp(`/${locale}/sale/`) })
      await expect(link).toBeVisible()
      const sale = (await link.textContent()) ?? ''
      expect(sale).toMatch(new RegExp(`/${locale}/sale/[A-Za-z0-9_-]{43}/$`))
      await isClean(page)
      await keepPicture(page, 'offer-open.png')

      // A buyer without account, in a browser of his own.
      const elsewhere = await browser.newContext(context)
      const buyer = await elsewhere.newPage()
      const strangers: string[] = []
      buyer.on('request', (request) => {
        const { protocol, origin } = new URL(request.url())
        if (protocol.startsWith('http') && origin !== paid.origin) strangers.push(request.url())
      })
      await buyer.goto(`${paid.origin}/${locale}/sale/`)
      await isClean(buyer)
      await keepPicture(buyer, 'find.png')
      await buyer.getByLabel(say.address).fill(sale)
      await buyer.getByRole('button', { name: say.find }).click()
      await expect(buyer.getByRole('heading', { level: 1, name: say.saleTitle })).toBeVisible()
      await expect(buyer.getByText(/300[.,]00/)).toBeVisible()
      await expect(buyer.getByText('Zoë d’Artagnan')).toBeVisible()
      await expect(buyer.getByRole('img').first()).toBeVisible()
      await isClean(buyer)
      await keepPicture(buyer, 'sale.png')
      await buyer.getByText(say.proof).click()
      await buyer.getByRole('button', { name: say.check }).click()
      for (const line of say.holds) await expect(buyer.getByRole('listitem').filter({ hasText: line }).last()).toBeVisible()
      await expect(buyer.locator('[data-outcome="failed"]')).toHaveCount(0)
      await expect(buyer.locator('[data-outcome="holds"]')).toHaveCount(3)
      await isClean(buyer)
      await keepPicture(buyer, 'checked.png')
      expect(strangers).toEqual([])

      // In whose name; what is missing or hostile is said beside its field.
      const [first, last, mail, company] = say.names
      await buyer.getByRole('button', { name: say.next }).click()
      await expect(buyer.getByText(say.firstName)).toBeVisible()
      await buyer.getByLabel(first, { exact: true }).fill('<script>')
      await buyer.getByLabel(last, { exact: true }).fill('Lovelace')
      await expect(buyer.getByText(say.firstName)).toHaveCount(0)
      await isClean(buyer)
      await buyer.getByLabel(first, { exact: true }).fill('Ada')
      const email = `buyer-${locale}-${String(width)}@licence.example`
      await buyer.getByLabel(mail).fill(email)
      await buyer.getByLabel(company).fill('Analytique SARL')
      await buyer.getByLabel(say.accept).check()
      await buyer.getByLabel(say.waive).check()
      await buyer.getByRole('button', { name: say.next }).click()
      const [secret, again] = say.secret
      await buyer.getByLabel(secret, { exact: true }).fill(password)
      await buyer.getByLabel(again).fill(password)
      await buyer.getByLabel(say.terms).check()
      await isClean(buyer)
      await keepPicture(buyer, 'register.png')
      await buyer.getByRole('button', { name: say.register }).click()
      await buyer.getByLabel(say.code).fill(codeOf(await mailTo(page, email, 1)))
      await buyer.getByRole('button', { name: say.confirm, exact: true }).click()
      await buyer.getByRole('button', { name: say.toPayment }).click()
      await buyer.getByLabel(say.person).check()
      await isClean(buyer)
      await keepPicture(buyer, 'kind.png')
      await buyer.getByRole('button', { name: say.save }).click()
      await buyer.getByRole('dialog').getByRole('button', { name: say.save }).click()
      const [street, zip, city, country] = say.fields
      await buyer.getByLabel(street, { exact: true }).fill('2 rue du Port')
      await buyer.getByLabel(zip, { exact: true }).fill('13002')
      await buyer.getByLabel(city, { exact: true }).fill('Marseille')
      await buyer.getByLabel(country, { exact: true }).fill(say.country)
      await buyer.getByLabel(country, { exact: true }).blur()
      await expect(buyer.getByRole('button', { name: say.toPayment })).toBeEnabled()
      await isClean(buyer)
      await keepPicture(buyer, 'invoice-details.png')
      await buyer.getByRole('button', { name: say.toPayment }).click()
      await typeCard(buyer, cards.confirmed, say.card)
      await isClean(buyer)
      await keepPicture(buyer, 'pay.png')
      await buyer.getByRole('button', { name: say.pay }).click()
      await buyer.waitForURL(/127\.0\.0\.1:\d+\/(?!en\/|fr\/)/)
      await buyer.getByRole('button').first().click()
      await buyer.waitForURL(`**${new URL(sale).pathname}`)
      await expect(buyer.getByRole('heading', { name: say.yours })).toBeVisible()
      await expect(buyer.getByRole('button', { name: say.package })).toBeVisible({ timeout: 120_000 })
      await isClean(buyer)
      await keepPicture(buyer, 'bought.png')

      // What he has: the document, the package, the list, and the page by which anybody verifies it.
      const [pdf] = await Promise.all([buyer.waitForEvent('download'), buyer.getByRole('button', { name: say.pdf }).click()])
      expect(pdf.suggestedFilename()).toMatch(/^licence-.+\.pdf$/)
      const [zipped] = await Promise.all([
        buyer.waitForEvent('download'),
        buyer.getByRole('button', { name: say.package }).click(),
      ])
      expect(zipped.suggestedFilename()).toMatch(/^licence-.+\.zip$/)
      await buyer.goto(`${paid.origin}/${locale}/evidences/licenses/`)
      await expect(buyer.getByRole('listitem').getByText(say.inForce, { exact: true })).toBeVisible()
      await isClean(buyer)
      await keepPicture(buyer, 'licences-bought.png')
      const verify = await buyer.getByRole('link', { name: say.verify, exact: true }).getAttribute('href')
      expect(await mailAbout(page, email, say.readyMail)).toContain('Ada Lovelace')
      expect(await mailAbout(page, seller.email, say.soldMail)).toMatch(/200[.,]00/)
      const anybody = await (await browser.newContext(context)).newPage()
      await anybody.goto(`${paid.origin}${verify ?? ''}`)
      await expect(anybody.getByText(say.licenceHolds)).toBeVisible()
      await expect(anybody.getByText('Ada Lovelace')).toBeVisible()
      await isClean(anybody)
      await keepPicture(anybody, 'verified.png')

      // The seller: sold, figures, and a sale that is stopped; whoever bought keeps his licence.
      await page.goto(address(`/${locale}/evidences/licenses/?side=sold`))
      await expect(page.getByRole('listitem').getByText(say.inForce, { exact: true })).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'licences-sold.png')
      await page.goto(address(`/${locale}/capture/${id}/`))
      await expect(page.getByText(say.kept)).toBeVisible()
      await page.goto(address(`/${locale}/account/licenses/`))
      await expect(page.getByText(/200[.,]00/)).toBeVisible()
      await isClean(page)
      await keepPicture(page, 'sales.png')
      await page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(new URL(paid.site).host) })
        .click()
      await page.getByRole('button', { name: say.stop }).click()
      await page.getByRole('dialog').getByRole('button', { name: say.stop }).click()
      await expect(page.getByRole('button', { name: say.stop })).toHaveCount(0)
      await buyer.goto(sale)
      await expect(buyer.getByRole('heading', { level: 1, name: say.ended })).toBeVisible()
      await expect(buyer.getByRole('button', { name: say.pdf })).toBeVisible()
      await isClean(buyer)
      await keepPicture(buyer, 'stopped.png')
    })
  })
}
