/** Of money too, what is done and what cannot be done are both told: a real browser against the product where reports are paid for. */
import { expect, type Page } from '@playwright/test'
import { enter, person } from './fixtures/accounts.ts'
import { completeProfile, test } from './fixtures/money.ts'
import { cards } from './fixtures/paid-product.ts'
import { address, isClean } from './fixtures/pages.ts'

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
