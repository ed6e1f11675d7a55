import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headCommand } from '../instructions/verify-commands.ts'
import { readTimeline } from './read-timeline.ts'
import { emptySession, fullSession, sampleTimeline } from '../sample-session.test-data.ts'

const run = promisify(execFile)

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timeline-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('readTimeline', () => {
  it('counts what was done, each key once, and finds the lines of pages and screenshots', async () => {
    const file = join(folder, 'timeline.jsonl')
    await writeFile(file, sampleTimeline)
    const read = await readTimeline({ path: 'capture/timeline.jsonl', file }, fullSession)
    expect(read).toMatchObject({
      state: 'read',
      lines: 27,
      leftOut: 7,
      unread: 0,
      counts: { clicks: 2, wheel: 1, touches: 1, keys: 1, texts: 1, pastes: 1, masked_inputs: 2, zoom: 0, requests: 0 },
      navigationLines: [4, 5, 6, 7, 8, 9, 10, 11],
      screenshotLines: new Map([
        [1, 25],
        [2, 26],
      ]),
    })
  })

  it('counts nothing of lines that are not of the form, and says how many they are', async () => {
    const file = join(folder, 'broken.jsonl')
    await writeFile(file, '{"ms":1,"type":"zoom","data":{}}\n{"ms":"1","type":"zoom","data":{}}\nnot json\n[]\n')
    expect(await readTimeline({ path: 'p', file }, emptySession)).toMatchObject({ lines: 4, unread: 3, counts: { zoom: 1 } })
  })

  it('reads no more than a timeline may hold, and nothing where there is none', async () => {
    const file = join(folder, 'large.jsonl')
    await writeFile(file, '')
    await truncate(file, 128 * 1024 * 1024 + 1)
    expect(await readTimeline({ path: 'p', file }, emptySession)).toEqual({ state: 'too_large', path: 'p' })
    expect(await readTimeline(null, emptySession)).toEqual({ state: 'absent' })
  })
})

it('the command that the report gives prints the digest of the last line, which it names', async () => {
  await mkdir(join(folder, 'capture'))
  await writeFile(join(folder, 'capture/timeline.jsonl'), sampleTimeline)
  const last = sampleTimeline.trimEnd().split('\n').at(-1) ?? ''
  const { stdout } = await run('sh', ['-c', headCommand], { cwd: folder })
  expect(stdout.slice(0, 64)).toBe(createHash('sha256').update(last).digest('hex'))
})
