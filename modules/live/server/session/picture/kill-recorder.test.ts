import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assembleRecording } from './assemble-recording.ts'
import { recordingFiles } from './sample-index.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'killed-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('what was recorded until `kill -9` is made into a file, but for three seconds at most', async () => {
  const folder = join(dir, 'recording')
  const program = fileURLToPath(new URL('record-until-killed.test-program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  let given = 0
  for await (const line of createInterface(child.stdout)) {
    given = Number(line)
    if (given === 120) child.kill('SIGKILL')
  }
  const index = await assembleRecording(folder, join(dir, 'session.mp4'))
  const samples = index?.samples ?? []
  expect(samples.length).toBeGreaterThanOrEqual(given - 75)
  for (const [i, { sha256, time }] of samples.entries()) {
    expect(time).toBe(i * 40_000)
    expect(
      sha256.equals(
        createHash('sha256')
          .update(Buffer.alloc(5_000, `picture ${i} `))
          .digest(),
      ),
    ).toBe(true)
  }
  // A record that was being written, and one whose bytes are not all there, are none.
  const files = recordingFiles(folder)
  await appendFile(files.index, Buffer.alloc(20))
  await truncate(files.samples, (samples.length - 1) * 5_000 + 17)
  const cut = await assembleRecording(folder, join(dir, 'cut.mp4'))
  expect(cut?.samples.length).toBe(samples.length - 1)
})
