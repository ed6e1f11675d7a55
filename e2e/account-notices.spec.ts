/** What an account does and what it cannot do are both told, in a real browser against the whole product. */
import { expect, type Page } from '@playwright/test'
import { codeOf, enter, mailTo, password, person } from './fixtures/accounts.ts'
import { address, test } from './fixtures/pages.ts'

const unreached = 'The server could not be reached. Check your connection and try again.'
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const press = async (page: Page, name: string) => await page.getByRole('button', { name, exact: true }).click()

/** Until `act` is over no such call reaches the server: changes are lost on their way, what is read is refused. */
async function without(page: Page, method: string, path: RegExp, act: () => Promise<void>): Promise<void> {
  const json = { code: 'http.forbidden', message: 'refused', fields: {}, data: {}, request_id: '' }
  const matching = ({ pathname }: URL) => path.test(pathname)
  await page.route(matching, async (route) => {
    if (route.request().method() !== method) await route.fallback()
    else if (method === 'GET') await route.fulfill({ status: 403, json })
    else await route.abort()
  })
  await act()
  await page.unroute(matching)
}

test.describe('in English, 1280 px', () => {
  test.use({ viewport: { width: 1280, height: 900 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('X-31 X-32 X-34 X-35: of registration, confirmation, sign-in and a forgotten password both success and failure are told', async ({
    page,
  }) => {
    const email = 'notices@example.org'
    await page.goto(address('/en/authentication/forgot-password/'))
    await page.getByLabel('Email address').fill(email)
    await without(page, 'POST', /\/password\/reset\/$/, async () => {
      await press(page, 'Send the link')
      await expect(alert(page, unreached)).toBeVisible()
    })
    await press(page, 'Send the link')
    await expect(notice(page, 'If notices@example.org belongs to an account, a link is on its way to it.')).toBeVisible()

    await page.goto(address('/en/authentication/registration/'))
    await page.getByLabel('First name', { exact: true }).fill('Zoë')
    await page.getByLabel('Last name', { exact: true }).fill('d’Artagnan')
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Password again').fill(password)
    await page.getByLabel('I accept the terms of use').check()
    await without(page, 'POST', /\/registration\/$/, async () => {
      await press(page, 'Create the account')
      await expect(alert(page, unreached)).toBeVisible()
    })
    await press(page, 'Create the account')
    await expect(page.getByText('A mail was sent to notices@example.org.')).toBeVisible()
    const code = codeOf(await mailTo(page, email, 1))
    await page.getByLabel('Six-digit code').fill(code === '123456' ? '654321' : '123456')
    await press(page, 'Confirm')
    await expect(alert(page, 'This link or code confirms nothing: it is wrong, was used, or has expired')).toBeVisible()

    // Confirmed in another window: here he signs in.
    await page.request.post(address('/rest-auth/registration/verify-email/'), { data: { email, code } })
    await page.goto(address('/en/authentication/login/'))
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('Wrong-horse 7')
    await press(page, 'Sign in')
    await expect(alert(page, 'Wrong email address or password')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press(page, 'Sign in')
    await expect(notice(page, 'Signed in as Zoë d’Artagnan.')).toBeVisible()

    await page.goto(address('/en/account/emails/'))
    const second = 'second.notices@example.org'
    await page.getByLabel('Email address', { exact: true }).fill(second)
    await press(page, 'Add the address')
    const mailed = codeOf(await mailTo(page, second, 1))
    const typed = page.getByLabel('Six-digit code')
    await typed.fill(mailed === '123456' ? '654321' : '123456')
    await press(page, 'Confirm')
    await expect(alert(page, 'This link or code confirms nothing')).toBeVisible()
    await typed.fill(mailed)
    await press(page, 'Confirm')
    await expect(notice(page, `${second} is confirmed.`)).toBeVisible()
  })

  test('X-22 X-29 X-33 X-36 X-37: of addresses, profile, password and the end of an account both success and failure are told', async ({
    page,
  }) => {
    const who = await person(page, 'en', 'told@example.org')
    await enter(page, who)
    const list = page.getByRole('main').getByRole('listitem').filter({ hasText: who.email })
    await without(page, 'GET', /^\/emails\/$/, async () => {
      await page.goto(address('/en/account/emails/'))
      await expect(alert(page, 'Your addresses could not be read.')).toBeVisible()
      await expect(list).toHaveCount(0)
    })
    await press(page, 'Try again')
    await expect(list).toBeVisible()

    await without(page, 'GET', /^\/profiles\/current\/$/, async () => {
      await page.goto(address('/en/account/profile/'))
      await expect(alert(page, 'Your profile could not be read.')).toBeVisible()
    })
    await press(page, 'Try again')
    const city = page.getByLabel('City', { exact: true })
    const state = (text: string) => page.getByRole('status').filter({ hasText: new RegExp(`^${text}$`) })
    await city.fill('Meung')
    await without(page, 'PATCH', /^\/profiles\//, async () => {
      await city.blur()
      await expect(state('Not saved')).toBeVisible()
      await expect(alert(page, unreached)).toBeVisible()
    })
    await city.fill('Meung-sur-Loire')
    await city.blur()
    await expect(state('Saved')).toBeVisible()

    await page.goto(address('/en/account/security/'))
    const change = async (old: string) => {
      await page.getByLabel('Current password', { exact: true }).fill(old)
      await page.getByLabel('New password', { exact: true }).fill('Another-horse 8')
      await page.getByLabel('Password again').fill('Another-horse 8')
      await press(page, 'Change the password')
    }
    await change('Wrong-horse 7')
    await expect(alert(page, 'Wrong password')).toBeVisible()
    await change(password)
    await expect(notice(page, 'Your password was changed; the other sessions were ended.')).toBeVisible()

    await page.goto(address('/en/account/delete/'))
    await page.getByLabel('Why are you leaving?').fill('I have what I came for')
    const close = async () => {
      await press(page, 'Delete my account')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click()
    }
    await without(page, 'POST', /\/delete\/$/, async () => {
      await close()
      await expect(alert(page, unreached)).toBeVisible()
      await expect(page.getByLabel('Why are you leaving?')).toHaveValue('I have what I came for')
    })
    await close()
    await expect(page.getByRole('heading', { name: 'Your account is closed' })).toBeVisible()
  })

  test('L-03 L-05 L-10 L-14 L-21 D-05 K-29…K-31 X-57: around each page its user, menu, help, progress and the link to refer others', async ({
    page,
    context,
  }) => {
    const who = await person(page, 'en', 'around@example.org')
    await enter(page, who)
    const origin = new URL(address('/')).origin
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    // L-21, K-29…K-31: as long as an answer is on its way, and no longer.
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/emails/?*', async (route) => {
      await asked
      await route.continue()
    })
    // L-14.
    const [current] = await Promise.all([
      page.waitForResponse((response) => new URL(response.url()).pathname === '/profiles/current/'),
      page.goto(address('/en/account/emails/')),
    ])
    const me = (await current.json()) as { id: string; referral_code: string }
    expect(me.id).toBe(who.id)
    await expect(page.getByRole('button', { name: 'Zoë d’Artagnan' })).toBeVisible()
    const bar = page.locator('[data-progress]')
    await expect(bar).toBeVisible()
    expect(
      await bar.evaluate((each: HTMLElement) => [each.getBoundingClientRect().top, each.offsetHeight, each.offsetWidth]),
    ).toEqual([0, 2, 1280])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(
      await bar.evaluate((each) =>
        each.getAnimations().map(({ effect }) => [effect?.getTiming().delay, effect?.getTiming().duration]),
      ),
    ).toEqual([
      [200, 1],
      [200, 5000],
    ])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    answer()
    await expect(page.getByRole('main').getByText(who.email)).toBeVisible()
    await expect(bar).toHaveCount(0)
    // A page that explains itself has no help; the others open theirs from the bar.
    const help = page.getByRole('banner').getByRole('button', { name: 'Help', exact: true })
    await expect(help).toHaveCount(0)
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    // The page is slow to come: it does not take the focus from who has asked for its help meanwhile.
    const hold = async (chunk: RegExp) => {
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      await page.route(chunk, async (route) => {
        await released
        await route.continue()
      })
      return release
    }
    const arrive = await hold(/\/EvidencesPage-[^/]*\.js$/)
    const explain = await hold(/\/HelpText-[^/]*\.js$/)
    await menu.getByRole('link', { name: 'Evidence', exact: true }).click()
    await expect(page).toHaveURL(address('/en/evidences/pending/'))
    await help.click()
    arrive()
    await expect(page.getByRole('heading', { level: 1, name: 'Evidence' })).toBeVisible()
    await expect(help).toBeFocused()
    explain()
    const dialog = page.getByRole('dialog', { name: /^Help: / })
    await expect(dialog.getByRole('listitem').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(help).toBeFocused()
    await press(page, 'Copy my referral link')
    await expect(notice(page, 'Referral link copied.')).toBeVisible()
    expect(me.referral_code).toMatch(/^\S{8}$/)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${origin}/en/authentication/registration/?referral=${me.referral_code}`,
    )
    await menu.getByRole('link', { name: 'User guide', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'User guide' })).toBeVisible()
  })
})
