/** Accounts as a user meets them, in a real browser against the whole product: mails are read where development keeps them. */
import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { generate } from 'otplib'
import { codeOf, isReadableMail, mailTo, password } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, openRowMenu, test } from './fixtures/pages.ts'

const words = {
  en: {
    signIn: 'Sign in',
    register: 'Create the account',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'Email address',
    password: 'Password',
    again: 'Password again',
    terms: 'I accept the terms of use',
    mailed: 'Six-digit code',
    confirm: 'Confirm',
    menu: /^Your account/,
    account: 'Account',
    signOut: 'Sign out',
    forgotten: 'Forgotten password',
    send: 'Send the link',
    newPassword: 'New password',
    save: 'Save the new password',
    saved: 'Your new password is saved. Sign in with it.',
    setUp: 'Set up a second factor',
    next: 'Continue',
    firstCode: 'Code shown by the application',
    turnOn: 'Turn it on',
    kept: 'I have kept them',
    factor: 'Code of your authenticator',
    evidence: 'Evidence',
    wrong: 'Wrong email address or password',
    acceptTerms: 'Please accept terms',
    first: 'Please enter your first name',
    emails: 'Email addresses',
    add: 'Add the address',
    resetSubject: 'Choose a new password',
  },
  fr: {
    signIn: 'Se connecter',
    register: 'Créer le compte',
    firstName: 'Prénom',
    lastName: 'Nom',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    again: 'Mot de passe, une seconde fois',
    terms: 'J’accepte les conditions d’utilisation',
    mailed: 'Code à six chiffres',
    confirm: 'Confirmer',
    menu: /^Votre compte/,
    account: 'Compte',
    signOut: 'Se déconnecter',
    forgotten: 'Mot de passe oublié',
    send: 'Envoyer le lien',
    newPassword: 'Nouveau mot de passe',
    save: 'Enregistrer le nouveau mot de passe',
    saved: 'Votre nouveau mot de passe est enregistré. Connectez-vous avec lui.',
    setUp: 'Mettre en place un second facteur',
    next: 'Continuer',
    firstCode: 'Code affiché par l’application',
    turnOn: 'Activer',
    kept: 'Je les ai conservés',
    factor: 'Code de votre application d’authentification',
    evidence: 'Preuves',
    wrong: '',
    acceptTerms: '',
    first: '',
    emails: 'Adresses e-mail',
    add: 'Ajouter l’adresse',
    resetSubject: '',
  },
} as const
type Locale = keyof typeof words

/** Mails name the installation by its public address; here it is met at another. */
const pathOf = (mail: string, part: string): string =>
  new RegExp(`https?://[^\\s/]+(/\\S*${part}\\S*/)`).exec(mail)?.[1] ?? 'no link'

async function fillRegistration(page: Page, locale: Locale, email: string): Promise<void> {
  const say = words[locale]
  await page.getByLabel(say.firstName, { exact: true }).fill('Zoë')
  await page.getByLabel(say.lastName, { exact: true }).fill('d’Artagnan')
  await page.getByLabel(say.email).fill(email)
  await page.getByLabel(say.password, { exact: true }).fill(password)
  await page.getByLabel(say.again).fill(password)
  await page.getByLabel(say.terms).check()
  await page.getByRole('button', { name: say.register }).click()
}

async function typeCode(page: Page, locale: Locale, email: string): Promise<void> {
  const code = codeOf(await mailTo(page, email, 1))
  await page.getByLabel(words[locale].mailed).fill(code)
  await page.getByRole('button', { name: words[locale].confirm, exact: true }).click()
}

async function register(page: Page, locale: Locale, email: string): Promise<void> {
  await page.goto(address(`/${locale}/authentication/registration/`))
  await fillRegistration(page, locale, email)
  await typeCode(page, locale, email)
  await page.waitForURL(`**/${locale}/evidences/pending/`)
}

/** The same by the calls alone. @returns a bearer token */
async function registerByCall(page: Page, email: string, names: { first_name: string; last_name: string }): Promise<string> {
  const post = async (path: string, data: object): Promise<unknown> => {
    const answer = await page.request.post(address(path), { data })
    expect(answer.ok()).toBe(true)
    return await answer.json()
  }
  await post('/rest-auth/registration/', {
    email,
    password,
    password_confirmation: password,
    ...names,
    terms: true,
    locale: 'en',
  })
  await post('/rest-auth/registration/verify-email/', { email, code: codeOf(await mailTo(page, email, 1)) })
  const answer = (await post('/rest-auth/login/', { email, password })) as { access_token: string }
  return answer.access_token
}

async function signOut(page: Page, locale: Locale): Promise<void> {
  await page.getByRole('button', { name: words[locale].menu }).click()
  await page.getByRole('button', { name: words[locale].signOut, exact: true }).click()
  await page.waitForURL(`**/${locale}/authentication/login/`)
}

async function signIn(page: Page, locale: Locale, email: string, secret: string): Promise<void> {
  const say = words[locale]
  await page.getByLabel(say.email).fill(email)
  await page.getByLabel(say.password, { exact: true }).fill(secret)
  await page.getByRole('button', { name: say.signIn }).click()
}

for (const [locale, width] of [
  ['en', 360],
  ['fr', 1280],
] as const) {
  test.describe(`in ${locale}, ${width} px, ${locale === 'en' ? 'dark' : 'light'}`, () => {
    const colorScheme = locale === 'en' ? 'dark' : 'light'
    test.use({ viewport: { width, height: 800 }, locale, colorScheme, contextOptions: { reducedMotion: 'reduce' } })
    const say = words[locale]

    test('C-01 C-03…C-06 R-20…R-24 S-01…S-03 L-11 L-12: register, sign out, choose a new password, return to the page asked for', async ({
      page,
    }) => {
      test.slow()
      const email = `zoe.${locale}@example.org`
      await page.goto(address(`/${locale}/`))
      await page.getByRole('link', { name: say.signIn }).click()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await isClean(page)
      // L-01: nothing but the panel.
      await expect(page.getByRole('banner')).toHaveCount(0)
      await page.goto(address(`/${locale}/authentication/registration/?referral=friend-1`))
      await expect(page.locator('[name=referral_code]')).toHaveValue('friend-1')
      await page.locator('[name=referral_code]').fill('')
      // Nothing is sent before the rules are met; the first field at fault has the focus, and what was typed stays.
      await page.getByLabel(say.email).fill('zoe@')
      await page.getByRole('button', { name: say.register }).click()
      await expect(page.getByLabel(say.firstName, { exact: true })).toBeFocused()
      await expect(page.locator('[name=terms]')).toHaveAttribute('aria-invalid', 'true')
      if (locale === 'en') await expect(page.getByText(say.acceptTerms)).toBeVisible()
      await expect(page.getByLabel(say.email)).toHaveValue('zoe@')
      await isClean(page)
      // V-09, X-07: what only the server knows is told beside the field, once.
      await fillRegistration(page, locale, 'zoe@mailinator.com')
      await expect(page.getByLabel(say.email)).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByLabel(say.email)).toBeFocused()
      if (locale === 'en') await expect(page.getByText('Disposable emails are not allowed')).toHaveCount(1)
      await fillRegistration(page, locale, email)
      await expect(page.getByLabel(say.mailed)).toBeFocused()
      await isClean(page)
      await isReadableMail(page, email, locale)
      expect(await mailTo(page, email, 1)).toMatch(/Probant.*UTC \((?:\d\d:\d\d in|\d\d\sh\s\d\d à) Paris\).*Probant \([^)]+\)/s)
      await typeCode(page, locale, email)
      await page.waitForURL(`**/${locale}/evidences/pending/`)
      await expect(page.getByRole('heading', { level: 1, name: say.evidence })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Zoë d’Artagnan' })).toBeVisible()
      await isClean(page)
      // S-03: without remember-me nothing outlives the session of the browser.
      expect(await page.evaluate(() => [sessionStorage.length > 0, localStorage.getItem('probant.session')])).toEqual([
        true,
        null,
      ])
      //
      await page.goto(address(`/${locale}/authentication/login/`))
      await expect(page).toHaveURL(address(`/${locale}/`))
      await signOut(page, locale)
      // S-02.
      expect(await page.evaluate(() => sessionStorage.getItem('probant.session'))).toBeNull()

      await page.getByRole('link', { name: say.forgotten }).click()
      await page.getByLabel(say.email).fill(email)
      await isClean(page)
      await page.getByRole('button', { name: say.send }).click()
      const link = pathOf(await mailTo(page, email, 2), 'reset-password')
      await page.goto(address(link))
      const chosen = 'Autre-mot2'
      await page.getByLabel(say.newPassword).fill(chosen)
      await page.getByLabel(say.again).fill(chosen)
      await isClean(page)
      await page.getByRole('button', { name: say.save }).click()
      await expect(page.getByText(say.saved)).toBeVisible()

      // asked for, sent to sign in, and back.
      await page.goto(address(`/${locale}/account/emails/`))
      await page.waitForURL(`**/${locale}/authentication/login/?redirect=*`)
      await signIn(page, locale, email, password)
      await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
      await expect(page.getByLabel(say.email)).toHaveValue(email)
      await signIn(page, locale, email, chosen)
      await page.waitForURL(`**/${locale}/account/emails/`)
      await expect(page.getByRole('main').getByText(email)).toBeVisible()
      await isClean(page)

      // C-19…C-22: another address, confirmed by its code.
      const second = `second.${locale}@example.org`
      await page.getByLabel(say.email).fill(second)
      await page.getByRole('button', { name: say.add }).click()
      await expect(page.getByLabel(say.mailed)).toBeVisible()
      await isClean(page)
      await typeCode(page, locale, second)
      await expect(page.getByLabel(say.mailed)).toHaveCount(0)
    })
  })
}

test('a second factor: set up by a real authenticator, asked for at sign-in', async ({ page }) => {
  const say = words.en
  const email = `factor-${randomUUID()}@example.org`
  // The menu is there before the page: opened meanwhile, it stays open when the page comes.
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  await page.route('**/assets/EvidencesPage-*.js', async (route) => {
    await opened
    await route.continue()
  })
  await register(page, 'en', email)
  await page.getByRole('button', { name: say.menu }).click()
  const account = page.getByRole('link', { name: say.account, exact: true })
  await expect(account).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: say.evidence })).toHaveCount(0)
  open()
  await expect(page.getByRole('heading', { level: 1, name: say.evidence })).toBeVisible()
  await account.click()
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await page.getByRole('button', { name: say.setUp }).click()
  await page.getByLabel(say.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: say.next }).click()
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
  const secret = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '')
  await isClean(page)
  await page.getByLabel(say.firstCode).fill(await generate({ secret }))
  await page.getByRole('button', { name: say.turnOn }).click()
  const codes = page.getByRole('group', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = (await codes.first().textContent()) ?? ''
  await isClean(page)
  await page.getByRole('button', { name: say.kept }).click()
  await signOut(page, 'en')
  await signIn(page, 'en', email, password)
  await page.getByLabel(say.factor).fill('000000x')
  await page.getByRole('button', { name: say.signIn }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'not right' })).toBeVisible()
  await isClean(page)
  // A code counts once, and the one of this half minute may be the one that set it up: a recovery code is as good.
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(page.getByLabel('Recovery code', { exact: true })).toBeFocused()
  await isClean(page)
  await page.keyboard.type(recovery)
  await page.getByRole('button', { name: say.signIn }).click()
  await page.waitForURL('**/en/evidences/pending/')
  await page.goto(address('/en/account/security/'))
  await expect(page.getByText('with second factor')).toBeVisible()
  await isClean(page)
})

test('R-10 S-43…S-45: the link shows whose address it is, and confirms at a press of the button alone; the owner may disown it', async ({
  page,
}) => {
  const confirm = async (email: string, on: Page) => {
    await page.goto(address('/en/authentication/registration/'))
    await fillRegistration(page, 'en', email)
    await expect(page.getByLabel(words.en.mailed)).toBeVisible()
    const link = pathOf(await mailTo(page, email, 1), 'confirm-email')
    await on.goto(address(link))
    await expect(on.locator('[data-confirmation=pending]')).toContainText(email)
    return link
  }
  const tab = await page.context().newPage()
  const link = await confirm('link@example.org', tab)
  await isClean(tab)
  await tab.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(tab.locator('[data-confirmation=confirmed]')).toBeVisible()
  // Confirming signs nobody in: a link may be anybody's. Where the password was typed, it does; here it is all that is left to be typed.
  expect(await tab.evaluate(() => sessionStorage.getItem('probant.session'))).toBeNull()
  await page.waitForURL('**/en/evidences/pending/')
  await expect(tab.getByLabel(words.en.password, { exact: true })).toBeFocused()
  await expect(tab.getByLabel(words.en.email)).toHaveValue('link@example.org')
  await isClean(tab)
  await keepPicture(tab, 'confirmed.png')
  await tab.keyboard.type(password)
  await tab.keyboard.press('Enter')
  await tab.waitForURL('**/en/evidences/pending/')
  await tab.close()
  await signOut(page, 'en')
  await page.goto(address('/en/authentication/confirm-email/no-such-key/'))
  await expect(page.locator('[data-confirmation=failed]')).toBeVisible()
  await isClean(page)
  expect(link).not.toBe(await confirm('stranger@example.org', page))
  await page.getByRole('button', { name: 'It was not me' }).click()
  await expect(page.getByText('Thank you. The address was removed')).toBeVisible()
})

test('H-13 H-26 D-04 C-26 C-31 X-27: what is asked for without an account goes to the account; a session that is over is taken up where one is', async ({
  page,
}) => {
  test.slow()
  const email = 'draft@example.org'
  await page.goto(address('/en/'))
  await page.getByLabel('Address of the page').fill(`${process.env['PROBANT_E2E_SITE'] ?? ''}/page`)
  await page.getByRole('button', { name: 'Capture this page' }).click()
  await page.getByRole('button', { name: 'Save to an account' }).click({ timeout: 120_000 })
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await isClean(page)
  await dialog.getByRole('button', { name: 'Create an account' }).click()
  // what fails is told, and what was typed stays.
  await page.route('**/user_registration/', (route) => route.abort())
  await fillRegistration(page, 'en', email)
  await expect(dialog.getByRole('alert').filter({ hasText: 'The server could not be reached.' })).toBeVisible()
  await page.unroute('**/user_registration/')
  await dialog.getByRole('button', { name: words.en.register }).click()
  await typeCode(page, 'en', email)
  await expect(page.getByText('What you asked for in this browser is now in your account.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('probant.held'))).toBe('[]')
  // The account opens it, and no key of this browser.
  await expect(page.getByRole('button', { name: 'Agree and get the report' })).toBeVisible()
  await page.goto(address('/en/evidences/pending/'))
  await expect(page.getByRole('listitem').filter({ hasText: 'A page to capture' })).toBeVisible()
  await isClean(page)
  // Ended elsewhere: asked for where he is, and what was asked goes on.
  const token = await page.evaluate(
    () => (JSON.parse(sessionStorage.getItem('probant.session') ?? '{}') as { token: string }).token,
  )
  await page.request.post(address('/rest-auth/logout/'), { headers: { authorization: `Bearer ${token}` } })
  await openRowMenu(page, '')
  await page.getByRole('button', { name: /^Delete – / }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog.getByText('Your session is over.', { exact: false })).toBeVisible()
  await signIn(page, 'en', email, password)
  await expect(page.getByText('The draft was deleted.', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Trash' }).click()
  // A draft that was thrown away has no way back, and none is offered.
  await expect(page.getByRole('listitem').filter({ hasText: 'Rejected' })).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await isClean(page)
})

test('R-16…R-19 L-06 L-07 H-22: by the partner’s door the same pages, and no referral button', async ({ page }) => {
  const email = 'partner@example.org'
  for (const path of [
    '/login/',
    '/old-authentication/',
    '/old-authentication/registration/',
    '/old-authentication/reset-password/',
  ]) {
    await page.goto(address(`/fr${path}`))
    await expect(page.locator('[data-brand]').getByRole('heading', { level: 1 })).toBeVisible()
    await isClean(page)
  }
  await register(page, 'en', email)
  await expect(page.getByRole('button', { name: 'Copy my referral link' })).toBeVisible()
  // H-22: an account that somebody else opened to him, and his own again.
  const token = await registerByCall(page, 'grantor@example.org', { first_name: 'Anne', last_name: 'Grantor' })
  const granted = await page.request.post(address('/profiles/create_access_delegation/'), {
    headers: { authorization: `Bearer ${token}` },
    data: { email, scope: 'read', expires_at: new Date(Date.now() + 86_400_000).toISOString() },
  })
  expect(granted.status()).toBe(201)
  await page.getByRole('button', { name: words.en.menu }).click()
  await page.getByRole('button', { name: 'Act for Anne Grantor' }).click()
  await expect(page.getByRole('button', { name: 'Zoë d’Artagnan for Anne Grantor' })).toBeVisible()
  await page.getByRole('button', { name: words.en.menu }).click()
  await isClean(page)
  await page.getByRole('button', { name: 'Back to my own account' }).click()
  await expect(page.getByRole('button', { name: /– Zoë d’Artagnan$/ })).toBeVisible()
  await signOut(page, 'en')
  await page.goto(address('/en/login/'))
  await signIn(page, 'en', email, password)
  await page.waitForURL('**/en/evidences/pending/')
  await expect(page.getByRole('button', { name: 'Zoë d’Artagnan' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy my referral link' })).toHaveCount(0)
})
