import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { haveGroup } from '../../../../testing/accounts.ts'
import { openAccounts, type Accounts } from '../account.test-data.ts'
import { readDebitedAccount } from './read-debited-account.ts'

const database = withDatabase()
let accounts: Accounts

beforeAll(async () => {
  accounts = await openAccounts(database.db)
})
afterAll(async () => {
  await accounts.close()
})

const fieldsOf = (answer: { body: Record<string, unknown> }) => answer.body['fields']
const company = {
  user_type: 'legal',
  company_type: 'business',
  company_name: 'Dupont & Filles',
  company_number: '552 100 554',
  company_email: 'contact@dupont.example',
}
const owner = {
  first_name: 'Ada',
  last_name: 'Martin',
  birth_date: '1970-05-06',
  birth_city: 'Nantes',
  birth_country: 'FR',
  nationality: 'FR',
  address: '2 quai de la Fosse, Nantes',
  share_percent: 60,
}

describe('the current user', () => {
  test('C-02 C-10 E-01 both spellings tell who he is, and what his profile still lacks', async () => {
    const claire = await accounts.person('claire@example.org')
    const { status, body } = await accounts.call('GET', '/profiles/current', claire)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: claire.id,
      email: 'claire@example.org',
      first_name: 'Claire',
      company_logo: null,
      user_type: null,
      roles: [],
      group: null,
      acting: null,
      bank_account: null,
    })
    expect(body['referral_code']).toMatch(/^[A-Z2-9]{8}$/)
    expect(body['completeness']).toMatchObject({
      payment: { complete: false, missing: expect.arrayContaining([{ field: 'city', code: 'city_required' }]) },
    })
    expect((await accounts.call('GET', '/profiles/current/', claire)).body).toEqual(body)
    expect((await accounts.call('GET', '/profiles/current/', null)).status).toBe(401)
  })

  test('P-10 a partner’s account names the partner’s logo', async () => {
    const paul = await accounts.person('paul@example.org')
    await sql`update account_user set brand = 'cabinet-x' where id = ${paul.id}::uuid`.execute(database.db)
    expect((await accounts.call('GET', '/profiles/current/', paul)).body['company_logo']).toBe('cabinet-x')
  })
})

describe('C-09 saving a profile', () => {
  test('each call saves what it sends; the act names fields, never values', async () => {
    const claire = await accounts.person('c1@example.org')
    const path = `/profiles/${claire.id}/`
    expect((await accounts.call('PATCH', path, claire, { city: 'Lyon', country: 'FR' })).status).toBe(200)
    const { body } = await accounts.call('PATCH', path, claire, { mobile_phone: '06 12 34 56 78', first_name: 'Clara' })
    expect(body).toMatchObject({ city: 'Lyon', mobile_phone: '+33612345678', first_name: 'Clara', last_name: 'Dupont' })
    // Nothing changes: nothing is recorded.
    await accounts.call('PATCH', path, claire, { city: 'Lyon' })
    expect(await accounts.acts(claire.id)).toEqual([
      { action: 'account.saved_profile', for: null, data: { fields: 'city country' } },
      { action: 'account.saved_profile', for: null, data: { fields: 'first_name mobile_phone' } },
    ])
  })

  test('E-03…E-13 each field of a company’s profile is kept as it was given, and choices are those of the specification', async () => {
    const claire = await accounts.person('c8@example.org')
    const path = `/profiles/${claire.id}/`
    const given = {
      ...company,
      civility: 'Madame',
      first_name: 'Clara',
      last_name: 'Dupont-Œuvrard',
      birth_date: '1980-02-29',
      birth_city: 'Sète',
      birth_country: 'FR',
      nationality: 'BE',
      address: '1 rue de la Paix',
      zip: '75002',
      city: 'Paris',
      region: 'Île-de-France',
      country: 'FR',
      fixed_phone: '+33142000000',
      mobile_phone: '+33612345678',
      company_address: '2 quai de la Fosse, Nantes',
      representative_first_name: 'Zoë',
      representative_last_name: 'd’Artagnan',
      beneficial_owners: [owner],
    }
    expect((await accounts.call('PATCH', path, claire, given)).status).toBe(200)
    const { body } = await accounts.call('GET', '/profiles/current/', claire)
    expect(Object.fromEntries(Object.keys(given).map((field) => [field, body[field]]))).toEqual(given)
    for (const [field, choices] of [
      ['civility', ['Mister', 'Madame', 'Other']],
      ['company_type', ['business', 'organization', 'soletrader']],
    ] as const) {
      for (const choice of choices)
        expect((await accounts.call('PATCH', path, claire, { [field]: choice })).body).toMatchObject({ [field]: choice })
      expect(fieldsOf(await accounts.call('PATCH', path, claire, { [field]: 'duke' }))).toEqual({ [field]: ['choice_unknown'] })
    }
  })

  test('a field that somebody saved since the sender saw it is not overwritten, and no other of that call is saved', async () => {
    const claire = await accounts.person('c7@example.org')
    const path = `/profiles/${claire.id}/`
    const seen = { city: null, zip: null, mobile_phone: null }
    expect((await accounts.call('PATCH', path, claire, { city: 'Lyon', before: seen })).status).toBe(200)
    const late = await accounts.call('PATCH', path, claire, { city: 'Nantes', zip: '44000', before: seen })
    expect([late.status, late.body['code'], fieldsOf(late)]).toEqual([
      409,
      'account.changed_meanwhile',
      { city: ['changed_meanwhile'] },
    ])
    const { body } = await accounts.call('GET', '/profiles/current/', claire)
    expect(body).toMatchObject({ city: 'Lyon', zip: null })
    // The same value twice is no conflict; who has seen the newer one overwrites it.
    expect((await accounts.call('PATCH', path, claire, { city: 'Lyon', before: seen })).status).toBe(200)
    expect((await accounts.call('PATCH', path, claire, { city: 'Nantes', before: { city: 'Lyon' } })).body['city']).toBe('Nantes')
    await accounts.call('PATCH', path, claire, { mobile_phone: '06 12 34 56 78', before: { mobile_phone: '' } })
    expect(
      (await accounts.call('PATCH', path, claire, { mobile_phone: null, before: { mobile_phone: '+33612345678' } })).status,
    ).toBe(200)
  })

  test('V-12…V-15 every wrong field tells its own fault, and nothing is saved', async () => {
    const claire = await accounts.person('c2@example.org')
    const path = `/profiles/${claire.id}/`
    await accounts.call('PATCH', path, claire, company)
    const wrong = await accounts.call('PATCH', path, claire, {
      city: '  ',
      birth_date: '2027-01-01',
      company_email: 'nobody',
      region: 'Normandie',
      beneficial_owners: [{ ...owner, nationality: 'ZZ' }],
    })
    expect(wrong.status).toBe(400)
    expect(wrong.body['code']).toBe('account.profile_invalid')
    expect(fieldsOf(wrong)).toEqual({
      city: ['city_required'],
      birth_date: ['birth_date_past'],
      company_email: ['company_email_invalid'],
      'beneficial_owners.0.nationality': ['country_unknown'],
    })
    expect((await accounts.call('GET', '/profiles/current/', claire)).body['region']).toBeNull()
    expect((await accounts.call('PATCH', path, claire, { cty: 'Lyon' })).status).toBe(400)
    expect(fieldsOf(await accounts.call('PATCH', path, claire, { city: 'x'.repeat(2001) }))).toEqual({ city: ['too_long'] })
  })

  test('E-03 the kind of user stays, in the database too', async () => {
    const claire = await accounts.person('c3@example.org')
    const path = `/profiles/${claire.id}/`
    await accounts.call('PATCH', path, claire, { user_type: 'natural' })
    expect(fieldsOf(await accounts.call('PATCH', path, claire, { user_type: 'legal' }))).toEqual({
      user_type: ['user_type_fixed'],
    })
    const change = sql`update profile set user_type = 'legal' where user_id = ${claire.id}::uuid`.execute(database.db)
    await expect(change).rejects.toThrow('stays')
  })

  test('H-31 H-33 a company that may be paid; its owners are not readable in the database', async () => {
    const claire = await accounts.person('c4@example.org')
    const path = `/profiles/${claire.id}/`
    const { body } = await accounts.call('PATCH', path, claire, {
      ...company,
      address: '1 rue de la Paix',
      zip: '75002',
      city: 'Paris',
      country: 'FR',
      birth_date: '1980-02-29',
      birth_country: 'FR',
      nationality: 'FR',
      company_address: '1 rue de la Paix, Paris',
      representative_first_name: 'Claire',
      representative_last_name: 'Dupont',
      beneficial_owners: [owner],
    })
    expect(body['beneficial_owners']).toEqual([owner])
    expect(body['completeness']).toEqual({
      payment: { complete: true, missing: [] },
      payout: { complete: false, missing: [{ field: 'bank_account', code: 'bank_account_required' }] },
    })
    const { rows } = await sql<{
      all: string
    }>`select row_to_json(profile)::text as all from profile where user_id = ${claire.id}::uuid`.execute(database.db)
    expect(rows[0]?.all).toContain('Dupont & Filles')
    expect(Buffer.from(/"sealed_owners":"\\\\x([0-9a-f]+)"/.exec(rows[0]?.all ?? '')?.[1] ?? '', 'hex').includes('Martin')).toBe(
      false,
    )
  })

  test('P-16 another’s profile looks like one that does not exist', async () => {
    const claire = await accounts.person('c5@example.org')
    const dora = await accounts.person('d5@example.org')
    const other = await accounts.call('PATCH', `/profiles/${dora.id}/`, claire, { city: 'Lyon' })
    const none = await accounts.call('PATCH', '/profiles/00000000-0000-4000-8000-000000000000/', claire, { city: 'Lyon' })
    expect([other.status, other.body['code']]).toEqual([404, 'account.profile_not_found'])
    expect({ ...other.body, request_id: '' }).toEqual({ ...none.body, request_id: '' })
    const listed = await accounts.call('GET', '/profiles/?search=%25', claire)
    expect(listed.body['count']).toBe(0)
    expect((await accounts.call('GET', '/profiles/', claire)).body).toMatchObject({
      count: 1,
      results: [{ id: claire.id, own: true }],
    })
  })
})

describe('X-47 the bank account', () => {
  const account = { type: 'IBAN', iban: 'FR14 2004 1010 0505 0001 3M02 606', owner_name: 'Claire Dupont', owner_address: 'Paris' }

  test('E-14…E-19 is kept sealed, shown by its ending, told by mail and recorded without numbers', async () => {
    const claire = await accounts.person('b1@example.org', ['Claire', 'Dupont'], 'fr')
    await accounts.work()
    const path = `/profiles/${claire.id}/bank_account/`
    const { status, body, text } = await accounts.call('PATCH', path, claire, account)
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'IBAN', ending: '2606', owner_name: 'Claire Dupont' })
    const current = await accounts.call('GET', '/profiles/current/', claire)
    expect(current.body['bank_account']).toEqual(body)
    const { rows } = await sql<{ sealed: Buffer }>`select sealed from bank_account where user_id = ${claire.id}::uuid`.execute(
      database.db,
    )
    for (const shown of [text, current.text, rows[0]?.sealed.toString('latin1'), JSON.stringify(await accounts.acts(claire.id))])
      expect(shown).not.toContain('20041010')
    const [mail] = await accounts.work()
    expect(mail).toMatchObject({ to: 'b1@example.org', locale: 'fr', subject: 'Votre compte bancaire a été modifié' })
    expect(await accounts.acts(claire.id)).toEqual([
      { action: 'account.changed_bank_account', for: null, data: { type: 'IBAN' } },
    ])
  })

  const of = { owner_name: 'Claire Dupont', owner_address: '1 rue du Port, Marseille' }
  test.each([
    [
      { type: 'IBAN', iban: 'DE89 3704 0044 0532 0130 00', bic: 'cobadeffxxx', ...of },
      { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    ],
    [
      { type: 'GB', sort_code: '20-00-00', account_number: '5577 9911', ...of },
      { sort_code: '200000', account_number: '55779911' },
    ],
    [{ type: 'US', account_number: '12345678', aba: '021000021', deposit_type: 'checking', ...of }, {}],
    [{ type: 'US', account_number: '12345678', aba: '021000021', deposit_type: 'savings', ...of }, {}],
    [
      { type: 'CA', branch_code: '00152', institution_number: '614', account_number: '11696419', bank_name: 'Tangerine', ...of },
      {},
    ],
    [{ type: 'other', bic: 'BCAOSNDP', account_number: 'SN08SN01', ...of }, {}],
  ] as const)('E-14…E-19 of each kind what it is paid by is kept, and nothing else: %j', async (given, tidied) => {
    const claire = await accounts.person(`b-${randomUUID()}@example.org`)
    const path = `/profiles/${claire.id}/bank_account/`
    const { status, body } = await accounts.call('PATCH', path, claire, given)
    expect([status, body['type'], body['owner_name']]).toEqual([200, given.type, of.owner_name])
    expect(await readDebitedAccount(accounts.web, claire.id)).toEqual({ ...given, ...tidied })
  })

  test('V-16…V-22 each wrong field tells its own fault; the account before stays', async () => {
    const claire = await accounts.person('b2@example.org')
    const path = `/profiles/${claire.id}/bank_account/`
    await accounts.call('PATCH', path, claire, account)
    const wrong = await accounts.call('PATCH', path, claire, { type: 'US', account_number: '12a', aba: '021000022' })
    expect(wrong.body['code']).toBe('account.bank_account_invalid')
    expect(fieldsOf(wrong)).toEqual({
      account_number: ['digits_only'],
      aba: ['aba_checksum'],
      deposit_type: ['deposit_type_required'],
      owner_name: ['owner_name_required'],
      owner_address: ['owner_address_required'],
    })
    expect(fieldsOf(await accounts.call('PATCH', path, claire, { type: 'XX' }))).toEqual({ type: ['bank_type_required'] })
    expect((await accounts.call('GET', '/profiles/current/', claire)).body['bank_account']).toMatchObject({ ending: '2606' })
    expect((await accounts.call('DELETE', path, claire)).status).toBe(200)
    expect((await accounts.call('DELETE', path, claire)).status).toBe(200)
    expect((await accounts.call('GET', '/profiles/current/', claire)).body['bank_account']).toBeNull()
    expect((await accounts.acts(claire.id)).map((act) => act.action)).toEqual([
      'account.changed_bank_account',
      'account.deleted_bank_account',
    ])
  })
})

describe('E-53…E-55 settings', () => {
  test('X-51 begin as they are without any, and only what is sent changes', async () => {
    const claire = await accounts.person('s1@example.org')
    const before = (await accounts.call('GET', '/settings/', claire)).body
    expect(before).toEqual({
      server_location: 'automatic',
      server_id: null,
      close_cookies: false,
      eidas_timestamping: true,
      eidas: { offered: false, reason: 'none_configured', authorities: [] },
      language: 'en',
      notifications: { report_ready: true, draft_ending: true, download_reminder: true, anchored: false, proof_weakening: true },
    })
    const change = { close_cookies: true, language: 'fr', notifications: { draft_ending: false } }
    const { body } = await accounts.call('PATCH', '/settings/', claire, change)
    const after = {
      ...before,
      ...change,
      notifications: { report_ready: true, draft_ending: false, download_reminder: true, anchored: false, proof_weakening: true },
    }
    expect(body).toEqual(after)
    expect((await accounts.call('GET', '/settings/', claire)).body).toEqual(after)
    expect((await accounts.call('GET', '/profiles/current/', claire)).body['locale']).toBe('fr')
    expect((await accounts.call('PATCH', '/settings/', claire, { language: 'de' })).status).toBe(400)
  })

  test('H-17 a server is one that exists, of the kind that is chosen, and not another group’s', async () => {
    const claire = await accounts.person('s2@example.org')
    await haveServer(database.db, 'paris')
    await haveServer(database.db, 'nobodys', { kind: 'dedicated' })
    await haveServer(database.db, 'theirs', { kind: 'dedicated', group: await haveGroup(database.db) })
    const choose = async (server_location: string, server_id?: string | null) =>
      await accounts.call('PATCH', '/settings/', claire, { server_location, server_id })
    expect((await choose('public', 'paris')).body).toMatchObject({ server_location: 'public', server_id: 'paris' })
    expect(fieldsOf(await choose('public', 'lyon'))).toEqual({ server_id: ['server_unknown'] })
    expect(fieldsOf(await choose('dedicated', 'paris'))).toEqual({ server_id: ['server_unknown'] })
    expect(fieldsOf(await choose('dedicated', 'theirs'))).toEqual({ server_id: ['server_unknown'] })
    expect(fieldsOf(await choose('dedicated', 'nobodys'))).toEqual({ server_id: ['server_unknown'] })
    expect(fieldsOf(await choose('dedicated'))).toEqual({ server_id: ['server_required'] })
    expect(fieldsOf(await choose('automatic', 'paris'))).toEqual({ server_id: ['server_not_chosen'] })
    expect((await choose('automatic')).body).toMatchObject({ server_location: 'automatic', server_id: null })
  })
})
