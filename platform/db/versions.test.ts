import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { readCatalog, whatBreaks } from '../../testing/migrations/read-catalog.ts'
import { placeOf, startMigrating } from '../../testing/migrations/kill-migrations.ts'
import { listMigrations, migrate, MigrationRefused, migrationsFolder } from './migrate.ts'

/** Those before it were applied with everything stopped. */
const lastUngoverned = '0086_identity_renewed.sql'

async function emptyDatabase() {
  const database = await createTestDatabase({ migrated: false })
  onTestFinished(async () => await database.drop())
  return database
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'probant-versions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const saidIn = (text: string, what: 'widens' | 'contracts'): string[] =>
  [...text.matchAll(new RegExp(`^-- ${what}: (\\S+)$`, 'gm'))].map(([, name = '']) => name)

test('no migration breaks the version before it, but what says since which it contracts', async () => {
  const { url } = await emptyDatabase()
  const names = (await listMigrations()).map(({ name }) => name)
  const governed = names.filter((name) => name > lastUngoverned)
  expect(governed.length).toBeGreaterThan(0)
  await migrate(url, migrationsFolder, lastUngoverned)
  let before = await readCatalog(url)
  expect(before.size).toBeGreaterThan(50)
  for (const name of governed) {
    const text = readFileSync(join(migrationsFolder, name), 'utf8')
    await migrate(url, migrationsFolder, name)
    const after = await readCatalog(url)
    const [since] = saidIn(text, 'contracts')
    if (since === undefined) expect(whatBreaks(before, after, new Set(saidIn(text, 'widens'))), name).toEqual([])
    else expect(names.indexOf(since), `${name} contracts since ${since}`).toBeLessThan(names.indexOf(name))
    before = after
  }
})

test.each([
  ['drop table note', 'note is gone'],
  ['alter table note rename to remark', 'note is gone'],
  ['alter table note drop column words', 'note.words is gone'],
  ['alter table note rename column words to said', 'note.words is gone'],
  ['alter table note alter column size type bigint', 'note.size was integer and is bigint'],
  ["update note set words = ''; alter table note alter column words set not null", 'note.words may be null no more'],
  ['alter table note alter column size drop default', 'note.size has no default any more'],
  ['alter table note add column who uuid not null', 'note.who is new, and has to be given'],
  ['alter table note add check (size > 0)', 'note: note_size_check is new or another (CHECK ((size > 0)))'],
  ['create unique index once on note (words)', 'note: once is new or another'],
  ['alter table note add foreign key (size) references other (id)', 'note: note_size_fkey is new or another'],
  ['alter table note add column who uuid, add column n int not null default 1 check (n > 0)', null],
  ['create table remark (id int primary key); create index on note (words)', null],
  ["alter table note drop constraint kind_known, add constraint kind_known check (kind in ('a', 'b', 'c')) -- widens", null],
])('%s', async (statement, fault) => {
  const { url, db } = await emptyDatabase()
  await sql
    .raw(
      `create table other (id int primary key);
       create table note (words text, size int not null default 0, kind text constraint kind_known check (kind in ('a', 'b')))`,
    )
    .execute(db)
  const before = await readCatalog(url)
  await sql.raw(statement).execute(db)
  const found = whatBreaks(before, await readCatalog(url), new Set(statement.includes('-- widens') ? ['kind_known'] : []))
  if (fault === null) expect(found).toEqual([])
  else expect(found.join('; ')).toContain(fault)
})

test('a version goes back onto the database of the next one, until that contracts what it rests on', async () => {
  const { url } = await emptyDatabase()
  const [older, newer] = [emptyFolder(), emptyFolder()]
  const write = (folders: readonly string[], name: string, text: string) => {
    for (const folder of folders) writeFileSync(join(folder, name), text)
  }
  write([older, newer], '0001_first.sql', 'create table a (x int);')
  write([newer], '0002_expands.sql', 'alter table a add column y int;')
  await migrate(url, older)
  await migrate(url, newer)
  expect(await migrate(url, older)).toEqual([])
  // Once every process is of a version that knows 0002.
  write([newer], '0003_contracts.sql', '-- contracts: 0002_expands.sql\nalter table a drop column x;')
  await migrate(url, newer)
  await expect(migrate(url, older)).rejects.toThrow(
    new MigrationRefused('the database was migrated by 0003_contracts.sql, which needs a version that has 0002_expands.sql'),
  )
  write([older], '0002_expands.sql', 'alter table a add column y int;')
  expect(await migrate(url, older)).toEqual([])
  // What stands between those that it knows was never of another version.
  rmSync(join(older, '0001_first.sql'))
  await expect(migrate(url, older)).rejects.toThrow('which this version does not have')
  const wrong = emptyFolder()
  mkdirSync(wrong, { recursive: true })
  write([wrong], '0001_first.sql', '-- contracts: 0009_none.sql\nselect 1;')
  const { url: other } = await emptyDatabase()
  await expect(migrate(other, wrong)).rejects.toThrow(
    '0001_first.sql contracts since 0009_none.sql, which does not come before it',
  )
})

test('a migration that is killed leaves what was before or what is after, and the next start completes it, two at once too', async () => {
  const all = (await listMigrations()).length
  for (const part of [0.3, 0.7]) {
    const { url } = await emptyDatabase()
    const killed = startMigrating(url)
    await killed.after(Math.floor(all * part))
    await killed.kill()
    expect(await placeOf(url, emptyDatabase)).toBeGreaterThanOrEqual(Math.floor(all * part))
    const [one, other] = [startMigrating(url), startMigrating(url)]
    expect(await Promise.all([one.ended, other.ended])).toEqual([0, 0])
    expect(await placeOf(url, emptyDatabase)).toBe(all)
  }
})
