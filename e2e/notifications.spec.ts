/** What the settings of an account do: to captures, to files that do not stay, and to the mails about reports. */
import { expect } from '@playwright/test'
import { enter, mailTo, person, send } from './fixtures/accounts.ts'
import { address, isClean, keepPicture, test } from './fixtures/pages.ts'

const site = (): string => process.env['PROBANT_E2E_SITE'] ?? ''

test.describe('in English, 1280 px', () => {
  test.use({ viewport: { width: 1280, height: 900 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('S-42 E-24 a page is captured again without its banner at one press; its owner is told that the report is ready, and ends such mails by their link', async ({
    page,
  }) => {
    // Two captures and a report, whatever else the machine does.
    test.setTimeout(420_000)
    const who = await person(page, 'en', 'report-ready@example.org')
    await enter(page, who)
    await page.goto(address('/en/'))
    await page.getByLabel('Address of the page').fill(`${site()}/banner`)
    await page.locator('summary').click()
    const stored = page.getByRole('switch', { name: 'Store the report here' })
    await stored.uncheck()
    await page.getByRole('button', { name: 'Capture this page' }).click()
    const again = page.getByRole('button', { name: 'Try again with this option' })
    await expect(again).toBeVisible({ timeout: 120_000 })
    await isClean(page)
    await keepPicture(page, 'advice.png')
    const before = page.url()
    await again.click()
    await expect.poll(() => page.url()).not.toBe(before)
    const agree = page.getByRole('button', { name: 'Agree and get the report' })
    await expect(agree).toBeVisible({ timeout: 120_000 })
    await expect(again).toHaveCount(0)
    const id = /capture\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
    expect(await send(page, 'get', `/evidences/${id}/`, undefined, who)).toMatchObject({
      store: false,
      options: { close_cookies: true },
    })
    await agree.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your package is ready' })).toBeVisible({ timeout: 120_000 })

    await expect(page.getByText(/^The files of this report are deleted on/)).toBeVisible()
    await page.getByRole('button', { name: 'Store them' }).click()
    await expect(page.getByText('The files of this report are stored here, with no end set.')).toBeVisible()
    await page.getByRole('status').filter({ hasText: 'The files stay.' }).getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText(/^The files of this report are deleted on/)).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'report.png')

    const mail = await mailTo(page, who.email, 2)
    expect(mail).toContain('Your report is ready')
    const link = /(\/en\/by-mail\/notifications\/\?key=[\w.-]+)/.exec(mail)?.[1] ?? 'no link'
    await page.goto(address(link))
    await expect(page.getByText('You receive the messages “A report is ready”.')).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'by-mail.png')
    await page.getByRole('button', { name: 'End these messages' }).click()
    await expect(page.getByText('You no longer receive the messages “A report is ready”.')).toBeVisible()
    expect(await send(page, 'get', '/settings/', undefined, who)).toMatchObject({ notifications: { report_ready: false } })
    await page.getByRole('button', { name: 'Send them again' }).click()
    await expect(page.getByText('You receive the messages “A report is ready”.')).toBeVisible()
  })
})

test.describe('in French, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'fr', contextOptions: { reducedMotion: 'reduce' } })

  test('X-51 E-55 each setting is saved as it is chosen and can be undone; what cannot be saved is shown as it is', async ({
    page,
  }) => {
    const who = await person(page, 'fr', 'avise@example.org')
    await enter(page, who)
    await page.goto(address('/fr/account/settings/'))
    const kept = async () => (await send(page, 'get', '/settings/', undefined, who))['notifications'] as Record<string, boolean>
    const anchored = page.getByLabel('Un rapport est ancré')
    await expect(anchored).not.toBeChecked()
    await expect(page.getByText('aucune autorité de temps extérieure à la plateforme n’est installée ici')).toBeVisible()
    await anchored.check()
    const notice = page.getByRole('status').filter({ hasText: 'Réglages mis à jour.' })
    await expect(notice).toBeVisible()
    expect(await kept()).toMatchObject({ anchored: true, report_ready: true })
    // Half under a notice that passes, a box would be taken for a small one.
    await page.evaluate(() => scrollTo(0, 0))
    await isClean(page)
    await keepPicture(page, 'settings.png')
    await notice.getByRole('button', { name: 'Annuler' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Annulé' })).toBeVisible()
    await expect(anchored).not.toBeChecked()
    expect(await kept()).toMatchObject({ anchored: false, report_ready: true })

    await page.route('**/settings/', async (route) =>
      route.request().method() === 'PATCH' ? await route.abort() : await route.fallback(),
    )
    const ready = page.getByLabel('Un rapport est prêt')
    await ready.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Les réglages n’ont pas pu être mis à jour.' })).toBeVisible()
    await expect(ready).toBeChecked()
    expect(await kept()).toMatchObject({ report_ready: true })

    await page.goto(address('/fr/by-mail/notifications/?key=of-nobody'))
    await expect(page.getByRole('alert')).toContainText('Ce lien ne met fin à aucun message')
    await isClean(page)
  })
})
