import { cards, expect, test } from './fixtures/paid-product.ts'

/** What a script of the page hears when it sends a card somewhere. */
async function send(address: string, number: string): Promise<string> {
  try {
    const answer = await fetch(address, {
      method: 'POST',
      body: new URLSearchParams({ accessKeyRef: 'none', cardNumber: number }),
    })
    return await answer.text()
  } catch (error) {
    return error instanceof Error ? error.name : ''
  }
}

test('C-53 H-42 without a provider payments are test payments, and pages may hand a card to the simulator and to nobody else', async ({
  page,
  paid,
}) => {
  // The simulator is that of other journeys, too.
  const calls = async () => (await paid.control<string[]>('GET calls')).filter((call) => call.startsWith('POST '))
  const before = await calls()
  const plans = await fetch(`${paid.origin}/subscriptions/plans/`)
  expect(await plans.json()).toMatchObject({ test: true })
  const answer = await page.goto('/en/')
  const policy = answer?.headers()['content-security-policy'] ?? ''
  const [, simulator = ''] = /connect-src 'self' (\S+);/.exec(policy) ?? []
  expect(simulator).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const sent = await page.evaluate(
    `(${String(send)})(${JSON.stringify(`${simulator}/webpayment/getToken`)}, '${cards.accepted}')`,
  )
  expect(sent).toBe('errorCode=09101')
  const elsewhere = await page.evaluate(`(${String(send)})('${paid.site}/', '${cards.accepted}')`)
  expect(elsewhere).toBe('TypeError')
  expect(await calls()).toEqual(before)
})
