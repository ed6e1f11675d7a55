/** Processes that migrate, and what they leave when they are killed. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { listMigrations, migrate, migrationsFolder } from '../../platform/db/migrate.ts'
import { readCatalog } from './read-catalog.ts'

async function applied(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const there = await client.query<{ is: boolean }>(`select to_regclass('platform_migration') is not null as is`)
    if (there.rows[0]?.is !== true) return 0
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from platform_migration')
    return rows[0]?.n ?? 0
  } finally {
    await client.end()
  }
}

async function fingerprint(url: string): Promise<string> {
  const catalog = await readCatalog(url)
  const told = [...catalog]
    .filter(([table]) => table !== 'platform_migration')
    .map(([table, { columns, constraints }]) => [table, [...columns], [...constraints]])
  return createHash('sha256').update(JSON.stringify(told)).digest('hex')
}

/**
 * @param makeEmpty a database in which there is nothing yet, to go the same way without being killed
 * @returns how many migrations were applied, and all of each of them
 * @throws Error when it stands between two
 */
export async function placeOf(url: string, makeEmpty: () => Promise<{ readonly url: string }>): Promise<number> {
  const count = await applied(url)
  const peer = await makeEmpty()
  const last = (await listMigrations())[count - 1]
  if (last !== undefined) await migrate(peer.url, migrationsFolder, last.name)
  if ((await fingerprint(url)) !== (await fingerprint(peer.url)))
    throw new Error(`after ${String(count)} migrations the tables are others`)
  return count
}

const program = fileURLToPath(new URL('migrate.test-program.ts', import.meta.url))

export function startMigrating(url: string) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    /** Its exit code; null: it was killed. */
    ended,
    /** Once so many are applied, or it has ended. */
    async after(count: number) {
      while (child.exitCode === null && (await applied(url)) < count) await new Promise(setImmediate)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
