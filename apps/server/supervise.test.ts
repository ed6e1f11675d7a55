import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { signalQuietly } from '../../platform/db/postgres-processes.ts'
import { bequeathMachine, inheritMachine, learnMachine } from '../../testing/known-machine.ts'
import { selling } from '../../testing/selling.ts'

/** Each test starts whole installations, on a machine that may be busy with other tests; nothing here measures time. */
vi.setConfig({ testTimeout: 300_000 })

const file = fileURLToPath(new URL('./supervise.ts', import.meta.url))

type Running = { readonly process: ChildProcess; readonly origin: string; readonly databaseUrl: string; output(): string }

const folders: string[] = []
const children: ChildProcess[] = []
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'probant-supervise-'))
  folders.push(folder)
  return folder
}

/** Every process that works on this data folder: the supervisor and the roles by their environment, PostgreSQL by its arguments. */
function processesOf(folder: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const state = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /, '')[0]
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8')
        const cwd = command.startsWith('postgres:') ? readFileSync(`/proc/${name}/cwd/postmaster.opts`, 'utf8') : ''
        const ours = state !== 'Z' && [command, environment, cwd].some((text) => text.includes(folder))
        return ours ? [{ pid: Number(name), command }] : []
      } catch {
        return []
      }
    })
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(20)
}

/** Where Node keeps what it compiled, if anywhere: each of many starts is quicker by half. */
const compiled = process.env['NODE_COMPILE_CACHE']
const chromium = process.env['PROBANT_CHROMIUM']
const kept = {
  ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
  ...(chromium === undefined ? {} : { PROBANT_CHROMIUM: chromium }),
}

function launch(folder: string, env: Record<string, string> = {}): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [file], {
    // Browsers that wait have tests of their own; here they would only slow each of many starts.
    env: { ...kept, PATH: process.env['PATH'], PROBANT_DATA: folder, PORT: '0', PROBANT_WARM_BROWSERS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, output: () => text }
}

async function start(folder: string, env: Record<string, string> = {}): Promise<Running> {
  inheritMachine(folder)
  const { child, output } = launch(folder, env)
  await until(() => /Probant is ready at \S+\n/.test(output()) || child.exitCode !== null)
  const origin = /Probant is ready at (\S+)\n/.exec(output())?.[1]
  if (origin === undefined) throw new Error(`not started: ${output()}`)
  return { process: child, origin, databaseUrl: `postgresql://probant@/probant?host=${join(folder, 'postgres/run')}`, output }
}

async function healthy(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/health/`)).status === 200
  } catch {
    return false
  }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

beforeAll(learnMachine)
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) {
    for (const { pid } of processesOf(folder)) signalQuietly(pid, 'SIGKILL')
    bequeathMachine(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
})

describe('supervisor', () => {
  test('runs one process per role and the database; refuses its folder to a second; brings each back after SIGKILL, one after the other', async () => {
    const folder = newFolder()
    const running = await start(folder)
    expect(await healthy(running.origin)).toBe(true)
    const commands = processesOf(folder).map(({ command }) => command)
    for (const role of ['web', 'worker', 'capture'])
      expect(commands.filter((command) => command.includes(`--role ${role}`))).toHaveLength(1)
    expect(commands.filter((command) => command.includes('bin/postgres -D'))).toHaveLength(1)
    const second = launch(folder)
    expect(await once(second.child, 'exit')).toEqual([1, null])
    expect(second.output()).toContain('is in use by another running process')
    expect(await healthy(running.origin)).toBe(true)
    await query(running.databaseUrl, 'create table kept as select 1 as x')
    for (const command of ['--role web', '--role worker', '--role capture', 'bin/postgres -D']) {
      const find = () => processesOf(folder).find((each) => each.command.includes(command))?.pid
      const killed = find()
      expect(killed, command).toBeDefined()
      process.kill(killed ?? 0, 'SIGKILL')
      await until(() => find() !== undefined && find() !== killed)
      await until(async () => await healthy(running.origin))
      expect(await query(running.databaseUrl, 'select x from kept'), command).toEqual([{ x: 1 }])
    }
    running.process.kill('SIGINT')
    expect(await once(running.process, 'exit')).toEqual([0, null])
    expect(processesOf(folder)).toEqual([])
  })

  test('killed with SIGKILL, leaves no process; started again at once, has lost nothing; leaves none after SIGTERM', async () => {
    const folder = newFolder()
    let running = await start(folder)
    await query(running.databaseUrl, 'create table kept (x int)')
    for (let round = 1; round <= 3; round += 1) {
      await query(running.databaseUrl, `insert into kept values (${round})`)
      running.process.kill('SIGKILL')
      await once(running.process, 'exit')
      running = await start(folder)
      expect(await query(running.databaseUrl, 'select count(*)::int as n from kept')).toEqual([{ n: round }])
      expect(processesOf(folder).filter(({ command }) => command.includes('--role web'))).toHaveLength(1)
    }
    running.process.kill('SIGTERM')
    expect(await once(running.process, 'exit')).toEqual([0, null])
    expect(processesOf(folder)).toEqual([])
  })

  test('H-42 where reports are paid for and no provider is named, runs a simulator; killed with SIGKILL, leaves neither it nor any other process', async () => {
    const folder = newFolder()
    const running = await start(folder, selling)
    const simulators = () => processesOf(folder).filter(({ command }) => command.includes('testing/mangopay/serve.ts'))
    const isTest = async () => {
      const answer = await fetch(`${running.origin}/subscriptions/plans/`)
      return ((await answer.json()) as { test: boolean }).test
    }
    expect([simulators().length, await isTest()]).toEqual([1, true])
    const [killed] = simulators()
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    await until(() => simulators().some(({ pid }) => pid !== killed?.pid))
    running.process.kill('SIGKILL')
    await until(() => processesOf(folder).length === 0)
  })

  test('refuses a wrong configuration by name, before anything starts', async () => {
    const folder = newFolder()
    const { child, output } = launch(folder, { PROBANT_TYPO: '1', PORT: 'x' })
    expect(await once(child, 'exit')).toEqual([78, null])
    expect(output()).toBe('PROBANT_TYPO is not a setting\nPORT must be a whole number from 0 to 65535\n')
    expect(readdirSync(folder)).toEqual([])
  })
})
