import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../testing/database.ts'
import { runTool } from '../../../testing/keyring.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { openJournal } from './journal.ts'
import { isComplete } from './journal-state.ts'
import { readStampOptions } from './options.ts'
import { createReport } from './report.ts'
import { createServerCalls } from './server-calls.ts'
import { openStampServer } from './stamp-server.test-data.ts'
import { watchFolder } from './watch-folder.ts'

const database = withDatabase()
let server: Awaited<ReturnType<typeof openStampServer>>
let person: Awaited<ReturnType<typeof server.person>>
let home = ''
let folder = ''
let running: ChildProcess | null = null
beforeAll(async () => {
  server = await openStampServer(database.db)
})
beforeEach(async () => {
  server.whenDone(() => undefined)
  person = await server.person()
  home = await mkdtemp(join(server.folder, 'home-'))
  folder = join(home, 'watched')
  await mkdir(folder)
})
afterEach(async () => await kill())
afterAll(async () => await server.close())

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
type Line = { file: string; sha256: string; state: string; code: string | null; proofs: Record<string, string> }

/** Where Node keeps what it compiled, if anywhere: each of many starts is quicker by half. */
const compiled = process.env['NODE_COMPILE_CACHE']
const kept = compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }

/** The program itself, as a process of its own; what it prints, line by line. */
function watch(...more: readonly string[]) {
  const program = join(import.meta.dirname, '../probant.ts')
  const child = spawn(process.execPath, [program, 'stamp', '--watch', folder, '--every', '0.1', '--json', ...more], {
    env: { ...kept, PATH: process.env['PATH'] ?? '', HOME: home, PROBANT_API_URL: server.address, PROBANT_API_KEY: person.key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as Line)
    for (const each of waiting) each()
  })
  return {
    child,
    said,
    lines,
    /** Resolves once it has printed so many lines. */
    async printed(count: number): Promise<Line[]> {
      while (lines.length < count) {
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve)
          child.once('exit', (code) => reject(new Error(`it ended with ${String(code)}: ${said.join('\n')}`)))
        })
      }
      return lines
    },
    async says(words: RegExp): Promise<void> {
      while (!said.some((line) => words.test(line))) await once(child.stderr, 'data')
    },
  }
}

async function kill(): Promise<void> {
  const child = running
  running = null
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('what is in the folder, comes and changes is stamped; what is written as proof, hidden, a link or deleted is not', async () => {
  await mkdir(join(folder, 'inner'))
  await mkdir(join(folder, '.git'))
  await writeFile(join(folder, 'inner/there.txt'), 'there')
  await writeFile(join(folder, '.git/config'), 'hidden')
  await symlink('/etc/passwd', join(folder, 'link'))
  const program = watch()
  await program.printed(1)
  await writeFile(join(folder, 'new.txt'), 'first')
  await program.printed(2)
  await writeFile(join(folder, 'new.txt'), 'second')
  await program.printed(3)
  // Moved and deleted, it is the same content: nothing is deposited.
  await rename(join(folder, 'new.txt'), join(folder, 'moved.txt'))
  await rm(join(folder, 'inner/there.txt'))
  await program.printed(4)
  const [there, first, second, moved] = program.lines
  expect([there?.file, there?.proofs['tsr']]).toEqual([join(folder, 'inner/there.txt'), join(folder, 'inner/there.txt.tsr')])
  expect([first?.proofs['tsr'], second?.proofs['tsr']]).toEqual([
    join(folder, 'new.txt.tsr'),
    join(folder, `new.txt.${sha256('second').slice(0, 8)}.tsr`),
  ])
  expect([moved?.sha256, moved?.proofs['ers']]).toEqual([sha256('second'), join(folder, 'moved.txt.ers')])
  const deposits = await server.depositsOf(person.userId)
  // What a file was before is what its new content declares to replace.
  expect(deposits.map((each) => [each.sha256.toString('hex'), each.name, each.replaces])).toEqual([
    [sha256('there'), 'there.txt', null],
    [sha256('first'), 'new.txt', null],
    [sha256('second'), 'new.txt', deposits[1]?.id],
  ])
  const query = await runTool(folder, 'openssl', 'ts', '-reply', '-in', 'moved.txt.tsr', '-text')
  expect(query.output).toContain('Status: Granted')
  const ended = once(program.child, 'exit')
  program.child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

/** The same in this process, where a test says what happens between two looks. */
async function inProcess(longFrom?: number) {
  const stop = new AbortController()
  const said: string[] = []
  const access = { server: new URL(server.address), key: person.key }
  const calls = createServerCalls(access, { locale: 'en', signal: stop.signal, onWait: () => undefined })
  const journal = await openJournal(join(home, 'journal'), longFrom === undefined ? {} : { longFrom })
  const stderr = { write: (text: string) => void said.push(text) }
  const report = createReport({ stdout: { write: () => undefined }, stderr }, createMessages('en'), false)
  return { stop, journal, said, deps: { journal, calls, report, signal: stop.signal, folder } }
}
function optionsOf(...more: readonly string[]) {
  const options = readStampOptions(['--watch', folder, ...more])
  if (options === null) throw new Error('they are options')
  return options
}

test('a file is left alone while each look finds it changed', async () => {
  const growing = join(folder, 'growing.log')
  await writeFile(growing, 'more\n')
  const { deps, stop, journal } = await inProcess()
  const deposited: number[] = []
  let looks = 1
  const pause = async () => {
    deposited.push(journal.wanted.size)
    looks += 1
    if (looks <= 6) await appendFile(growing, 'more\n')
    else if (journal.kept.values().some((kept) => isComplete(kept))) stop.abort()
  }
  expect(await watchFolder({ ...deps, pause }, optionsOf())).toBe(0)
  await journal.close()
  // Six looks at which it was longer, one at which it was as at the last: then it was read.
  expect(deposited.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 1])
  expect([...journal.wanted.keys()]).toEqual([sha256('more\n'.repeat(6))])
})

test('a folder that goes away for a while is waited for', async () => {
  await writeFile(join(folder, 'one.txt'), 'one')
  const { deps, stop, journal, said } = await inProcess()
  let looks = 1
  const pause = async () => {
    looks += 1
    if (looks === 3) await rename(folder, `${folder}.away`)
    if (looks === 5) {
      await rename(`${folder}.away`, folder)
      await writeFile(join(folder, 'two.txt'), 'two')
    }
    if (looks > 5 && journal.kept.size === 2 && journal.kept.values().every((kept) => isComplete(kept))) stop.abort()
  }
  expect(await watchFolder({ ...deps, pause }, optionsOf())).toBe(0)
  await journal.close()
  expect(said.filter((line) => /ENOENT/.test(line))).toHaveLength(1)
  expect([...journal.wanted.keys()].toSorted()).toEqual([sha256('one'), sha256('two')].toSorted())
})

test('killed when its deposit was made and before it knew, it goes on and deposits nothing twice', async () => {
  const files = Array.from({ length: 12 }, (_, i) => `file ${String(i)}`)
  for (const content of files) await writeFile(join(folder, `${content}.txt`), content)
  let killed = 0
  server.whenDone(async ({ call }) => {
    if (call === 'POST /documents/batches/' && killed === 0) {
      killed += 1
      await kill()
    }
  })
  const first = watch()
  await once(first.child, 'exit')
  expect([killed, (await server.depositsOf(person.userId)).length]).toEqual([1, 12])
  // Killed again in the middle of the proofs.
  let downloads = 0
  server.whenDone(async ({ call }) => {
    if (call === 'GET /deposits/:id/:file/') downloads += 1
    if (downloads === 7) await kill()
  })
  const second = watch()
  await once(second.child, 'exit')
  server.whenDone(() => undefined)
  const third = watch()
  await third.printed(1)
  for (;;) {
    const written = await Promise.all(
      files.map(
        async (name) =>
          await readFile(join(folder, `${name}.txt.ers`)).then(
            () => true,
            () => false,
          ),
      ),
    )
    if (written.every(Boolean)) break
    await third.printed(third.lines.length + 1)
  }
  const deposits = await server.depositsOf(person.userId)
  expect(deposits.map((each) => each.sha256.toString('hex')).toSorted()).toEqual(files.map(sha256).toSorted())
  expect((await runTool(folder, 'sh', '-c', 'ls -A | grep -c part')).output.trim()).toMatch(/^[01]$/)
})

test('a folder is watched by one program, and a server that is away is waited for', async () => {
  await writeFile(join(folder, 'waiting.txt'), 'waiting')
  await server.stop()
  const program = watch()
  await program.says(/cannot be reached/)
  const other = watch()
  const [code] = (await once(other.child, 'exit')) as [number]
  expect([code, other.said.join('')]).toEqual([3, expect.stringContaining('being watched by another program')])
  running = program.child
  await server.start()
  await program.printed(1)
  expect(program.said.some((line) => /answers again/.test(line))).toBe(true)
  expect(await server.depositsOf(person.userId)).toHaveLength(1)
})

/** Between two looks: the first of the steps whose time has come. */
const stepwise = (steps: (readonly [when: () => boolean, does: () => Promise<void> | void])[]) => async (): Promise<void> => {
  const [next] = steps
  if (next?.[0]() !== true) return await new Promise((resolve) => setImmediate(resolve))
  steps.shift()
  await next[1]()
}

test('of what changed while the server was away each content replaces the one before; a former deposit that is not there is not named, which is said', async () => {
  const path = join(folder, 'contract.txt')
  const { deps, stop, journal } = await inProcess()
  const isNoted = (content: string) => journal.wanted.has(sha256(content))
  const isDone = (content: string) => journal.kept.values().some((kept) => kept.sha256 === sha256(content) && isComplete(kept))
  await writeFile(path, 'v1')
  const pause = stepwise([
    [() => isDone('v1'), async () => (await server.stop(), await writeFile(path, 'v2'))],
    [() => isNoted('v2'), async () => await writeFile(path, 'v3')],
    [() => isNoted('v3'), async () => await server.start()],
    [() => isDone('v2') && isDone('v3'), () => stop.abort()],
  ])
  expect(await watchFolder({ ...deps, pause }, optionsOf())).toBe(0)
  await journal.close()
  const deposits = await server.depositsOf(person.userId)
  expect(deposits.map((each) => [each.sha256.toString('hex'), each.replaces])).toEqual([
    [sha256('v1'), null],
    [sha256('v2'), deposits[0]?.id],
    [sha256('v3'), deposits[1]?.id],
  ])
  // From now on with a key of another account, which has no such deposit.
  person = await server.person()
  const other = await inProcess()
  await writeFile(path, 'v4')
  const isOver = () => other.journal.wanted.get(sha256('v4'))?.id != null
  expect(await watchFolder({ ...other.deps, pause: stepwise([[isOver, () => other.stop.abort()]]) }, optionsOf())).toBe(0)
  await other.journal.close()
  expect(other.said.filter((line) => line.includes('is not to be found'))).toHaveLength(1)
  expect(await server.depositsOf(person.userId)).toMatchObject([{ name: 'contract.txt', replaces: null }])
})

test('the journal is written anew without what no file holds any more; what is left there of proofs is stamped by nobody', async () => {
  const { deps, stop, journal, said } = await inProcess(30)
  const path = join(folder, 'changing.txt')
  const versions = Array.from({ length: 8 }, (_, i) => `version ${String(i)}`)
  const isDone = (content: string) => journal.kept.values().some((kept) => kept.sha256 === sha256(content) && isComplete(kept))
  await writeFile(path, versions[0] ?? '')
  await writeFile(join(folder, 'staying.txt'), 'staying')
  const wait = 100 * 24 * 3_600_000
  const clock = { now: () => new Date(Date.now() + wait) }
  const steps = versions
    .slice(1)
    .map((next, i) => [() => isDone(versions[i] ?? ''), async () => await writeFile(path, next)] as const)
  const last = versions.at(-1) ?? ''
  const pause = stepwise([...steps, [() => isDone(last) && isDone('staying'), () => stop.abort()]])
  expect(await watchFolder({ ...deps, pause, clock }, optionsOf('--no-replaces'))).toBe(0)
  await journal.close()
  expect(said.filter((line) => line.includes('written anew')).length).toBeGreaterThan(0)
  const again = await openJournal(join(home, 'journal'))
  expect(again.wanted.size).toBeLessThan(versions.length + 1)
  expect([...again.wanted.values()].find((each) => each.sha256 === sha256(last))?.id).toBeTypeOf('string')
  expect(again.looks.size).toBe(2)
  await again.close()
  const deposits = await server.depositsOf(person.userId)
  expect(deposits.map((each) => each.sha256.toString('hex')).toSorted()).toEqual([...versions, 'staying'].map(sha256).toSorted())
  expect(deposits.every(({ replaces }) => replaces === null)).toBe(true)
  expect((await readdir(home)).filter((name) => name.endsWith('.new'))).toEqual([])
})

test('a copy of what is watched is uploaded and kept, while other files go on being stamped', async () => {
  const { deps, stop, journal, said } = await inProcess()
  await writeFile(join(folder, 'large.bin'), Buffer.alloc(9 * 2 ** 20, 7))
  const copyOf = (content: string | Buffer) => journal.wanted.get(createHash('sha256').update(content).digest('hex'))?.copy?.state
  const pause = stepwise([
    [() => copyOf(Buffer.alloc(9 * 2 ** 20, 7)) === 'stored', async () => await writeFile(join(folder, 'small.txt'), 'small')],
    [() => copyOf('small') === 'stored', () => stop.abort()],
  ])
  expect(await watchFolder({ ...deps, pause }, optionsOf('--store'))).toBe(0)
  await journal.close()
  const { rows } = await sql<{ state: string }>`
    select c.state from document_copy c where c.owner_id = ${person.userId}::uuid`.execute(database.db)
  expect(rows.map(({ state }) => state)).toEqual(['stored', 'stored'])
  expect(said.filter((line) => line.includes('is kept until'))).toHaveLength(2)
})
