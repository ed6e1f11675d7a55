import { spawn } from 'node:child_process'
import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openJournal } from './journal.ts'
import { journalLine, proofKinds, type JournalLine } from './journal-lines.ts'

let all = ''
let path = ''
beforeAll(async () => {
  all = await mkdtemp(join(tmpdir(), 'probant-journal-'))
})
beforeEach(async () => {
  path = join(await mkdtemp(join(all, 'case-')), 'journal')
})
afterAll(async () => await rm(all, { recursive: true, force: true }))

const day = 24 * 3_600_000
const nowhere = { paths: new Set<string>(), stems: new Set<string>() }
const contentOf = (i: number) => i.toString(16).padStart(64, '0')
function content(i: number, file: string, proofs: readonly (typeof proofKinds)[number][] = proofKinds): JournalLine[] {
  const [sha256, mark] = [contentOf(i), randomUUIDv7()]
  return [
    { t: 'file', path: file, base: file, look: '1', sha256 },
    { t: 'wanted', sha256, sha512: '', mark, name: null, label: null, store: true, replaces: null, after: null },
    { t: 'deposited', mark, id: randomUUID(), earlier: null },
    { t: 'piece', mark, upload: randomUUID(), part: 0, parts: 3 },
    { t: 'place', path: file, sha256, stem: `${file}.${String(i)}` },
    ...proofs.map((kind) => ({ t: 'proof' as const, path: file, sha256, kind })),
  ]
}
/** What a journal comes to, whoever opens it. */
async function read() {
  const journal = await openJournal(path)
  const { wanted, kept, looks, stems } = journal
  await journal.close()
  return { wanted, kept, looks, stems }
}

test('written anew it says the same, in fewer lines', async () => {
  const journal = await openJournal(path, { longFrom: 100 })
  await journal.add([...content(1, '/a', ['tsr']), ...content(2, '/b')])
  expect(journal.isLong()).toBe(false)
  // Looked at again and again, and what was wished of it was wished again.
  for (let i = 0; i < 100; i += 1)
    await journal.add([{ t: 'file', path: '/a', base: '/a', look: String(i), sha256: contentOf(1) }])
  expect(journal.isLong()).toBe(true)
  const before = await read()
  expect(await journal.shorten({ paths: new Set(['/a', '/b']), stems: new Set() }, new Date())).toBe(0)
  expect(journal.isLong()).toBe(false)
  expect(await read()).toEqual(before)
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  expect([lines.length < 20, lines.every((each) => journalLine.safeParse(JSON.parse(each)).success)]).toEqual([true, true])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  // It goes on where it now is.
  await journal.add(content(3, '/c'))
  await journal.close()
  expect((await read()).wanted.size).toBe(3)
})

test('forgotten is what no file holds any more once all was done for it, and not what a folder of a network hides for a while', async () => {
  const journal = await openJournal(path)
  const start = new Date()
  const after = (days: number) => new Date(start.getTime() + days * day)
  await journal.add([
    ...content(1, '/changed'),
    ...content(2, '/changed', ['tsr', 'ers']),
    ...content(3, '/changed', ['tsr']),
    ...content(4, '/changed'),
    ...content(5, '/hidden'),
    ...content(6, '/here'),
    ...content(7, '/here/too'),
    { t: 'file', path: '/copy of 1', base: '/copy of 1', look: '1', sha256: contentOf(6) },
  ])
  const there = { paths: new Set(['/changed', '/here', '/copy of 1']), stems: new Set(['/changed.1']) }
  const left = () => [...journal.wanted.keys()].map((sha256) => Number.parseInt(sha256, 16))
  expect(await journal.shorten(there, start)).toBe(1)
  expect(left()).toEqual([2, 3, 4, 5, 6, 7])
  // Its proofs are there still, and are none of the files to be stamped.
  expect([journal.stems.has('/changed.1'), journal.stems.has('/changed.4')]).toEqual([true, true])
  // Away, and there again: from then on the days count anew.
  expect(await journal.shorten(nowhere, after(1))).toBe(0)
  expect(await journal.shorten({ ...there, paths: new Set([...there.paths, '/hidden']) }, after(29))).toBe(0)
  expect(await journal.shorten(there, after(40))).toBe(1)
  expect(left()).toEqual([2, 3, 4, 5, 6])
  await journal.close()
  const again = await openJournal(path)
  expect(await again.shorten({ paths: there.paths, stems: new Set() }, after(71))).toBe(1)
  expect([...again.wanted.keys()]).toEqual([2, 3, 4, 6].map(contentOf))
  expect(again.stems.has('/changed.1')).toBe(false)
  // The anchor's proofs are waited for ninety days; those of the stamp for as long as it takes.
  expect(await again.shorten({ paths: there.paths, stems: new Set() }, after(91))).toBe(1)
  expect([...again.wanted.keys()]).toEqual([3, 4, 6].map(contentOf))
  await again.close()
})

test('killed while it is written anew, whatever was noted is there', async () => {
  const program = join(import.meta.dirname, 'shorten-and-die.test-program.ts')
  const journal = await openJournal(path)
  for (let i = 0; i < 3000; i += 1)
    if (i % 100 === 0) await journal.add(Array.from({ length: 100 }, (_, k) => content(i + k, `/${String(i + k)}`)).flat())
  await journal.close()
  const noted: string[] = []
  for (const kill of [1, 2, 4]) {
    const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    createInterface({ input: child.stdout }).on('line', (line) => noted.push(line))
    const closed = once(child.stdout, 'close')
    let begun = 0
    const watching = watch(join(path, '..'), (_, name) => {
      // It has just begun another one.
      if (name?.endsWith('.new') === true && (begun += 1) >= kill) child.kill('SIGKILL')
    })
    expect(await ended).toEqual([null, 'SIGKILL'])
    await closed
    watching.close()
    const { wanted } = await read()
    expect(noted.filter((sha256) => !wanted.has(sha256))).toEqual([])
    expect(wanted.size).toBeGreaterThanOrEqual(3000 + noted.length)
  }
  // What it left of one that it did not finish goes with the next.
  await writeFile(`${path}.${randomUUID()}.new`, '{"t":"wan')
  await appendFile(path, '{"t":"wan')
  const last = await openJournal(path)
  const everything = { has: () => true }
  await last.shorten({ paths: everything, stems: everything }, new Date())
  await last.close()
  expect(await readdir(join(path, '..'))).toEqual(['journal'])
})
