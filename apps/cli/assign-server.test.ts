import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { haveAccount, haveGroup, setMember } from '../../testing/accounts.ts'
import { insertEvidence } from '../../modules/evidence/server/record/store.ts'
import { haveServer } from '../../testing/capture-server.ts'
import { withDatabase } from '../../testing/database.ts'
import { runServerCommand } from './server.ts'

const database = withDatabase()

async function run(...argv: string[]): Promise<{ code: number; out: unknown; said: string }> {
  let [out, said] = ['', '']
  const code = await runServerCommand(argv, {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (said += text) },
    env: { DATABASE_URL: database.url },
    signal: new AbortController().signal,
  })
  return { code, out: out === '' ? null : (JSON.parse(out) as unknown), said }
}

async function company(name: string): Promise<{ id: string; member: string }> {
  const [id, member] = [await haveGroup(database.db), await haveAccount(database.db)]
  await database.db.updateTable('account_group').set({ name }).where('id', '=', id).execute()
  await setMember(database.db, member, id, 'owner')
  return { id, member }
}

test('H-17 an operator dedicates a server by the name or the id of a group, and takes it back; what waited is counted', async () => {
  const [acme, brown] = [await company('Acme & Fils'), await company('Brown')]
  await haveServer(database.db, 'fixed', { kind: 'dedicated' })
  const first = await run('assign', 'fixed', 'ACME & fils')
  expect(first).toMatchObject({ code: 0, out: { server_id: 'fixed', group: { id: acme.id }, instead_of: null, ended: 0 } })
  expect(first.said).toBe('Capture server fixed is dedicated to Acme & Fils: its members, and nobody else, may ask for it.\n')
  await insertEvidence(database.db, {
    id: randomUUIDv7(),
    tokenHash: randomBytes(32),
    action: 'static',
    requestedUrl: 'https://example.org/',
    locale: 'en',
    now: new Date(),
    askedServer: 'fixed',
    ownership: { ownerId: acme.member, createdBy: acme.member, groupId: acme.id },
  })
  const moved = await run('assign', 'fixed', brown.id.toUpperCase(), '--lang', 'fr')
  expect(moved).toMatchObject({ code: 0, out: { group: { name: 'Brown' }, instead_of: { id: acme.id }, ended: 1 } })
  expect(moved.said).toContain('a été retiré à Acme & Fils. 1 capture qui l’attendait a pris fin avec une erreur.')
  expect((await run('unassign', 'fixed')).said).toContain('fixed is dedicated to nobody')
  expect(await run('unassign', 'fixed')).toMatchObject({ code: 0, out: { group: null, instead_of: null, ended: 0 } })
  const { rows } = await sql<{
    action: string
  }>`select action from act where subject_id = 'fixed' and actor_id is null order by number`.execute(database.db)
  expect(rows.map(({ action }) => action)).toEqual([
    'capture.assigned_server',
    'capture.assigned_server',
    'capture.unassigned_server',
  ])
})

test('H-17 what cannot be dedicated is said, and nothing is done', async () => {
  const [one, two] = [await company('Twins'), await company('Twins')]
  await haveServer(database.db, 'open')
  await haveServer(database.db, 'free', { kind: 'dedicated' })
  const told = async (...argv: string[]) => {
    const { code, out, said } = await run(...argv)
    return [code, out, said]
  }
  const refused = (said: RegExp) => [1, null, expect.stringMatching(said)]
  expect(await told('assign', 'free', 'Nobody')).toEqual(refused(/no group Nobody/))
  expect(await told('assign', 'free', 'Twins')).toEqual(refused(new RegExp([one.id, two.id].toSorted().join(', '))))
  expect(await told('assign', 'open', one.id)).toEqual(refused(/This server is public/))
  expect(await told('unassign', 'open')).toEqual(refused(/This server is public/))
  expect(await told('assign', 'nowhere', one.id)).toEqual(refused(/no such capture server/))
  const { rows } = await sql`select 1 from act where subject_type = 'server' and subject_id <> 'fixed'`.execute(database.db)
  expect(rows).toEqual([])
})
