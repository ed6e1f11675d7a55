/** What others may spend in an owner’s name, in a real browser against the product where reports are paid for: set, undone, told to whom it holds. */
import { expect, type Page } from '@playwright/test'
import { enter, mailTo, person, send, type Someone } from './fixtures/accounts.ts'
import { completeProfile, test } from './fixtures/money.ts'
import { address, isClean, keepPicture, pressEnter } from './fixtures/pages.ts'

/** An owner with a group, a delegate and a key; and the member whom he invited. */
async function house(page: Page, locale: 'en' | 'fr'): Promise<{ owner: Someone; member: Someone; delegate: Someone }> {
  const owner = await person(page, locale, `owner-${locale}@example.org`, 'de Tréville')
  const member = await person(page, locale, `member-${locale}@example.org`)
  const delegate = await person(page, locale, `delegate-${locale}@example.org`)
  await completeProfile(page, owner)
  await send(page, 'post', '/groups/', { name: 'Mousquetaires' }, owner)
  await send(page, 'post', '/groups/current/invitations/', { email: member.email, role: 'member' }, owner)
  const token = /#?(?:token=)?([\w-]{40,})/.exec(/by-mail\/\S+/.exec(await mailTo(page, member.email, 2))?.[0] ?? '')?.[1]
  await send(page, 'post', '/group_invitations/accept/', { token }, member)
  const granted = { email: delegate.email, scope: 'create', expires_at: new Date(Date.now() + 9e9).toISOString() }
  await send(page, 'post', '/profiles/create_access_delegation/', granted, owner)
  await send(page, 'post', '/api_keys/', { name: 'Nightly backup', scopes: ['evidences:create'], days: 365 }, owner)
  return { owner, member, delegate }
}

test.describe('in English, 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

  test('P-09 H-23 a ceiling is set beside a member, undone, set again; the member sees what is left, and whom to ask', async ({
    page,
  }) => {
    const { owner, member } = await house(page, 'en')
    await enter(page, owner)
    await page.goto(address('/en/account/users/'))
    const ceiling = page.getByRole('group', { name: 'What Zoë d’Artagnan may spend' })
    await expect(ceiling).toContainText('spend nothing beyond it')
    await pressEnter(ceiling.getByRole('button', { name: 'Set a ceiling – Zoë d’Artagnan' }))
    const amount = ceiling.getByLabel('Euros a month, incl. VAT')
    await expect(amount).toBeFocused()
    await amount.fill('a lot')
    await amount.press('Enter')
    await expect(ceiling.getByRole('alert').first()).toHaveText('Enter an amount, from €0.01 to €1,000,000.')
    await isClean(page)
    await keepPicture(page, 'setting-en-360.png')
    await amount.fill('250,50')
    await amount.press('Enter')
    await expect(ceiling).toContainText('May spend €250.50 a month')
    await expect(ceiling).toContainText('€0.00 spent, €250.50 left')
    await isClean(page)
    await keepPicture(page, 'set-en-360.png')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(ceiling).toContainText('spend nothing beyond it')
    await page.goto(address('/en/account/api-keys/'))
    const key = page.getByRole('group', { name: 'What Nightly backup may spend' })
    await key.getByRole('button', { name: 'Set a ceiling – Nightly backup' }).click()
    await key.getByLabel('Euros a month, incl. VAT').fill('120')
    await key.getByRole('button', { name: 'Set the ceiling' }).click()
    await expect(key).toContainText('May spend €120.00 a month')
    await isClean(page)
    await keepPicture(page, 'key-en-360.png')

    await send(page, 'patch', `/purchases/limits/member/${member.id}/`, { ceiling_cents: 25_050 }, owner)
    await enter(page, member)
    await page.goto(address('/en/account/subscription/'))
    await expect(page.getByText('For a larger plan or a higher ceiling, ask Zoë de Tréville.')).toBeVisible()
    await expect(
      page.getByText('You may still spend €250.50 of €250.50 this month in the name of Zoë de Tréville.'),
    ).toBeVisible()
    await page.getByText('Take a plan of your own').click()
    await expect(page.getByRole('heading', { name: 'Change your plan' })).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'member-en-360.png')
    // Before he agrees to a price.
    await page.goto(address('/en/documents/pending/'))
    const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('All for one') }
    await page.getByRole('main').locator('input[type=file]').first().setInputFiles(file)
    await expect(page.getByText('Zoë de Tréville pays. You need do nothing for that.')).toBeVisible()
    await expect(page.getByText(/You may still spend €250\.50 of €250\.50 this month/)).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'agreeing-en-360.png')
  })
})

test.describe('in French, 1280 px, dark', () => {
  test.use({
    viewport: { width: 1280, height: 900 },
    locale: 'fr',
    colorScheme: 'dark',
    contextOptions: { reducedMotion: 'reduce' },
  })

  test('P-09 a ceiling is set beside a delegate, removed, and had back', async ({ page }) => {
    const { owner, delegate } = await house(page, 'fr')
    await enter(page, owner)
    await page.goto(address('/fr/account/delegations/'))
    const ceiling = page.getByRole('group', { name: `Dépenses autorisées : ${delegate.email}` })
    await ceiling.getByRole('button', { name: `Fixer un plafond – ${delegate.email}` }).click()
    await ceiling.getByLabel('Euros TTC par mois').fill('100')
    await isClean(page)
    await keepPicture(page, 'setting-fr-1280.png')
    await ceiling.getByRole('button', { name: 'Fixer le plafond' }).click()
    await expect(ceiling).toContainText(/Peut dépenser 100,00\s€ TTC par mois/)
    await isClean(page)
    await keepPicture(page, 'set-fr-1280.png')
    await page.goto(address('/fr/account/users/'))
    await expect(page.getByRole('group', { name: 'Dépenses autorisées : Zoë d’Artagnan' })).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'users-fr-1280.png')
    await page.goto(address('/fr/account/delegations/'))

    await ceiling.getByRole('button', { name: `Supprimer le plafond – ${delegate.email}` }).click()
    await expect(ceiling).toContainText('sans rien dépenser au-delà')
    await page.getByRole('button', { name: 'Annuler', exact: true }).click()
    await expect(ceiling).toContainText(/Peut dépenser 100,00\s€/)
  })
})
