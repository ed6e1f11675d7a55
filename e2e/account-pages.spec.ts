/** The pages of an account, in a real browser against the whole product: mails are read where development keeps them. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { enter, mailTo, person, send, type Someone } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, openRowMenu, test } from './fixtures/pages.ts'

const profileOf = (page: Page, who: Someone) => send(page, 'get', '/profiles/current/', undefined, who)

test.describe('in English, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('E-03 E-07 E-09 E-11 E-12 E-15 P-07 V-12 V-15: a company’s profile is saved as it is typed; the bank account is checked as it is typed', async ({
    page,
  }) => {
    const who = await person(page, 'en', 'company@example.org')
    await enter(page, who)
    await page.goto(address('/en/account/'))
    await page.getByLabel('Legal entity').check()
    await expect(page.getByText('this cannot be changed once it is saved')).toBeVisible()
    await isClean(page)
    await page.getByRole('button', { name: 'Save this choice' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save this choice' }).click()
    // P-07: now there is a company to tell of.
    const company = page.getByLabel('Company name')
    await company.fill('Mousquetaires SA')
    await page.getByLabel('Company email address').fill('not an address')
    await page.getByLabel('Registration number').fill('552 100 554')
    await expect(page.getByText('This email address is not valid')).toBeVisible()
    await page.getByLabel('Country', { exact: true }).fill('cote d’ivoire')
    await page.getByLabel('City', { exact: true }).fill('Abidjan')
    // Names of countries come back as they are written.
    await expect(page.getByLabel('Country', { exact: true })).toHaveValue('Côte d’Ivoire')
    await page.getByLabel('Mobile').fill('+33 6 12 34 56 78')
    await page.getByRole('button', { name: 'Show what is missing' }).click()
    await expect(page.getByText('Please enter your postal code')).toBeVisible()
    await expect(page.getByLabel('Mobile')).toHaveValue('+33612345678')
    await isClean(page)
    await keepPicture(page, 'profile.png')
    const profile = await profileOf(page, who)
    expect(profile).toMatchObject({
      user_type: 'legal',
      company_name: 'Mousquetaires SA',
      company_number: '552 100 554',
      company_email: null,
      country: 'CI',
      city: 'Abidjan',
      mobile_phone: '+33612345678',
    })
    // What another window saves is taken over where nothing else was typed, and told where something was.
    await send(page, 'patch', `/profiles/${who.id}/`, { region: 'Lagunes', company_email: 'other@example.org' }, who)
    await page.getByLabel('City', { exact: true }).fill('Bouaké')
    await page.getByLabel('City', { exact: true }).blur()
    await expect(page.getByLabel('Region')).toHaveValue('Lagunes')
    await expect(page.getByText('Saved in another window meanwhile: “other@example.org”.')).toBeVisible()
    await expect(page.getByLabel('Company email address')).toHaveValue('not an address')
    // Two windows in one field: neither overwrites the other unseen, and one press chooses.
    const city = page.getByLabel('City', { exact: true })
    await expect.poll(async () => (await profileOf(page, who))['city']).toBe('Bouaké')
    for (const [button, kept] of [
      ['Keep what I typed', 'Korhogo'],
      ['Take that value', 'Man'],
    ] as const) {
      await send(page, 'patch', `/profiles/${who.id}/`, { city: 'Man' }, who)
      await city.fill('Korhogo')
      await city.blur()
      await expect(page.getByText('Saved in another window meanwhile: “Man”.')).toBeVisible()
      expect((await profileOf(page, who))['city']).toBe('Man')
      await page.getByRole('status').filter({ hasText: '“Man”' }).getByRole('button', { name: button }).click()
      await expect.poll(async () => (await profileOf(page, who))['city']).toBe(kept)
      await expect(city).toHaveValue(kept)
      await expect(page.getByText('Saved in another window meanwhile: “Man”.')).toHaveCount(0)
      await city.fill('Bouaké')
      await city.blur()
      await expect.poll(async () => (await profileOf(page, who))['city']).toBe('Bouaké')
    }
    // Without a network it stays in its field, is marked, and goes once there is one.
    await page.route('**/profiles/**', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await page.getByLabel('Street and number').fill('1 rue du Port')
    await page.getByLabel('Street and number').blur()
    await expect(page.getByText('Not saved')).toHaveCount(2)
    await isClean(page)
    await page.unroute('**/profiles/**')
    await page.getByRole('button', { name: 'Show what is missing' }).click()
    await expect.poll(async () => (await profileOf(page, who))['address']).toBe('1 rue du Port')
    // H-31.
    await page.getByRole('button', { name: 'Add a beneficial owner' }).click()
    const owner = page.getByRole('form', { name: 'Beneficial owners' })
    await owner.getByLabel('First name of the owner').fill('Anne')
    await owner.getByLabel('Last name of the owner').fill('d’Autriche')
    await owner.getByLabel('Owner’s date of birth').fill('2971-02-28')
    await owner.getByLabel('Owner’s city of birth').fill('Valladolid')
    await owner.getByLabel('Owner’s country of birth').fill('Espagne')
    await owner.getByLabel('Owner’s nationality').fill('France')
    await owner.getByLabel('Owner’s address').fill('Palais-Royal, Paris')
    await owner.getByLabel('Share held').fill('55,5')
    await owner.getByRole('button', { name: 'Save' }).click()
    await expect(owner.getByText('The date of birth must be in the past')).toBeVisible()
    await isClean(page)
    await owner.getByLabel('Owner’s date of birth').fill('1971-02-28')
    await owner.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Holds 55.5 %')).toBeVisible()
    await page.getByRole('button', { name: 'Remove – Anne d’Autriche' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Holds 55.5 %')).toHaveCount(0)
    expect((await profileOf(page, who))['beneficial_owners']).toEqual([])
    // What is not saved is still there after another page of the account was looked at.
    await page.locator('summary', { hasText: 'Profile' }).click()
    await isClean(page)
    await page.getByRole('link', { name: 'Bank account' }).click()
    const iban = page.getByLabel('IBAN', { exact: true })
    await iban.pressSequentially('de89370400440532013001')
    await iban.blur()
    await expect(page.getByText('This IBAN is not valid')).toBeVisible()
    await iban.fill('')
    await iban.pressSequentially('de89370400440532013000')
    await expect(iban).toHaveValue('DE89 3704 0044 0532 0130 00')
    await expect(page.getByText('Valid IBAN – Germany')).toBeVisible()
    await page.getByLabel('Account holder', { exact: true }).fill('Mousquetaires SA')
    await page.getByRole('button', { name: 'Save the bank account' }).click()
    await expect(page.getByText('Please enter the address of the account holder')).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'bank.png')
    await page.getByLabel('Address of the account holder').fill('Am Platz 1, Berlin')
    await page.getByRole('button', { name: 'Save the bank account' }).click()
    await expect(page.getByText('ends in 3000')).toBeVisible()
    await isClean(page)
    await page.locator('summary', { hasText: 'Bank account' }).click()
    await page.getByRole('link', { name: 'Profile' }).click()
    await expect(page.getByLabel('Company email address')).toHaveValue('not an address')
    await page.getByLabel('Company email address').fill('office@example.org')
    await page.getByLabel('Company email address').blur()
    await expect.poll(async () => (await profileOf(page, who))['company_email']).toBe('office@example.org')
    for (const [name, shown] of [
      ['Users', 'Name of the group'],
      ['Delegations', 'Last day'],
      ['Settings', 'Language of the emails'],
      ['Delete the account', 'Why are you leaving?'],
    ] as const) {
      await page.locator('details:has(nav) > summary').click()
      await page.getByRole('link', { name, exact: true }).click()
      await expect(page.getByLabel(shown)).toBeVisible()
      await isClean(page)
      await keepPicture(page, `narrow-${name.toLowerCase()}.png`)
    }
  })
})

/** Mails name the installation by its public address; here it is met at another. */
const linkOf = (mail: string): string => /^https?:\/\/[^\s/]+(\/\S*by-mail\/\S+)$/m.exec(mail)?.[1] ?? 'no link'

test.describe('in French, 1280 px', () => {
  const context = { viewport: { width: 1280, height: 800 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } } as const
  test.use(context)

  test('H-23 D-02 journey (g) 6, 8: colleagues are invited while seats last; one joins by the link in another browser, and is out at once when removed', async ({
    page,
    browser,
  }) => {
    const owner = await person(page, 'fr', 'groupe@example.org')
    await send(page, 'patch', `/profiles/${owner.id}/`, { user_type: 'legal' }, owner)
    const guest = await person(page, 'fr', 'collegue@example.org', 'Planchet')
    await enter(page, owner)
    await page.goto(address('/fr/account/users/'))
    await page.getByLabel('Nom du groupe').fill('Mousquetaires')
    await isClean(page)
    await page.getByRole('button', { name: 'Créer le groupe' }).click()
    await expect(page.getByRole('heading', { name: 'Mousquetaires' })).toBeVisible()
    const invite = async (email: string) => {
      await page.getByLabel('Adresse e-mail à inviter').fill(email)
      await page.getByRole('button', { name: 'Inviter', exact: true }).click()
    }
    for (const [n, email] of ['un@example.org', 'deux@example.org', 'trois@example.org', guest.email].entries()) {
      await invite(email)
      await expect(page.getByRole('button', { name: `Annuler l’invitation – ${email}` })).toBeVisible()
      await expect(page.getByText(`${n + 2} sur 5 occupées`)).toBeVisible()
    }
    // The sixth person.
    await invite('six@example.org')
    await expect(page.getByRole('alert').filter({ hasText: 'Les 5 places du groupe sont prises' })).toBeVisible()
    await expect(page.getByLabel('Adresse e-mail à inviter')).toHaveValue('six@example.org')
    await isClean(page)
    await keepPicture(page, 'users.png')

    const other = await browser.newContext(context)
    const theirs = await other.newPage()
    await enter(theirs, guest)
    await theirs.goto(address(linkOf(await mailTo(page, guest.email, 2))))
    await theirs.getByRole('button', { name: 'Rejoindre le groupe' }).click()
    await expect(theirs.getByRole('status').filter({ hasText: 'Mousquetaires' })).toBeVisible()
    await theirs.goto(address('/fr/account/users/'))
    await expect(theirs.getByRole('button', { name: 'Quitter le groupe' })).toBeVisible()
    // A member sees the group, not who is in it.
    await expect(theirs.getByRole('heading', { name: 'Membres' })).toHaveCount(0)
    await isClean(theirs)

    await page.reload()
    await expect(page.getByText('2 membres')).toBeVisible()
    await expect(page.getByText('(vous) – Propriétaire')).toBeVisible()
    await openRowMenu(page, 'Zoë Planchet')
    await isClean(page)
    await keepPicture(page, 'member-menu.png')
    await page.getByRole('button', { name: 'Retirer – Zoë Planchet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retirer' }).click()
    await expect(page.getByText('4 sur 5 occupées')).toBeVisible()
    await theirs.reload()
    await expect(theirs.getByText('Un groupe appartient à une personne morale.', { exact: false })).toBeVisible()
    await other.close()
  })

  test('D-08 V-23 C-11: an account is deleted with a reason, after its data were taken along', async ({ page }) => {
    const who = await person(page, 'fr', 'partir@example.org')
    await enter(page, who)
    await page.goto(address('/fr/account/delete/'))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Télécharger mes données' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toMatch(/^probant-account-\d{4}-\d\d-\d\d\.json$/)
    const held = JSON.parse(await readFile(await saved.path(), 'utf8')) as Record<string, unknown>
    expect(JSON.stringify(held)).toContain(who.email)
    await page.getByRole('button', { name: 'Supprimer mon compte' }).click()
    await expect(page.getByText('Veuillez indiquer pourquoi vous fermez le compte')).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'delete.png')
    await page.getByLabel('Pourquoi partez-vous').fill('Je n’en ai plus besoin')
    await page.getByRole('button', { name: 'Supprimer mon compte' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Supprimer mon compte' }).click()
    await expect(page.getByRole('heading', { name: 'Votre compte est fermé' })).toBeVisible()
    await isClean(page)
    expect(await page.evaluate(() => sessionStorage.getItem('probant.session'))).toBeNull()
    await page.goto(address(linkOf(await mailTo(page, who.email, 2))))
    await page.getByRole('button', { name: 'Conserver mon compte' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Votre compte est conservé' })).toBeVisible()
  })

  test('E-50 P-09 H-22 X-48…X-50: an access is granted, acted by in plain sight, and ended', async ({ page, browser }) => {
    const grantor = await person(page, 'fr', 'maitre@example.org', 'Richelieu')
    const delegate = await person(page, 'fr', 'assistant@example.org', 'Planchet')
    await enter(page, grantor)
    await page.goto(address('/fr/account/delegations/'))
    await page.getByLabel('Adresse e-mail de cette personne').fill(delegate.email)
    await page.getByRole('button', { name: 'Ouvrir l’accès' }).click()
    await expect(page.getByText('Veuillez indiquer jusqu’à quand', { exact: false })).toBeVisible()
    await page.getByLabel('Dernier jour').fill(new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10))
    await page.getByLabel('Ce que permet l’accès').selectOption('manage')
    await isClean(page)
    await page.getByRole('button', { name: 'Ouvrir l’accès' }).click()
    await expect(page.getByRole('button', { name: `Mettre fin à l’accès – ${delegate.email}` })).toBeVisible()
    await keepPicture(page, 'delegations.png')

    const other = await browser.newContext(context)
    const theirs = await other.newPage()
    await enter(theirs, delegate)
    await theirs.goto(address('/fr/account/delegations/'))
    await theirs.locator('#content').getByRole('button', { name: 'Agir pour Zoë Richelieu' }).click()
    await theirs.waitForURL('**/fr/evidences/pending/')
    const banner = theirs.getByRole('complementary', { name: 'Vous agissez pour quelqu’un d’autre' })
    await expect(banner.getByText('Vous agissez pour Zoë Richelieu.')).toBeVisible()
    await isClean(theirs)
    await theirs.goto(address('/fr/account/'))
    // Of that account he is shown what he may do there.
    await expect(theirs.getByRole('link', { name: 'Compte bancaire' })).toHaveCount(0)
    await theirs.getByLabel('Ville', { exact: true }).fill('Luçon')
    await theirs.getByLabel('Ville', { exact: true }).blur()
    await expect.poll(async () => (await profileOf(page, grantor))['city']).toBe('Luçon')
    expect((await profileOf(page, delegate))['city']).toBeNull()
    await isClean(theirs)
    await keepPicture(theirs, 'acting.png')
    await banner.getByRole('button', { name: 'Revenir à votre compte' }).click()
    await expect(banner).toHaveCount(0)

    await page.getByRole('button', { name: `Mettre fin à l’accès – ${delegate.email}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mettre fin à l’accès' }).click()
    await expect(page.getByText('Personne d’autre que vous n’agit dans votre compte.')).toBeVisible()
    await theirs.goto(address('/fr/account/delegations/'))
    await expect(theirs.getByText('Aucun compte ne vous est ouvert.')).toBeVisible()
    await other.close()
  })

  test('E-53 E-54 settings are saved as they are chosen, and a new capture begins with them', async ({ page }) => {
    const who = await person(page, 'fr', 'reglages@example.org')
    await enter(page, who)
    await page.goto(address('/fr/account/settings/'))
    await page.getByLabel('Langue des e-mails').selectOption('en')
    await expect(page.getByRole('status').filter({ hasText: 'Réglages mis à jour.' })).toBeVisible()
    await page.getByLabel('Fermer les bandeaux de cookies').check()
    await expect
      .poll(() => send(page, 'get', '/settings/', undefined, who))
      .toMatchObject({ language: 'en', close_cookies: true, server_location: 'automatic' })
    const server = page.getByLabel('Serveur de capture')
    const id = (await server.locator('option').nth(1).getAttribute('value')) ?? ''
    await server.selectOption(id)
    await expect
      .poll(() => send(page, 'get', '/settings/', undefined, who))
      .toMatchObject({ server_location: 'public', server_id: id })
    await isClean(page)
    await keepPicture(page, 'settings.png')
    await page.goto(address('/fr/'))
    await expect(page.locator('summary')).toContainText('2')
    await page.locator('summary').click()
    await expect(page.getByRole('switch', { name: 'Fermer le bandeau de cookies du site' })).toBeChecked()
    await expect(page.getByLabel('Serveur de capture', { exact: true })).toHaveValue(id)
    await isClean(page)
  })
})
