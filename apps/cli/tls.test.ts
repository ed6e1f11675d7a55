import { expect, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'
import { takeTurn, keepProblem, listCertificates } from '../../platform/tls/tls-store.ts'
import { runTlsCommand } from './tls.ts'

const database = withDatabase()
const acme = { PROBANT_TLS: 'acme', PROBANT_PUBLIC_URL: 'https://evidence.example', PROBANT_ACME_TERMS: 'i-agree' }

async function run(env: Record<string, string>, ...argv: string[]) {
  let [out, said] = ['', '']
  const io = {
    stdout: { write: (text: string) => void (out += text) },
    stderr: { write: (text: string) => void (said += text) },
    env: { ...env, DATABASE_URL: database.url },
  }
  return { code: await runTlsCommand(argv, io), out, said }
}

test('what was ordered is shown with why it was not had, and brought forward; a key is never printed', async () => {
  expect(await run(acme, 'show')).toMatchObject({ code: 0, out: '', said: expect.stringContaining('No certificate was ordered') })
  expect((await run(acme, 'order', '--lang', 'fr')).code).toBe(1)
  const [now, later] = [new Date(), new Date(Date.now() + 86_400_000)]
  await takeTurn(database.db, 'evidence.example', now, later)
  await keepProblem(database.db, 'evidence.example', 3, 'DNS problem: NXDOMAIN', later)
  const shown = await run(acme, 'show')
  expect(JSON.parse(shown.out)).toEqual({
    host: 'evidence.example',
    from: null,
    until: null,
    next: later.toISOString(),
    failures: 3,
    problem: 'DNS problem: NXDOMAIN',
  })
  expect((await run(acme, 'order', 'other.example')).code).toBe(1)
  expect(await run(acme, 'order', 'evidence.example')).toMatchObject({ code: 0, said: expect.stringContaining('1 certificate') })
  const [row] = await listCertificates(database.db)
  expect(row?.next_at.getTime()).toBeLessThanOrEqual(Date.now())
})

test('wrong use, settings that order nothing and wrong settings are told', async () => {
  expect(await run({}, 'show')).toMatchObject({ code: 1, said: expect.stringContaining('PROBANT_TLS is not acme') })
  for (const argv of [[], ['list'], ['show', 'more'], ['order', 'a', 'b'], ['show', '--lang', 'de']])
    expect((await run(acme, ...argv)).code).toBe(3)
  expect(await run({ ...acme, PROBANT_PUBLIC_URL: 'https://203.0.113.1' }, 'show')).toMatchObject({
    code: 78,
    said: expect.stringContaining('must have a name that an authority can reach'),
  })
  expect(await run({ PROBANT_TLS: 'acme' }, 'show')).toMatchObject({
    code: 78,
    said: expect.stringMatching(/PROBANT_PUBLIC_URL must start with https:\/\/.*PROBANT_ACME_TERMS is required/s),
  })
})
