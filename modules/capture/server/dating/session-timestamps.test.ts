import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { CapturedFile } from '../../domain/outcome/outcome.ts'
import { createActionLog } from '../page/action-log.ts'
import type { Notary } from './notary.ts'
import { startSessionTimestamps } from './session-timestamps.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'timestamps-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const clock: Clock = { now: () => new Date('2026-11-21T10:00:00.000Z') }
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

function start(timestampDigest: Notary['timestampDigest'], options: { collectMs?: number; signal?: AbortSignal } = {}) {
  let bytes = 0
  const actions = createActionLog(clock)
  const timestamps = startSessionTimestamps({
    notary: { timestampDigest, signArchive: () => Promise.reject(new Error('not asked for')) },
    clock,
    actions,
    signal: options.signal ?? new AbortController().signal,
    evidenceId: 'e',
    requestedUrl: 'https://example.org/',
    workDir: dir,
    rollingHash: () => ({ sha256: sha256(String(bytes)), bytes: (bytes += 10), at: clock.now().getTime() }),
    pcap: 'capture/network.pcap',
    ...(options.collectMs === undefined ? {} : { collectMs: options.collectMs }),
  })
  return { timestamps, actions }
}

const token = (sha: Uint8Array, caPem = 'chain of a\n') => ({
  token: sha,
  caPem,
  authority: 'A',
  genTime: new Date('2026-11-21T10:00:01.000Z'),
  embedded: false,
})

async function image(name: string, content: string): Promise<CapturedFile> {
  const file = join(dir, name)
  await writeFile(file, content)
  return { path: `capture/${name}`, role: 'viewport_screenshot', media_type: 'image/png', file }
}

async function recordOf(files: readonly CapturedFile[]) {
  const file = files.find(({ path }) => path === 'capture/rolling-hash.json')
  return JSON.parse(await readFile(file?.file ?? '', 'utf8')) as {
    checkpoints: {
      sha256: string
      token: string | null
      ca: string | null
      error: string | null
      statement: { reason: string; previous: string | null; images: { path: string; sha256: string }[]; bytes: number }
    }[]
  }
}

test('each checkpoint holds the one before and the images taken since; tokens of one authority share its chain', async () => {
  const dated: string[] = []
  const { timestamps, actions } = start(async (sha) => {
    dated.push(Buffer.from(sha).toString('hex'))
    return await Promise.resolve(token(sha, dated.length === 3 ? 'chain of b\n' : 'chain of a\n'))
  })
  await timestamps.checkpoint('start')
  await timestamps.checkpoint('screenshot', [await image('a.png', 'first')])
  // Taken anew: the file is another when the second checkpoint names it.
  await timestamps.checkpoint('screenshot', [await image('a.png', 'second')])
  await timestamps.checkpoint('end')
  const { files, timestamps: facts } = await timestamps.collect()
  const { checkpoints } = await recordOf(files)
  expect(checkpoints.map(({ sha256: digest }) => digest)).toEqual(dated)
  expect(checkpoints.map(({ statement }) => statement.previous)).toEqual([null, ...dated.slice(0, -1)])
  expect(checkpoints.map(({ statement }) => statement.images.map((each) => each.sha256))).toEqual([
    [],
    [sha256('first')],
    [sha256('second')],
    [],
  ])
  expect(files.map(({ path }) => path)).toEqual([
    'capture/timestamps/01-start.tsr',
    'capture/timestamps/ca-1.pem',
    'capture/timestamps/02-screenshot.tsr',
    'capture/timestamps/03-screenshot.tsr',
    'capture/timestamps/ca-2.pem',
    'capture/timestamps/04-end.tsr',
    'capture/rolling-hash.json',
  ])
  expect(facts.map(({ reason, ca_path, error }) => [reason, ca_path, error])).toEqual([
    ['start', 'capture/timestamps/ca-1.pem', null],
    ['screenshot', 'capture/timestamps/ca-1.pem', null],
    ['screenshot', 'capture/timestamps/ca-2.pem', null],
    ['end', 'capture/timestamps/ca-1.pem', null],
  ])
  expect(actions.text().trim().split('\n')).toHaveLength(4)
})

test('an authority that refuses is said to, by its reason, and the others are asked all the same', async () => {
  let asked = 0
  const { timestamps } = start(async (sha) => {
    asked += 1
    if (asked === 1) throw new DomainError('unavailable', 'sealing.tsa_refused', {})
    if (asked === 2) throw new TypeError('a defect')
    return await Promise.resolve(token(sha))
  })
  for (const reason of ['start', 'screenshot', 'end'] as const) await timestamps.checkpoint(reason)
  const { files, timestamps: facts } = await timestamps.collect()
  expect(facts.map(({ path, error }) => [path, error])).toEqual([
    [null, 'sealing.tsa_refused'],
    [null, 'sealing.no_timestamp'],
    ['capture/timestamps/03-end.tsr', null],
  ])
  expect((await recordOf(files)).checkpoints.map(({ error }) => error)).toEqual([
    'sealing.tsa_refused',
    'sealing.no_timestamp',
    null,
  ])
})

test('an authority that never answers, and minds no signal, holds nothing up: checkpoints settle, and the end is bounded', async () => {
  const { timestamps } = start(() => new Promise(() => undefined), { collectMs: 50 })
  for (const reason of ['start', 'screenshot', 'end'] as const) await timestamps.checkpoint(reason)
  const { files, timestamps: facts } = await timestamps.collect()
  expect(facts.map(({ error }) => error)).toEqual(Array.from({ length: 3 }, () => 'sealing.session_too_late'))
  expect(files.map(({ path }) => path)).toEqual(['capture/rolling-hash.json'])
})

test('a capture that is stopped stops asking', async () => {
  const stop = new AbortController()
  const { timestamps } = start(() => new Promise(() => undefined), { signal: stop.signal })
  await timestamps.checkpoint('start')
  const collected = timestamps.collect()
  stop.abort(new Error('stopped'))
  await expect(collected).rejects.toThrow('stopped')
})

test('a scenario of many images asks for a bounded number of tokens, and dates every image', async () => {
  const { timestamps } = start((sha) => Promise.resolve(token(sha)))
  await timestamps.checkpoint('start')
  for (let i = 0; i < 50; i += 1) await timestamps.checkpoint('screenshot', [await image(`step-${i}.png`, `step ${i}`)])
  await timestamps.checkpoint('end')
  const { files } = await timestamps.collect()
  const { checkpoints } = await recordOf(files)
  expect(checkpoints).toHaveLength(33)
  expect(checkpoints.at(-1)?.statement.reason).toBe('end')
  expect(checkpoints.flatMap(({ statement }) => statement.images)).toHaveLength(50)
})
