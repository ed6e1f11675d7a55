/** Of money too, what is done and what cannot be done are both told: a real browser against the product where reports are paid for. */
import { expect, type Page } from '@playwright/test'
import { enter, person } from './fixtures/accounts.ts'
import { completeProfile, test } from './fixtures/money.ts'
import { cards } from './fixtures/paid-product.ts'
import { licenseOf, saleOf } from './fixtures/licence.ts'
import { address, isClean, keepPicture } from './fixtures/pages.ts'

const unreached = 'The server could not be reached. Check your connection and try again.'

/** Until `act` is over no such call reaches the server. */
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

test.use({ viewport: { width: 360, height: 800 }, locale: 'en', contextOptions: { reducedMotion: 'reduce' } })

test('T-06 H-42 X-20 X-46 X-52 X-53: of plans, invoices, a change of plan and a card both success and failure are told; the card goes to the provider alone', async ({
  page,
}) => {
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })
  const again = page.getByRole('button', { name: 'Try again' })
  await without(page, 'GET', /\/subscriptions\/plans\/$/, async () => {
    await page.goto(address('/en/plans/'))
    await expect(alert('The plans could not be read.')).toBeVisible()
  })
  await again.click()
  await expect(page.getByRole('heading', { name: 'Comfort' })).toBeVisible()
  await expect(alert('The plans could not be read.')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Write to support' })).toHaveAttribute('href', '/en/support/')

  const who = await person(page, 'en', 'money-notices@example.org')
  await completeProfile(page, who)
  await enter(page, who)
  await without(page, 'GET', /\/invoices\/$/, async () => {
    await page.goto(address('/en/account/invoice/'))
    await expect(alert('Your list could not be read.')).toBeVisible()
  })
  await again.click()
  await expect(page.getByRole('heading', { name: 'No invoice yet' })).toBeVisible()

  await page.goto(address('/en/account/subscription/'))
  await page.getByRole('radio', { name: /^Comfort/ }).check()
  const agree = page.getByRole('button', { name: 'Go on to pay €598.80' })
  await without(page, 'POST', /\/subscriptions\/$/, async () => {
    await agree.click()
    await expect(alert(unreached)).toBeVisible()
  })
  await again.click()
  await agree.click()
  const notice = page
    .getByRole('status')
    .filter({ hasText: 'Nothing is charged yet: pay the first invoice, and the plan begins.' })
  await expect(notice).toBeVisible()
  await isClean(page)

  const handed: string[] = []
  page.on('request', (request) => {
    if (`${request.url()} ${request.postData() ?? ''}`.includes(cards.accepted)) handed.push(request.url())
  })
  await page.getByLabel('Card number').pressSequentially(cards.accepted)
  await page.getByLabel('Expiry (MM/YY)').fill('1228')
  await page.getByLabel('Security code').fill('123')
  const pay = page.getByRole('button', { name: 'Pay €598.80' })
  await without(page, 'POST', /\/payments\/card_registration\/$/, async () => {
    await pay.click()
    await expect(alert(unreached)).toBeVisible()
  })
  // What was typed is there still.
  await expect(page.getByLabel('Security code')).toHaveValue('123')
  await pay.click()
  await expect(page.getByRole('heading', { name: 'Your plan: Comfort' })).toBeVisible()
  expect(handed.map((url) => new URL(url).pathname)).toEqual(['/webpayment/getToken'])
  expect(new URL(handed[0] ?? '').origin).not.toBe(new URL(address('/')).origin)
  await page.goto(address('/en/account/payment-methods/'))
  await expect(page.getByText(cards.accepted.slice(-4)).first()).toBeVisible()
})

test('X-55 X-56: of licences that are listed and asked for both success and failure are told, and what was typed stays', async ({
  page,
}) => {
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })
  const who = await person(page, 'en', 'licence-notices@example.org')
  await enter(page, who)
  await without(page, 'GET', /^\/licenses\/$/, async () => {
    await page.goto(address('/en/evidences/licenses/'))
    await expect(alert('Your list could not be read.')).toBeVisible()
    await isClean(page)
    await keepPicture(page, 'unlisted.png')
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No licence yet' })).toBeVisible()

  // A sale of somebody else, as the API tells of it; a whole one is bought in licence-sale.spec.ts.
  const token = 'A'.repeat(43)
  const id = '01932f6e-7c3a-7d1e-8f00-000000000955'
  let asked: unknown = null
  await page.route(`**/sales/${token}/`, (route) => route.fulfill({ json: saleOf(asked === null ? null : id) }))
  await page.route(`**/licenses/${id}/`, (route) => route.fulfill({ json: licenseOf(id, token, asked) }))
  await page.route('**/licenses/', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    asked = (route.request().postDataJSON() as { beneficiary: unknown }).beneficiary
    await route.fulfill({ status: 201, json: licenseOf(id, token, asked) })
  })
  await page.goto(address(`/en/sale/${token}/`))
  await page.getByLabel('First name of the beneficiary', { exact: true }).fill('Ada')
  await page.getByLabel('Last name of the beneficiary', { exact: true }).fill('Lovelace')
  await page.getByLabel('Email address of the beneficiary').fill('ada@example.org')
  await page.getByLabel(/I have read and accept the terms of the licence/).check()
  await page.getByLabel(/I want the package at once/).check()
  const next = page.getByRole('button', { name: 'Continue', exact: true })
  await without(page, 'POST', /^\/licenses\/$/, async () => {
    await next.click()
    await expect(alert('The licence could not be asked for.')).toContainText(unreached)
    await isClean(page)
    await keepPicture(page, 'not-asked.png')
  })
  await expect(page.getByLabel('Email address of the beneficiary')).toHaveValue('ada@example.org')
  await next.click()
  const notice = page.getByRole('status').filter({ hasText: 'The licence is asked for. Pay for it, and it is yours.' })
  await expect(notice).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pay for the licence' })).toBeVisible()
  await isClean(page)
  // What he has asked for is still his where it cannot be read.
  await without(page, 'GET', /\/licenses\/[0-9a-f-]+\/$/, async () => {
    await page.reload()
    await expect(alert('This could not be read')).toBeVisible()
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Pay for the licence' })).toBeVisible()
})
