/** What protects an account, in a real browser against the whole product: proofs asked for again, sessions, the record of acts. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { generate } from 'otplib'
import { mailTo, password, person, send, type Someone } from './fixtures/accounts.ts'
import { inDatabase } from './fixtures/listed-evidences.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

/** As if signed in by the page, in this tab alone. */
async function enter(page: Page, who: Someone): Promise<void> {
  await page.addInitScript(
    ([token, userId]) => {
      if (sessionStorage.getItem('entered') === userId) return
      sessionStorage.setItem('entered', userId)
      sessionStorage.setItem('probant.session', JSON.stringify({ token, userId, brand: null }))
    },
    [who.token, who.id] as const,
  )
}

/** His sessions were opened a while ago: what he proved of himself is too old. */
async function waitLong(who: Someone): Promise<void> {
  await inDatabase((db) =>
    db.query(`update user_session set proven_at = now() - interval '11 minutes' where user_id = $1`, [who.id]),
  )
}

/** Gives him the role, and has him set up a second factor. @returns his recovery codes */
async function makeAdministrator(page: Page, who: Someone): Promise<string[]> {
  await inDatabase((db) =>
    db.query(`insert into user_role (user_id, role, granted_at) values ($1, 'administrator', now())`, [who.id]),
  )
  const { secret } = await send(page, 'post', '/second_factor/', { password }, who)
  const code = await generate({ secret: String(secret) })
  const { recovery_codes: codes } = await send(page, 'post', '/second_factor/confirm/', { code }, who)
  return codes as string[]
}

const dialog = (page: Page) => page.getByRole('dialog')
const notices = (page: Page, text: string) => page.getByText(text)

test.describe('in English, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('X-23 X-24 X-25: what protects the account asks once more who it is, does it then, and tells by mail', async ({
    page,
  }) => {
    const who = await person(page, 'en', 'prove@example.org')
    await enter(page, who)
    await page.goto(address('/en/account/emails/'))
    await expect(page.getByRole('heading', { name: 'Email addresses' })).toBeVisible()
    await waitLong(who)
    await page.getByLabel('Email address', { exact: true }).fill('second@prove.example')
    await page.getByRole('button', { name: 'Add the address' }).click()
    await expect(dialog(page).getByRole('heading', { name: 'Is it you?' })).toBeVisible()
    await expect(dialog(page).getByLabel('Password', { exact: true })).toBeFocused()
    await isClean(page)
    await keepPicture(page, 'prove.png')
    // Given up: nothing was done, and what was typed is still there.
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByText('Say once more who you are to go on')).toBeVisible()
    await expect(page.getByLabel('Email address', { exact: true })).toHaveValue('second@prove.example')
    await page.getByRole('button', { name: 'Add the address' }).click()
    await dialog(page).getByLabel('Password', { exact: true }).fill('Wrong-horse 7')
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await expect(dialog(page).getByText('Wrong password')).toBeVisible()
    await dialog(page).getByLabel('Password', { exact: true }).fill(password)
    await dialog(page).getByLabel('Password', { exact: true }).press('Enter')
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByText('second@prove.example').first()).toBeVisible()
    // Not asked again for what comes next.
    await page.getByRole('button', { name: 'Delete – second@prove.example' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expect(notices(page, 'second@prove.example was deleted')).toBeVisible()
    expect(await mailTo(page, who.email, 2)).toContain('An email address was added to your account')
  })

  test('H-08: sessions are named, ended one by one, all others at once', async ({ page }) => {
    const who = await person(page, 'en', 'sessions@example.org')
    const again = async (agent: string) => {
      const answer = await page.request.post(address('/rest-auth/login/'), {
        data: { email: who.email, password },
        headers: { 'user-agent': agent },
      })
      expect(answer.ok()).toBe(true)
    }
    await again(
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    )
    await again('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0')
    await again('nothing that anybody knows')
    await enter(page, who)
    await page.goto(address('/en/account/security/'))
    const rows = page.getByRole('listitem').filter({ hasText: 'Network' })
    await expect(rows).toHaveCount(4)
    await expect(page.getByText('Safari 18, macOS')).toBeVisible()
    await expect(page.getByText('Unknown browser')).toBeVisible()
    await expect(rows.filter({ hasText: 'This session' })).toHaveCount(1)
    await isClean(page)
    await keepPicture(page, 'sessions.png')
    await page.getByRole('button', { name: 'End – Firefox 140, Windows' }).click()
    await expect(notices(page, 'The session was ended.')).toBeVisible()
    await expect(rows).toHaveCount(3)
    await page.getByRole('button', { name: 'End all others' }).click()
    await dialog(page).getByRole('button', { name: 'End all others' }).click()
    await expect(notices(page, '2 other sessions were ended.')).toBeVisible()
    await expect(rows).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'End all others' })).toHaveCount(0)
  })

  test('V-04: a password that everybody tries first is refused beside its field', async ({ page }) => {
    await page.goto(address('/en/authentication/registration/'))
    const sheet = page.locator('#content')
    await sheet.getByLabel('First name').fill('Zoë')
    await sheet.getByLabel('Last name').fill('Dupont')
    await sheet.getByLabel('Email address').fill('common@example.org')
    await sheet.getByLabel('Password', { exact: true }).fill('P@ssw0rd1')
    await sheet.getByLabel(/once more|again/i).fill('P@ssw0rd1')
    await sheet.getByLabel('I accept the terms').check()
    await sheet.getByRole('button', { name: 'Create the account' }).click()
    await expect(sheet.getByText('Too common: this is among the passwords that are tried first')).toBeVisible()
    await isClean(page)
  })

  test('H-20 H-43: the record of acts is an administrator’s; to others there is no such page', async ({ page }) => {
    const [other, boss] = [
      await person(page, 'en', 'no-boss@example.org', 'Planchet'),
      await person(page, 'en', 'boss@example.org', 'Richelieu'),
    ]
    // Who has the role, and no second factor yet, is led to it and from there on to where he wanted to go.
    await inDatabase((db) =>
      db.query(`insert into user_role (user_id, role, granted_at) values ($1, 'administrator', now())`, [boss.id]),
    )
    const early = await page.context().newPage()
    await enter(early, boss)
    await early.goto(address('/en/admin/acts/'))
    await expect(early).toHaveURL(/\/en\/account\/security\/\?redirect=/)
    await expect(early.getByText('Your role demands a second factor', { exact: false })).toBeVisible()
    await isClean(early)
    await keepPicture(early, 'second-factor.png')
    await early.getByRole('button', { name: 'Set up a second factor' }).click()
    await early.getByLabel('Password', { exact: true }).fill(password)
    await early.getByRole('button', { name: 'Continue' }).click()
    const secret = ((await early.locator('form code').textContent()) ?? '').replaceAll(' ', '')
    await early.getByLabel('Code shown by the application').fill(await generate({ secret }))
    await early.getByRole('button', { name: 'Turn it on' }).click()
    await early.getByRole('button', { name: 'I have kept them' }).click()
    await expect(early).toHaveURL(address('/en/admin/acts/'))
    await expect(early.getByRole('heading', { level: 1, name: 'Record of acts' })).toBeVisible()
    await early.close()
    // Whoever asks, the server says that there is none.
    expect((await page.request.get(address('/en/admin/acts/'))).status()).toBe(404)
    await enter(page, other)
    await page.goto(address('/en/admin/acts/'))
    await expect(page.getByRole('heading', { level: 1, name: 'Oops... the page was not found!' })).toBeVisible()
    await enter(page, boss)
    await page.goto(address(`/en/admin/acts/?person=${other.id}`))
    await expect(page.getByRole('heading', { level: 1, name: 'Record of acts' })).toBeVisible()
    const lines = page.locator('#content li:not(nav li)')
    await expect(lines.first()).toContainText('Signed in')
    await expect(lines.first()).toContainText('Zoë Planchet')
    await expect(page.getByLabel('Id of a person')).toHaveValue(other.id)
    await lines
      .first()
      .getByText(/^Line /)
      .click()
    await expect(lines.first().getByText('identity.signed_in')).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'acts.png')
    await page.getByLabel('What was done').selectOption({ label: 'Confirmed the account' })
    await expect(lines).toHaveCount(1)
    expect(new URL(page.url()).searchParams.get('action')).toBe('identity.confirmed_account')
    await page.goBack()
    await expect(lines).not.toHaveCount(1)
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByText(/^The chain holds: /)).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file.split('\r\n')[0]).toContain('"number","at","action"')
    expect(file).toContain('"Zoë Planchet"')
    await isClean(page)
  })
})

test.describe('in French, 1280 px, dark', () => {
  test.use({
    viewport: { width: 1280, height: 900 },
    locale: 'fr',
    colorScheme: 'dark',
    contextOptions: { reducedMotion: 'reduce' },
  })

  test('H-43: everybody reads what was done in his account, by kind and day, and takes it along', async ({ page }) => {
    const [grantor, delegate] = [
      await person(page, 'fr', 'journal@example.org', 'Richelieu'),
      await person(page, 'fr', 'journal-delegue@example.org', 'Planchet'),
    ]
    const until = new Date(Date.now() + 86_400_000).toISOString()
    const granted = { email: delegate.email, scope: 'manage', expires_at: until }
    const { id } = await send(page, 'post', '/profiles/create_access_delegation/', granted, grantor)
    await page.request.patch(address(`/profiles/${grantor.id}/`), {
      data: { city: 'Luçon' },
      headers: { authorization: `Bearer ${delegate.token}`, 'x-delegation': String(id) },
    })
    await enter(page, grantor)
    await page.goto(address('/fr/account/activity/'))
    const lines = page.locator('#content li:not(nav li)')
    await expect(lines.first()).toContainText('Profil enregistré')
    await expect(lines.first()).toContainText('Zoë Planchet pour vous')
    await expect(page.getByText(/^\d+ lignes$/)).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'activity.png')
    await page.getByLabel('Ce qui a été fait').selectOption('identity')
    await expect(page.getByText('Profil enregistré')).toHaveCount(0)
    await page.getByLabel('Du', { exact: true }).fill('2999-01-01')
    await expect(page.getByText('Rien ne correspond à votre demande.')).toBeVisible()
    await isClean(page)
    await page.getByRole('button', { name: 'Tout afficher' }).click()
    await expect(lines.first()).toContainText('Profil enregistré')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Télécharger en CSV' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain('"Profil enregistré"')
    await expect(page.getByText('Les lignes sont téléchargées. Cela aussi est enregistré.')).toBeVisible()
  })

  test('H-20 H-43: the record of acts, and who is asked once more with a second factor', async ({ page }) => {
    const boss = await person(page, 'fr', 'admin-fr@example.org', 'Mazarin')
    const [code = ''] = await makeAdministrator(page, boss)
    await enter(page, boss)
    await page.goto(address('/fr/admin/acts/'))
    await expect(page.getByRole('heading', { level: 1, name: 'Registre des actes' })).toBeVisible()
    await page.getByRole('button', { name: 'Vérifier', exact: true }).click()
    await expect(page.getByText(/^La chaîne tient/)).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'registre.png')
    await page.getByLabel('À partir de la ligne').fill('zéro')
    await page.getByRole('button', { name: 'Vérifier', exact: true }).click()
    await expect(page.getByText('Le numéro d’une ligne, à partir de 1')).toBeVisible()
    await waitLong(boss)
    await page.goto(address('/fr/account/emails/'))
    await page.getByLabel('Adresse e-mail', { exact: true }).fill('autre@prove.example')
    await page.getByRole('button', { name: 'Ajouter l’adresse' }).click()
    await expect(dialog(page).getByRole('heading', { name: 'Est-ce bien vous' })).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'preuve.png')
    await dialog(page).getByLabel('Mot de passe', { exact: true }).fill(password)
    await dialog(page).getByRole('button', { name: 'Continuer' }).click()
    await expect(dialog(page).getByText('Veuillez saisir le code')).toBeVisible()
    await dialog(page).getByLabel('Code de votre application d’authentification').fill(code)
    await dialog(page).getByRole('button', { name: 'Continuer' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByText('autre@prove.example').first()).toBeVisible()
  })
})
