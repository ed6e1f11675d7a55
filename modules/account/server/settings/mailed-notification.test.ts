import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { notificationKinds } from '../../domain/settings.ts'
import { openAccounts, type Accounts, type Answer } from '../account.test-data.ts'
import { notificationKey, readNotificationKey } from './notification-key.ts'
import { endingLinks, findNotified } from './notified-people.ts'

const database = withDatabase()
let accounts: Accounts
beforeAll(async () => {
  accounts = await openAccounts(database.db)
})
afterAll(async () => await accounts.close())

const secret = 's'.repeat(32)
const invalid = 'account.notification_link_invalid'

test('the link of a mail tells which kind it ends, ends it without signing in, and has it sent again', async () => {
  const claire = await accounts.person('n1@example.org')
  const withKind = (settings: Answer['body'], kind: string, on: boolean) => ({
    ...settings,
    notifications: { ...(settings['notifications'] as object), [kind]: on },
  })
  for (const kind of notificationKinds) {
    const kept = (await accounts.call('GET', '/settings/', claire)).body
    const key = notificationKey(secret, claire.id, kind)
    const before = (await accounts.call('POST', '/settings/by_mail/', null, { key })).body
    expect(before).toEqual({ kind, on: kind !== 'anchored' })
    for (const on of [false, false, true]) {
      expect((await accounts.call('PATCH', '/settings/by_mail/', null, { key, on })).body).toEqual({ kind, on })
      expect((await findNotified(database.db, claire.id, kind)) !== null).toBe(on)
      expect((await accounts.call('GET', '/settings/', claire)).body).toEqual(withKind(kept, kind, on))
    }
  }
  const changed = await database.db.selectFrom('act').select(['actor_id', 'data']).where('subject_id', '=', claire.id).execute()
  // One kind was off already: to end it again is no act.
  expect(changed).toHaveLength(notificationKinds.length * 2 - 1)
  expect(changed[0]).toEqual({ actor_id: null, data: { fields: 'notifications.report_ready', by: 'mail' } })
})

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
])('RFC 8058 a mail program ends them by one POST of %s', async (type, payload) => {
  const claire = await accounts.person(`n2.${String(payload.length)}@example.org`)
  const { oneClick } = endingLinks(
    { secret, publicUrl: 'https://probant.example' },
    { userId: claire.id, kind: 'draft_ending', locale: 'fr' },
  )
  const path = oneClick.replace('https://probant.example', '')
  const send = async (method: 'GET' | 'POST') =>
    await accounts.server.inject({ method, url: path, headers: { 'content-type': type }, payload })
  // What looks at links ahead of their reader changes nothing.
  expect((await send('GET')).statusCode).toBe(404)
  expect(await findNotified(database.db, claire.id, 'draft_ending')).not.toBeNull()
  expect((await send('POST')).json()).toEqual({ kind: 'draft_ending', on: false })
  expect(await findNotified(database.db, claire.id, 'draft_ending')).toBeNull()
  expect((await send('POST')).statusCode).toBe(200)
})

test('no other key opens anything: of another kind, another account, another installation, or an account that is erased', async () => {
  const claire = await accounts.person('n3@example.org')
  const paul = await accounts.person('n4@example.org')
  const key = notificationKey(secret, claire.id, 'anchored')
  const others = [
    key.replace('anchored', 'report_ready'),
    key.replace(claire.id, paul.id),
    notificationKey('t'.repeat(32), claire.id, 'anchored'),
    `${key}A`,
    key.slice(0, -1),
    key.toUpperCase(),
    `${key}\u0000`,
    'anchored..',
    '',
  ]
  for (const wrong of others) {
    expect(readNotificationKey(secret, wrong)).toBeNull()
    const { status, body } = await accounts.call('PATCH', '/settings/by_mail/', null, { key: wrong, on: false })
    // Nothing, and what no store keeps, is no key at all.
    const unread = wrong === '' || wrong.includes('\0')
    expect([status, body['code']]).toEqual(unread ? [400, 'http.invalid_request'] : [410, invalid])
  }
  const erased = { status: 'erased', erased_at: new Date(), first_name: '', last_name: '' }
  await database.db.updateTable('account_user').set(erased).where('id', '=', claire.id).execute()
  expect((await accounts.call('POST', '/settings/by_mail/', null, { key })).body['code']).toBe(invalid)
})
