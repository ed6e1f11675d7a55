import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-serve-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a role by itself does not start where a later version has taken away what it rests on, and says so', async () => {
  await sql`insert into platform_migration (name, sha256, needs) values ('9999_later.sql', 'of-a-later-one', '9998_before.sql')`.execute(
    database.db,
  )
  const program = fileURLToPath(new URL('serve.ts', import.meta.url))
  const role = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, '--role', 'worker'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url, PROBANT_DATA: folder, PROBANT_SAMPLE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [role.stdout, role.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(role, 'close')) as [number | null]
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringContaining('migrated by 9999_later.sql, which needs a version that has 9998_before.sql'),
  })
})
