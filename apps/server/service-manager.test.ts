import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog, type Log } from '../../platform/log/log.ts'
import { openServiceManager } from './service-manager.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-manager-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The other end of the socket, one datagram a line, as systemd would read them. */
async function listen(): Promise<{ socket: string; words(): AsyncIterator<string>; close(): Promise<void> }> {
  const socket = join(folder, 'notify')
  const program = join(folder, 'listen.py')
  await writeFile(
    program,
    'import socket, sys\ns = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\ns.bind(sys.argv[1])\nprint("bound", flush=True)\nwhile True: print(s.recv(4096).decode().replace("\\n", " "), flush=True)\n',
  )
  const child = spawn('python3', [program, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('bound')
  return {
    socket,
    words: () => lines,
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** The next that is about the state, not about the reading itself. */
async function nextState(words: AsyncIterator<string>): Promise<string> {
  for (;;) {
    const { value, done } = await words.next()
    if (done === true) throw new Error('nothing more is said')
    if (!value.includes('BARRIER=1')) return value
  }
}

test('says that it is ready, that it lives for as long as it does, and that it ends', async () => {
  const manager = await listen()
  const words = manager.words()
  const told = openServiceManager(
    { PATH: process.env['PATH'], NOTIFY_SOCKET: manager.socket, WATCHDOG_USEC: '200000', WATCHDOG_PID: String(process.pid) },
    silentLog,
  )
  await told.ready()
  expect(await nextState(words)).toContain('READY=1')
  expect(await nextState(words)).toBe('WATCHDOG=1')
  expect(await nextState(words)).toBe('WATCHDOG=1')
  await told.stopping()
  let last = await nextState(words)
  while (last === 'WATCHDOG=1') last = await nextState(words)
  expect(last).toBe('STOPPING=1')
  await manager.close()
})

test('without a manager nobody is told; one that cannot be told is logged, and hinders nothing', async () => {
  await openServiceManager({}, silentLog).ready()
  const errors: unknown[] = []
  const log: Log = { ...silentLog, error: (first: unknown) => errors.push(first) }
  await openServiceManager({ PATH: process.env['PATH'], NOTIFY_SOCKET: join(folder, 'absent') }, log).ready()
  expect(errors).toHaveLength(1)
})
