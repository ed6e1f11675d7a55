import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { eraseOwnedEvidence } from '../../../evidence/server/index.ts'
import { eraseAccount } from './erase-account.ts'
import { linkOf, openAccounts, type Accounts, type Someone } from '../account.test-data.ts'

const database = withDatabase()
let accounts: Accounts
const erased: [string, string | null][] = []
let failure: Error | null = null

beforeAll(async () => {
  accounts = await openAccounts(database.db, {
    heldElsewhere: {
      evidences: (id) => [
        { id: 1, owner: id },
        { id: 2, owner: id },
      ],
    },
    eraseElsewhere: async (id, group) => {
      await Promise.resolve(erased.push([id, group]))
      if (failure !== null) throw failure
    },
  })
})
afterAll(async () => {
  await accounts.close()
})

const close = async (who: Someone, reason: unknown = 'I have what I came for') =>
  await accounts.call('POST', '/profiles/current/delete/', who, { reason })
const statusOf = async ({ id }: Someone) =>
  (await database.db.selectFrom('account_user').select('status').where('id', '=', id).executeTakeFirst())?.status

/** Somebody with everything that can be held on him. */
async function everything(name: string): Promise<Someone> {
  const who = await accounts.person(`${name}@secret.example`, ['Zacharias', 'Quillfeather'])
  const bank = { type: 'IBAN', iban: 'DE89370400440532013000', owner_name: 'Zacharias Quillfeather', owner_address: 'Berlin' }
  await accounts.call('PATCH', `/profiles/${who.id}/`, who, {
    user_type: 'legal',
    company_name: 'Quillfeather GmbH',
    city: 'Quillstadt',
    birth_date: '1970-01-01',
  })
  await accounts.call('PATCH', `/profiles/${who.id}/bank_account/`, who, bank)
  await accounts.call('PATCH', '/settings/', who, { close_cookies: true })
  await accounts.call('POST', '/groups/', who, { name: 'Quillfeather GmbH' })
  const until = new Date(accounts.now().getTime() + 864e5).toISOString()
  await accounts.call('POST', '/profiles/create_access_delegation/', who, {
    email: `friend-of-${name}@example.org`,
    scope: 'read',
    expires_at: until,
  })
  await accounts.work()
  return who
}

describe('C-11 D-08 closing an account', () => {
  test('V-23 needs a reason', async () => {
    const who = await accounts.person('reason@example.org')
    expect((await close(who, '  ')).body['fields']).toEqual({ reason: ['reason_required'] })
    expect((await close(who, 'a\0b')).body['fields']).toEqual({ reason: ['characters'] })
    expect((await accounts.call('GET', '/profiles/?search=a%00', who)).body['fields']).toEqual({ search: ['characters'] })
    expect((await accounts.call('POST', '/profiles/current/delete/', who, {})).body['fields']).toEqual({
      reason: ['reason_required'],
    })
    expect(await statusOf(who)).toBe('active')
  })

  test('H-38 ends its sessions at once, and the link of the mail undoes it for 24 hours', async () => {
    const who = await accounts.person('undo@example.org', ['Ursula', 'Undo'], 'fr')
    const { body } = await close(who)
    expect(body).toEqual({ status: 'closing', erase_after: '2026-03-02T10:00:00.000Z' })
    expect((await accounts.call('GET', '/profiles/current/', who)).status).toBe(401)
    const [mail] = await accounts.work()
    expect(mail).toMatchObject({ to: 'undo@example.org', locale: 'fr', subject: 'Votre compte est fermé' })
    expect(mail?.text).toContain('2 mars 2026, 10\u00a0h\u00a000 UTC')
    const key = linkOf(mail).searchParams.get('key') ?? ''
    const undo = async (given: string) => await accounts.call('POST', '/profiles/undo_delete/', null, { key: given })
    expect((await undo(`${key}x`)).body['code']).toBe('account.undo_link_invalid')
    expect((await undo(key)).body).toEqual({ status: 'done' })
    expect(await statusOf(who)).toBe('active')
    expect((await undo(key)).status).toBe(410)
    expect((await accounts.work()).map(({ subject }) => subject)).toEqual(['Votre compte est conservé'])
    // Undoing signs nobody in, and nothing is erased later.
    expect((await accounts.call('GET', '/profiles/current/', who)).status).toBe(401)
    accounts.later(25)
    expect(await eraseAccount(accounts.jobs, who.id)).toBe(false)
    expect(erased).toEqual([])
  })

  test('the owner of a group that others are in hands it over first', async () => {
    const who = await everything('grouped')
    const other = await accounts.person('member@example.org')
    await sql`insert into group_member (user_id, group_id, role, joined_at)
      select ${other.id}::uuid, group_id, 'member', joined_at from group_member where user_id = ${who.id}::uuid`.execute(
      database.db,
    )
    expect((await close(who)).body['code']).toBe('account.group_has_members')
    await accounts.call('DELETE', `/groups/current/members/${other.id}/`, who)
    expect((await close(who)).status).toBe(200)
    await accounts.work()
  })

  test('H-20 the last administrator stays until another one can sign in', async () => {
    const last = await accounts.person('last@staff.example')
    const next = await accounts.person('next@staff.example')
    const appoint = async ({ id }: Someone) =>
      await sql`insert into user_role (user_id, role, granted_at) values (${id}::uuid, 'administrator', now())`.execute(
        database.db,
      )
    await appoint(last)
    expect([(await close(last)).body['code'], await statusOf(last)]).toEqual(['identity.last_administrator', 'active'])
    await appoint(next)
    // Both at once: one of them is the last.
    const answers = await Promise.all([close(last), close(next)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    await accounts.work()
  })
})

describe('erasure', () => {
  test('K-04 H-38 after 24 hours nothing that was held on him is anywhere, and his acts stay', async () => {
    erased.length = 0
    const who = await everything('gone')
    const group = await database.db
      .selectFrom('group_member')
      .select('group_id')
      .where('user_id', '=', who.id)
      .executeTakeFirstOrThrow()
    await close(who, 'Quillfeather wants to go')
    const [closed] = await accounts.work()
    const key = linkOf(closed).searchParams.get('key') ?? ''
    const waiting = await sql`select 1 from account_user where id = ${who.id}::uuid and erase_after > ${accounts.now()}`.execute(
      database.db,
    )
    expect(waiting.rows).toHaveLength(1)
    expect(await eraseAccount(accounts.jobs, who.id)).toBe(false)
    accounts.later(24)

    // What other modules hold goes first; as long as it does not, nothing goes, and it is tried again.
    failure = new Error('the disk is away')
    await expect(eraseAccount(accounts.jobs, who.id)).rejects.toThrow('the disk is away')
    expect(await statusOf(who)).toBe('closing')
    // Once it has begun, nothing undoes it, whatever the clock of another process says.
    accounts.later(-1)
    expect((await accounts.call('POST', '/profiles/undo_delete/', null, { key })).body['code']).toBe('account.undo_link_invalid')
    accounts.later(1)
    failure = null
    expect(await eraseAccount(accounts.jobs, who.id)).toBe(true)
    expect(await eraseAccount(accounts.jobs, who.id)).toBe(false)
    expect(erased).toEqual([
      [who.id, group.group_id],
      [who.id, group.group_id],
    ])

    const { rows: tables } = await sql<{
      name: string
    }>`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
      from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`.execute(
      database.db,
    )
    expect(tables.length).toBeGreaterThan(20)
    const left: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.raw(name)} t`.execute(database.db)
      if (rows.some(({ row }) => /gone@secret|friend-of-gone@/i.test(row))) left.push(`${name}: address`)
      if (rows.some(({ row }) => row.includes(who.id)) && !['public.account_user', 'public.act'].includes(name)) left.push(name)
    }
    expect(left).toEqual([])
    const kept = await database.db.selectFrom('account_user').selectAll().where('id', '=', who.id).executeTakeFirstOrThrow()
    expect(kept).toMatchObject({ status: 'erased', first_name: '', last_name: '', password_hash: null, closing_reason: null })
    expect(JSON.stringify(kept)).not.toContain('Quill')
    expect((await accounts.acts(who.id)).map(({ action }) => action)).toEqual([
      'account.saved_profile',
      'account.changed_bank_account',
      'account.changed_settings',
      'account.created_group',
      'account.granted_access',
      'account.closed_account',
    ])
  })

  test('the sweep asks for what is due, once each, and the job does it', async () => {
    const [one, two] = [await accounts.person('sweep1@example.org'), await accounts.person('sweep2@example.org')]
    await close(one)
    accounts.later(23)
    await close(two)
    await accounts.work()
    accounts.later(1)
    const sweep = async () => await sql`select graphile_worker.add_job('account.sweep_accounts', '{}'::json)`.execute(database.db)
    await sweep()
    await accounts.work()
    await accounts.work()
    expect([await statusOf(one), await statusOf(two)]).toEqual(['erased', 'closing'])
  })
})

test('H-38 with evidences: of those of the account and of its group only proofs stay, and the account goes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'probant-closing-'))
  try {
    const who = await everything('owner-of-evidence')
    const former = await accounts.person('former@example.org')
    await sql`insert into evidence
        (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at, owner_id, created_by, group_id)
      select gen_random_uuid(), sha256(owner_id::text::bytea), 'static', 'https://quill.example/', 'en', 'queued', now(), now(),
        owner_id, owner_id, case when mine = 1 then null else group_id end
      from group_member, unnest(array[${who.id}::uuid, ${who.id}::uuid, ${former.id}::uuid]) with ordinality as made(owner_id, mine)
      where user_id = ${who.id}::uuid`.execute(database.db)
    await close(who)
    accounts.later(24)
    const { db, clock } = accounts.jobs
    const blobs = createFolderBlobStore(folder)
    const eraseElsewhere = async (id: string, group: string | null) =>
      await eraseOwnedEvidence({ db, clock, blobs, log: silentLog }, id, group)
    expect(await eraseAccount({ ...accounts.jobs, eraseElsewhere }, who.id)).toBe(true)
    const left = await db.selectFrom('evidence').select(['status', 'requested_url']).execute()
    expect(left.map(({ status }) => status)).toEqual(['expired', 'expired', 'expired'])
    expect(JSON.stringify(left)).not.toContain('quill')
    const groups = await db.selectFrom('account_group').select(['id', 'name']).where('name', 'like', 'Quill%').execute()
    const members = await db.selectFrom('group_member').select('group_id').execute()
    expect(groups.filter(({ id }) => !members.some((member) => member.group_id === id))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
    // Jobs of evidences have no handler here.
    await sql`delete from graphile_worker._private_jobs`.execute(database.db)
  }
})

describe('the export', () => {
  test('is everything that is held on him, in one JSON document', async () => {
    const who = await everything('export')
    const tokenHash = randomBytes(32)
    await database.db
      .insertInto('api_key')
      .values({
        id: randomUUID(),
        user_id: who.id,
        name: 'Backup',
        token_hash: tokenHash,
        hint: 'pbt_AbCd',
        scopes: ['documents:read'],
        per_minute: 60,
        created_at: accounts.now(),
        expires_at: new Date(accounts.now().getTime() + 864e5),
      })
      .execute()
    const { status, body, text } = await accounts.call('GET', '/profiles/current/export/', who)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      account: { id: who.id, first_name: 'Zacharias' },
      emails: [{ address: 'export@secret.example', is_primary: true }],
      api_keys: [{ name: 'Backup', hint: 'pbt_AbCd', scopes: ['documents:read'], last_used_on: null }],
      profile: { city: 'Quillstadt', company_name: 'Quillfeather GmbH' },
      bank_account: { iban: 'DE89370400440532013000' },
      settings: { closeCookies: true },
      group: { name: 'Quillfeather GmbH', role: 'owner' },
      access_delegations: [{ address: 'friend-of-export@example.org', scope: 'read' }],
      evidences: [
        { id: 1, owner: who.id },
        { id: 2, owner: who.id },
      ],
    })
    const acts = body['acts'] as { action: string }[]
    expect(acts.map(({ action }) => action)).toContain('account.exported_account')
    expect(acts).toHaveLength(6)
    for (const secret of ['argon2', 'token_hash', 'sealed', tokenHash.toString('hex'), tokenHash.toString('base64')])
      expect(text).not.toContain(secret)
    const other = await accounts.person('other@example.org')
    const theirs = await accounts.call('GET', '/profiles/current/export/', other)
    expect(theirs.text).not.toContain('Quill')
    expect(theirs.body).toMatchObject({ bank_account: null, group: null, access_delegations: [] })
  })
})
