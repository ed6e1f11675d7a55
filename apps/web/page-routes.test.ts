import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { locales } from '../../kernel/locale.ts'
import { announcedPages, findPageRoute, pageRoutes } from './page-routes.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Record<string, string>

describe.each(locales)('in %s', (locale) => {
  const messages = Object.assign(
    {},
    ...['modules/site/messages/home.', 'modules/site/messages/', 'ui/messages/', 'ui/messages/pages.'].map((words) =>
      read(`${words}${locale}.json`),
    ),
  ) as Record<string, string>
  test.each(pageRoutes)('R-28: $pattern has its title, description and help', (page) => {
    expect(messages[page.title]).toBeTruthy()
    expect(messages[page.description]).toBeTruthy()
    if (page.help !== null) expect(existsSync(new URL(`content/${locale}/help/${page.help}.md`, root))).toBe(true)
  })
})

describe.each(locales)('in %s', (locale) => {
  const messages = Object.assign(
    {},
    ...['modules/site/messages/home.', 'modules/site/messages/', 'ui/messages/', 'ui/messages/pages.'].map((words) =>
      read(`${words}${locale}.json`),
    ),
  ) as Record<string, string>
  test('R-28: each page that may be listed has a title and a description of its own, of a length that is shown whole', () => {
    const listed = pageRoutes.filter(({ indexed }) => indexed)
    for (const name of ['title', 'description'] as const) {
      const said = listed.map((page) => messages[page[name]])
      expect(new Set(said).size).toBe(listed.length)
    }
    for (const { description } of listed) expect(messages[description]?.length).toBeLessThanOrEqual(160)
  })
})

test('R-09…R-12 R-16…R-19: both entries have the same pages', () => {
  const pages = ['', 'login/', 'registration/', 'forgot-password/', 'confirm-email/', 'confirm-email/k/', 'reset-password/u/t/']
  for (const page of pages) {
    expect(findPageRoute(`/authentication/${page}`)?.title).toMatch(/^ui\.page\./)
    expect(findPageRoute(`/old-authentication/${page}`)?.title).toBe(findPageRoute(`/authentication/${page}`)?.title)
  }
  expect(findPageRoute('/login/')?.title).toBe('ui.page.login')
})

test('R-13 R-26: a path finds its page, or none', () => {
  expect(findPageRoute('/')?.pattern).toBe('/')
  expect(findPageRoute('/capture/01932f6e/')?.pattern).toBe('/capture/:id/')
  expect(findPageRoute('/evidences/pending')?.pattern).toBe('/evidences/pending/')
  expect(findPageRoute('/account')?.pattern).toBe('/account/')
  expect(findPageRoute('/authentication/nowhere/')).toBeNull()
  expect(findPageRoute('/capture/')?.pattern).toBe('/capture/')
  expect(findPageRoute('/evidences/pending/more/')).toBeNull()
  expect(findPageRoute('/nowhere/')).toBeNull()
})

test('R-14: evidences and documents have a page for each of their lists, and none for what is no list', () => {
  for (const list of ['pending', 'completed', 'trash']) expect(findPageRoute(`/evidences/${list}/`, false)).not.toBeNull()
  expect(findPageRoute('/documents/pending/', false)).not.toBeNull()
  expect(findPageRoute('/evidences/nothing/', false)).toBeNull()
})

test('R-12: of money there are pages where something is paid for, and nowhere else', () => {
  const ofMoney = ['/account/subscription/', '/account/invoice/', '/account/payment-methods/', '/payment/return/', '/plans/']
  for (const path of [...ofMoney, '/account/invoice/01932f6e/']) {
    expect([path, findPageRoute(path, true)?.pattern === undefined]).toEqual([path, false])
    expect([path, findPageRoute(path, false)]).toEqual([path, null])
  }
  const announced = (paid: boolean) => announcedPages(paid).map(({ pattern }) => pattern)
  expect(announced(true)).toEqual(expect.arrayContaining(ofMoney))
  expect(announced(false).filter((pattern) => ofMoney.includes(pattern))).toEqual([])
  expect(announced(false)).toContain('/account/profile/')
})
