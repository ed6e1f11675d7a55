import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { repeatSessions } from '../../testing/repeat-sessions.ts'
import { isRunning, processTree } from '../browser/process-tree.ts'
import { sweepSessionFolders } from '../browser/session-folder.ts'

test('sessions that are killed at random, or one of whose programs is, leave no process, folder or socket', async () => {
  const outcome = await repeatSessions({ count: 12, atATime: 3, seed: 5 })
  expect(outcome.up).toBeGreaterThan(0)
  expect(outcome.pictures).toBeGreaterThan(0)
  expect(outcome.processesSeen).toBeGreaterThan(12 * 5)
  expect(outcome).toMatchObject({ sessions: 12, processes: 0, folders: 0, sockets: 0 })
})

test('kill -9 of the owner ends display, sound, encoder and browser, and both its folders are swept', async () => {
  const owner = spawn(process.execPath, [join(import.meta.dirname, 'hold-display.test-program.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(owner.stdout, 'data')) as [Buffer]
  const { pid, path } = JSON.parse(line.toString()) as { pid: number; path: string }
  const tree = await processTree(pid)
  for (const name of ['Xvfb', 'pulseaudio', 'ffmpeg', 'xdotool', 'chromium'])
    expect(tree.map((entry) => entry.name)).toContain(name)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await expect.poll(async () => (await Promise.all(tree.map(isRunning))).filter(Boolean).length, { timeout: 60_000 }).toBe(0)
  const own = async () => (await readdir(dirname(path))).filter((name) => name.startsWith(`${String(owner.pid)}-`))
  await sweepSessionFolders()
  expect(await own()).toEqual([])
})
