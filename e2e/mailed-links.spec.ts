/** Where the links of mails about accounts lead, in a real browser against the whole product. */
import { expect } from '@playwright/test'
import { mailTo, password, person, send } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

/** Mails name the installation by its public address; here it is met at another. */
const linkOf = (mail: string): string => /^https?:\/\/[^\s/]+(\/\S*by-mail\/\S+)$/m.exec(mail)?.[1] ?? 'no link'

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
    await keepPicture(page, 'keep.png')
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
    await keepPicture(page, 'invitation.png')
    await page.locator('#content').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(guest.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Join the group' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'You are in the group Musketeers now.' })).toBeVisible()
    await isClean(page)
  })
})
