import { expect, test } from 'vitest'
import { guardPage, isForRoles, UnknownMiddleware } from './guard-page.ts'
import { announcedPages, findPageRoute, pageRoutes, type PageGuard } from './page-routes.ts'

test.each([
  ['/', 'enter', 'enter'],
  ['/evidences/pending/', 'enter', 'enter'],
  ['/evidences/trash/', 'to_login', 'enter'],
  ['/capture/01932f6e/', 'enter', 'enter'],
  ['/authentication/login/', 'enter', 'to_root'],
  ['/login/', 'enter', 'to_root'],
  ['/old-authentication/registration/', 'enter', 'to_root'],
  ['/authentication/confirm-email/key/', 'enter', 'enter'],
  ['/authentication/reset-password/uid/token/', 'enter', 'enter'],
  ['/account/', 'to_login', 'enter'],
  ['/account/emails/', 'to_login', 'enter'],
  ['/nowhere/', 'enter', 'enter'],
])('R-20 R-22 R-23 R-24: %s, for a visitor %s, for a user %s', (path, guest, signedIn) => {
  expect(guardPage(findPageRoute(path), false)).toBe(guest)
  expect(guardPage(findPageRoute(path), true)).toBe(signedIn)
})

test.each(['staff', 'administrator'] as const)(
  'H-20: to a visitor a page of %s does not exist, of a user his roles are asked',
  (guard) => {
    expect(guardPage({ guard }, false)).toBe('not_found')
    expect(guardPage({ guard }, true)).toBe('ask_roles')
    expect(isForRoles({ guard }, [])).toBe(false)
    expect(isForRoles({ guard }, ['support', 'verifier'])).toBe(guard === 'staff')
    expect(isForRoles({ guard }, ['administrator'])).toBe(true)
  },
)

test('H-20: the server announces no page of staff', () => {
  const announced = announcedPages(true).map(({ pattern }) => pattern)
  expect(announced).toContain('/account/identity/')
  expect(announced.filter((pattern) => pattern.includes('admin'))).toEqual([])
  expect(pageRoutes.map(({ pattern }) => pattern)).toContain('/admin/users/')
})

test('R-29 X-18: an unknown guard is a 500 in the specification’s words', () => {
  for (const guard of ['members', 'toString'])
    expect(() => guardPage({ guard: guard as PageGuard }, true)).toThrow(new UnknownMiddleware())
  expect(new UnknownMiddleware()).toMatchObject({ statusCode: 500, message: 'Unknown middleware' })
})
