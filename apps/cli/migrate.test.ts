import { expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { runMigrateCommand } from './migrate.ts'

async function run(argv: readonly string[], env: Record<string, string>) {
  let [out, said] = ['', '']
  const io = {
    stdout: { write: (text: string) => void (out += text) },
    stderr: { write: (text: string) => void (said += text) },
    env,
  }
  return { code: await runMigrateCommand(argv, io), out, said }
}

test('an empty database is brought up to date, once; wrong use and wrong settings are told', async () => {
  const database = await createTestDatabase({ migrated: false })
  try {
    const env = { DATABASE_URL: database.url }
    const first = await run([], env)
    expect(first).toMatchObject({ code: 0, said: '' })
    expect((JSON.parse(first.out) as { applied: string[] }).applied.length).toBeGreaterThan(50)
    expect(await run([], env)).toEqual({ code: 0, out: '{"applied":[]}\n', said: '' })
    for (const argv of [['now'], ['--lang', 'de']]) expect((await run(argv, env)).code).toBe(3)
    expect(await run([], { ...env, PROBANT_ENV: 'trial' })).toMatchObject({
      code: 78,
      said: expect.stringContaining('PROBANT_ENV'),
    })
  } finally {
    await database.drop()
  }
})
