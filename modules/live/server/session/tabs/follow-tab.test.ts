import { expect, test } from 'vitest'
import { playedTab } from '../input/played-tab.test-data.ts'

const crashedTwice = (page: ReturnType<typeof playedTab>, between: () => void = () => undefined) => {
  page.tell('Inspector.targetCrashed', {})
  between()
  page.tellByBrowser('Target.targetCrashed', { status: 'crashed' })
}

test('C-36: a crash that is told of twice is one, also when the next page is there in between', async () => {
  const page = playedTab()
  const ended = page.tab.untilCrashed()
  page.navigated('https://x.test/')
  page.tab.endedToLeave = true
  crashedTwice(page, () => page.navigated('https://x.test/next'))
  await ended
  expect([page.crashes, page.tab.crashed]).toEqual([['crashed'], null])
  crashedTwice(page)
  expect(page.crashes).toHaveLength(2)
  expect(page.tab.crashed).toBe('crashed')
})

test('C-30: nothing listens any more to what the browser tells of a tab that is closed', () => {
  const page = playedTab()
  expect(page.browserListeners()).toBeGreaterThan(0)
  page.tellByBrowser('Target.targetDestroyed', {})
  expect(page.browserListeners()).toBe(0)
})

test.each([
  ['https://x.test/', 'secure', '', 'secure'],
  // As with an image that came without TLS.
  ['https://x.test/', 'neutral', '', 'weak'],
  ['https://x.test/', 'insecure', '', 'weak'],
  ['https://x.test/', 'unknown', '', 'none'],
  ['https://x.test/', 'insecure', 'net::ERR_CERT_DATE_INVALID', 'certificate_error'],
  ['http://x.test/', 'neutral', '', 'plain'],
])('C-32: %s that the browser calls %s (%s) is shown as %s', (url, securityState, certificateNetworkError, shown) => {
  const page = playedTab()
  page.navigated(url)
  page.tell('Security.visibleSecurityStateChanged', {
    visibleSecurityState: { securityState, certificateSecurityState: { certificateNetworkError } },
  })
  expect(page.tab.security).toBe(shown)
})
