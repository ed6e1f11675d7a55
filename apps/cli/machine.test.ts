import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { haveServer } from '../../testing/capture-server.ts'
import { withDatabase } from '../../testing/database.ts'
import { commandsOf } from '../../tools/release/document-commands.ts'
import { runServerCommand } from './server.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-machine-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(...argv: string[]): Promise<{ code: number; out: Record<string, unknown>[]; said: string }> {
  let [out, said] = ['', '']
  const code = await runServerCommand(argv, {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (said += text) },
    env: { DATABASE_URL: database.url, PROBANT_DATA: folder, PROBANT_SERVER_ID: 'rack-2' },
    signal: new AbortController().signal,
  })
  const lines = out.split('\n').filter((line) => line !== '')
  return { code, out: lines.map((line) => JSON.parse(line) as Record<string, unknown>), said }
}

test('an operator adds a machine, drains it, undoes it and removes it; each is an act of nobody’s account', async () => {
  await haveServer(database.db, 'rack-1')
  const [invitation] = (await run('invite')).out
  const joined = await run('join', String(invitation?.['token']))
  expect(joined).toMatchObject({
    code: 0,
    out: [{ server_id: 'rack-2', key_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
  })
  const again = await run('join', String(invitation?.['token']), '--lang', 'fr')
  expect(again).toMatchObject({ code: 1, out: [] })
  expect(again.said).toContain('Cette invitation n’est pas valable')
  const keys = (await run('list')).out.map(({ server_id: id, key_sha256: key }) => [id, key])
  expect(keys).toEqual([
    ['rack-1', null],
    ['rack-2', joined.out[0]?.['key_sha256']],
  ])
  expect((await run('drain', 'rack-1')).said).toBe('Capture server rack-1 takes nothing new. What is under way goes on.\n')
  expect((await run('list')).out[0]).toMatchObject({ server_id: 'rack-1', status: 'drained' })
  expect(await run('resume', 'rack-1')).toMatchObject({ code: 0, out: [{ server_id: 'rack-1', drained: false }] })
  expect(await run('remove', 'rack-1')).toMatchObject({ code: 0, out: [{ server_id: 'rack-1', requeued: 0, lost: 0, ended: 0 }] })
  expect(await run('remove', 'rack-1')).toMatchObject({ code: 1, said: 'There is no such capture server.\n' })
  expect((await run('list')).out.map(({ server_id: id }) => id)).toEqual(['rack-2'])
  const { rows } = await sql<{ action: string }>`select action from act where actor_id is null order by number`.execute(
    database.db,
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'capture.invited_server',
    'capture.joined_server',
    'capture.drained_server',
    'capture.resumed_server',
    'capture.removed_server',
  ])
})

test('the commands of grow.md, in their order, add a machine, drain it, take it back and remove it', async () => {
  await sql`truncate capture_server, server_invitation cascade`.execute(database.db)
  await haveServer(database.db, 'rack-1')
  const document = fileURLToPath(new URL('../../docs/operating/grow.md', import.meta.url))
  const lines = commandsOf(document).flatMap((block) => block.trim().split('\n'))
  const acts = lines.flatMap((line) => {
    const [, words] = /^runuser -u probant -- probant server (.+)$/.exec(line) ?? []
    return words === undefined ? [] : [words.split(' ')]
  })
  let token = ''
  const done: unknown[] = []
  for (const words of acts) {
    const { code, out } = await run(...words.map((word) => ({ TOKEN: token, SERVER: 'rack-2' })[word] ?? word))
    expect(code).toBe(0)
    if (words[0] === 'invite') token = out[0]?.['token'] as string
    const isThere = (await run('list')).out.some(({ server_id: id }) => id === 'rack-2')
    done.push([words[0], isThere, out[0]?.['drained'] ?? null])
  }
  expect(done).toEqual([
    ['invite', false, null],
    ['join', true, null],
    ['drain', true, true],
    ['resume', true, false],
    ['remove', false, null],
  ])
})
