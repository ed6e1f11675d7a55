/** Where the links of mails about accounts lead, in a real browser against the whole product. */
import { expect, type Page } from '@playwright/test'
import { address, isClean, test } from './fixtures/pages.ts'

const password = 'Secret-pass1'
type Someone = { readonly id: string; readonly email: string; readonly token: string }

/** The newest mail to an address, once there are as many as wanted. */
async function mailTo(page: Page, email: string, count: number): Promise<string> {
  let path = ''
  await expect
    .poll(async () => {
      const list = await (await page.request.get(address('/dev/mail/'))).text()
      const found = [...list.matchAll(/<td>([^<]*)<\/td>\s*<td><a href="([^"]+)"/g)].filter(([, to]) => to === email)
      path = found[0]?.[2] ?? ''
      return found.length
    })
    .toBe(count)
  return await (await page.request.get(address(path))).text()
}

/** Mails name the installation by its public address; here it is met at another. */
const linkOf = (mail: string): string => /^https?:\/\/[^\s/]+(\/\S*by-mail\/\S+)$/m.exec(mail)?.[1] ?? 'no link'

async function send(page: Page, method: 'post' | 'patch', path: string, data: unknown, who?: Someone) {
  const headers = who === undefined ? {} : { authorization: `Bearer ${who.token}` }
  const answer = await page.request[method](address(path), { data, headers })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as Record<string, unknown>
}

async function person(page: Page, locale: string, email: string): Promise<Someone> {
  const registration = {
    email,
    password,
    password_confirmation: password,
    first_name: 'Zoë',
    last_name: 'd’Artagnan',
    terms: true,
    locale,
  }
  await send(page, 'post', '/rest-auth/registration/', registration)
  const code = /^\s+(\d{6})$/m.exec(await mailTo(page, email, 1))?.[1]
  await send(page, 'post', '/rest-auth/registration/verify-email/', { email, code })
  const { access_token: token, user } = await send(page, 'post', '/rest-auth/login/', { email, password })
  return { id: (user as { pk: string }).pk, email, token: String(token) }
}

test.describe('in French, 1280 px', () => {
  test.use({ viewport: { width: 1280, height: 800 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } })

  test('H-38 C-11 an account that was closed is kept at a press of the button, not by opening the link', async ({ page }) => {
    const who = await person(page, 'fr', 'garder@example.org')
    await send(page, 'post', '/profiles/current/delete/', { reason: 'Je pars' }, who)
    const link = linkOf(await mailTo(page, who.email, 2))
    await page.goto(address(link))
    const keep = page.getByRole('button', { name: 'Conserver mon compte' })
    await expect(keep).toBeVisible()
    await isClean(page)
    await page.screenshot({ path: test.info().outputPath('keep.png') })
    expect((await page.request.post(address('/rest-auth/login/'), { data: { email: who.email, password } })).status()).not.toBe(
      200,
    )
    await keep.click()
    await expect(page.getByRole('status')).toContainText('Votre compte est conservé')
    await send(page, 'post', '/rest-auth/login/', { email: who.email, password })
    await page.goto(address(link))
    await keep.click()
    await expect(page.getByRole('alert')).toContainText('Ce lien n’est plus valable')
  })
})

test.describe('in English, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('H-23 an invitation is read before signing in, and accepted after', async ({ page }) => {
    const owner = await person(page, 'en', 'owner@example.org')
    await send(page, 'patch', `/profiles/${owner.id}/`, { user_type: 'legal' }, owner)
    await send(page, 'post', '/groups/', { name: 'Musketeers' }, owner)
    const guest = await person(page, 'en', 'guest@example.org')
    await send(page, 'post', '/groups/current/invitations/', { email: guest.email, role: 'member' }, owner)
    await page.goto(address(linkOf(await mailTo(page, guest.email, 2))))
    await expect(page.getByText('Musketeers')).toBeVisible()
    await isClean(page)
    await page.screenshot({ path: test.info().outputPath('invitation.png') })
    await page.locator('#content').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(guest.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Join the group' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'You are in the group Musketeers now.' })).toBeVisible()
    await isClean(page)
  })
})
