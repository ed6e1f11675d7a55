import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { openAccounts, type Accounts, type Someone } from '../account.test-data.ts'

const database = withDatabase()
let accounts: Accounts

beforeAll(async () => {
  accounts = await openAccounts(database.db)
})
afterAll(async () => {
  await accounts.close()
})

const path = '/profiles/create_access_delegation/'
const codeOf = (answer: { status: number; body: Record<string, unknown> }) => [answer.status, answer.body['code']]
const inDays = (days: number) => new Date(accounts.now().getTime() + days * 86_400_000).toISOString()

async function grant(by: Someone, email: string, scope = 'read', expires_at = inDays(30)) {
  return await accounts.call('POST', path, by, { email, scope, expires_at })
}

describe('C-12 H-22 access for somebody else', () => {
  test('the delegate acts in the account as far as his scope goes, and every act says for whom', async () => {
    const greta = await accounts.person('greta@example.org', ['Greta', 'Grantor'])
    const dan = await accounts.person('dan@example.org', ['Dan', 'Delegate'])
    const { status, body } = await grant(greta, 'Dan@example.org', 'read')
    expect(status).toBe(201)
    expect(body).toMatchObject({ direction: 'granted', email: 'Dan@example.org', scope: 'read' })
    const id = String(body['id'])
    const mails = await accounts.work()
    expect(mails.map(({ to }) => to)).toEqual(['Dan@example.org', 'greta@example.org'])
    expect(mails[0]?.text).toContain('Greta Grantor')

    const current = await accounts.call('GET', '/profiles/current/', dan, undefined, id)
    expect(current.body).toMatchObject({
      id: greta.id,
      first_name: 'Greta',
      roles: [],
      acting: { delegation_id: id, scope: 'read', user: { id: dan.id, name: 'Dan Delegate' } },
    })
    // What is private is for whoever manages the account.
    await accounts.call('PATCH', `/profiles/${greta.id}/`, greta, { birth_date: '1980-02-29', mobile_phone: '+33612345678' })
    const bank = { type: 'IBAN', iban: 'DE89370400440532013000', owner_name: 'D', owner_address: 'D' }
    await accounts.call('PATCH', `/profiles/${greta.id}/bank_account/`, greta, bank)
    await accounts.work()
    const seen = async (delegation: string) => {
      const { body: shown } = await accounts.call('GET', '/profiles/current/', dan, undefined, delegation)
      return [shown['birth_date'], shown['mobile_phone'], shown['bank_account'] !== null]
    }
    expect(await seen(id)).toEqual([null, null, false])

    const save = async (delegation: string) =>
      await accounts.call('PATCH', `/profiles/${greta.id}/`, dan, { city: 'Lyon' }, delegation)
    expect(codeOf(await save(id))).toEqual([403, 'http.not_delegated'])
    expect((await accounts.call('DELETE', `/access_delegations/${id}/`, dan)).status).toBe(200)
    expect((await accounts.work()).map(({ to }) => to)).toEqual(['Dan@example.org', 'greta@example.org'])

    const managed = String((await grant(greta, 'dan@example.org', 'manage')).body['id'])
    expect((await save(managed)).body['city']).toBe('Lyon')
    expect((await accounts.acts(dan.id)).at(-1)).toEqual({
      action: 'account.saved_profile',
      for: greta.id,
      data: { fields: 'city' },
    })
    // What touches the security of the account is its owner's alone, whatever the scope.
    expect(await seen(managed)).toEqual(['1980-02-29', '+33612345678', false])
    const forbidden = [
      await accounts.call('PATCH', `/profiles/${greta.id}/bank_account/`, dan, bank, managed),
      await accounts.call('POST', '/profiles/current/delete/', dan, { reason: 'x' }, managed),
      await accounts.call('GET', '/profiles/current/export/', dan, undefined, managed),
      await accounts.call('POST', path, dan, { email: 'x@example.org', scope: 'read', expires_at: inDays(1) }, managed),
      await accounts.call('GET', '/access_delegations/', dan, undefined, managed),
      await accounts.call('POST', '/groups/', dan, { name: 'G' }, managed),
    ]
    for (const answer of forbidden) expect(codeOf(answer)).toEqual([403, 'http.not_delegated'])
    await accounts.work()
  })

  test('ends at once when it is ended, on time when it expires, and with the account that it opens', async () => {
    const greta = await accounts.person('g2@example.org')
    const dan = await accounts.person('d2@example.org')
    const enter = async (id: string) => codeOf(await accounts.call('GET', '/profiles/current/', dan, undefined, id))
    const ended = String((await grant(greta, dan.email)).body['id'])
    expect((await enter(ended))[0]).toBe(200)
    expect((await accounts.call('DELETE', `/access_delegations/${ended}/`, greta)).status).toBe(200)
    expect(await enter(ended)).toEqual([403, 'http.delegation_ended'])

    const timed = String((await grant(greta, dan.email, 'read', inDays(1))).body['id'])
    expect((await enter(timed))[0]).toBe(200)
    accounts.later(24)
    expect(await enter(timed)).toEqual([403, 'http.delegation_ended'])
    expect((await accounts.call('GET', '/access_delegations/', greta)).body['count']).toBe(0)

    const closed = String((await grant(greta, dan.email)).body['id'])
    expect((await accounts.call('POST', '/profiles/current/delete/', greta, { reason: 'x' })).status).toBe(200)
    expect(await enter(closed)).toEqual([403, 'http.delegation_ended'])
    expect((await enter('nothing'))[1]).toBe('http.delegation_ended')
    await accounts.work()
  })

  test('is the delegate’s alone', async () => {
    const greta = await accounts.person('g3@example.org')
    const dan = await accounts.person('d3@example.org')
    const eve = await accounts.person('e3@example.org')
    const id = String((await grant(greta, dan.email, 'manage')).body['id'])
    expect(codeOf(await accounts.call('GET', '/profiles/current/', eve, undefined, id))[1]).toBe('http.delegation_ended')
    expect(codeOf(await accounts.call('DELETE', `/access_delegations/${id}/`, eve))).toEqual([404, 'account.delegation_unknown'])
    expect((await accounts.call('GET', '/access_delegations/', eve)).body['count']).toBe(0)
    expect((await accounts.call('GET', '/access_delegations/?direction=received', dan)).body['results']).toMatchObject([
      { id, direction: 'received', grantor: { id: greta.id, email: 'g3@example.org' } },
    ])
    expect((await accounts.call('GET', '/access_delegations/?direction=granted', dan)).body['count']).toBe(0)
    await accounts.work()
  })

  test('an address without account is answered the same, and opens to whoever proves that it is his', async () => {
    const greta = await accounts.person('g4@example.org')
    const dan = await accounts.person('d4@example.org')
    const known = await grant(greta, dan.email)
    const unknown = await grant(greta, 'future@example.org')
    const shape = ({ status, body }: typeof known) => ({ status, body: { ...body, id: '', email: '' } })
    expect(shape(unknown)).toEqual(shape(known))
    const id = String(unknown.body['id'])
    const fran = await accounts.person('fran@example.org')
    const enter = async (who: Someone) => (await accounts.call('GET', '/profiles/current/', who, undefined, id)).status
    await accounts.addAddress(fran.id, 'future@example.org', false)
    expect(await enter(fran)).toBe(403)
    await database.db.deleteFrom('email_address').where('address_key', '=', 'future@example.org').execute()
    await accounts.addAddress(fran.id, 'future@example.org')
    expect(await enter(fran)).toBe(200)
    // Whoever has the mailbox later does not inherit what was another's.
    await database.db.deleteFrom('email_address').where('address_key', '=', 'future@example.org').execute()
    await accounts.addAddress(dan.id, 'future@example.org')
    expect([await enter(dan), await enter(fran)]).toEqual([403, 200])
    await accounts.work()
  })

  test('bounds: not to oneself, once for each address, until a moment to come within two years, fifty at most', async () => {
    const greta = await accounts.person('g5@example.org')
    expect(codeOf(await grant(greta, 'G5@example.org'))).toEqual([409, 'account.delegation_to_self'])
    expect((await grant(greta, 'd5@example.org')).status).toBe(201)
    expect(codeOf(await grant(greta, 'D5@example.org', 'manage'))).toEqual([409, 'account.delegation_exists'])
    const fields = async (change: Record<string, unknown>) =>
      (await accounts.call('POST', path, greta, { email: 'x@example.org', scope: 'read', expires_at: inDays(1), ...change }))
        .body['fields']
    expect(await fields({ expires_at: inDays(-1) })).toEqual({ expires_at: ['expiry_past'] })
    expect(await fields({ expires_at: inDays(732) })).toEqual({ expires_at: ['expiry_too_far'] })
    expect(await fields({ expires_at: 'soon' })).toEqual({ expires_at: ['expiry_required'] })
    expect(await fields({ scope: 'all' })).toEqual({ scope: ['scope_required'] })
    expect(await fields({ email: 'a\r\nBcc: b@example.org' })).toEqual({ email: ['email_invalid'] })
    await sql`insert into access_delegation (id, grantor_id, address, address_key, scope, created_at, expires_at)
      select gen_random_uuid(), ${greta.id}::uuid, n || '@example.org', n || '@example.org', 'read',
        ${accounts.now()}::timestamptz - interval '2 days', ${accounts.now()}::timestamptz + interval '2 days'
      from generate_series(1, 49) n`.execute(database.db)
    expect(codeOf(await grant(greta, 'last@example.org'))).toEqual([409, 'account.too_many_delegations'])
    expect((await accounts.call('GET', '/access_delegations/?page_size=100', greta)).body['count']).toBe(50)
  })
})
