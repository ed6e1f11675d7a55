import { expect, test } from 'vitest'
import { playedTab } from './played-tab.test-data.ts'

test('C-32: an address that became a file leads to no later page', async () => {
  const page = playedTab({ 'Page.navigate': () => Promise.resolve({ isDownload: true, errorText: 'net::ERR_ABORTED' }) })
  await page.steering.navigate('https://x.test/file.zip')
  page.clicked()
  page.navigated('https://x.test/next')
  expect(page.causes).toEqual([['link', false]])
})

test('C-32: what a script writes into the address is the script’s, also while the visitor waits for another page', async () => {
  const page = playedTab()
  await page.steering.navigate('https://x.test/next')
  page.within('historyApi')
  page.navigated('https://x.test/next')
  expect(page.causes).toEqual([
    ['script', true],
    ['address', false],
  ])
})

test('C-32: the buttons of a mouse that go back and forward are said to have done so', async () => {
  const page = playedTab()
  for (const kind of ['down', 'up'] as const)
    await page.steering.act({ type: 'pointer', kind, x: 1, y: 1, button: 3, dx: 0, dy: 0 })
  page.within('other')
  expect(page.sent.filter((method) => method === 'Page.navigateToHistoryEntry')).toHaveLength(1)
  expect(page.causes).toEqual([['back', true]])
})
