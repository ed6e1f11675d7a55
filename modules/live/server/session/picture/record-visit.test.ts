import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { processTree } from '../../../../../platform/browser/process-tree.ts'
import { checkInteractive } from '../../../../../testing/check-interactive.ts'
import { startFixtureSite, type FixtureSite } from '../../../../../testing/site/start-fixture-site.ts'
import { liveFrame, liveFrameHead } from '../../../contract/live.ts'
import { startVisit, testViewer, type TestVisit } from '../../visit/visitor.fixture.ts'
import { framehash } from './encoded-pictures.fixture.ts'

let site: FixtureSite
let visit: TestVisit | undefined
beforeAll(async () => {
  site = await startFixtureSite()
})
afterAll(() => site.close())
afterEach(async () => {
  await visit?.end()
})

test('an encoder that is killed leaves a gap and comes back; what a viewer saw is what is recorded, and the verifier finds it so', async () => {
  const live = (visit = await startVisit(`${site.origin}/live/echo/`, site.addresses))
  const seen: { kind: number; timeUs: number; sha256: string }[] = []
  const looks = testViewer('looks', { role: 'watcher' })
  const viewer = {
    ...looks.viewer,
    wants: { video: 'h264', audio: true, touch: false } as const,
    sendBytes: (bytes: Uint8Array): number => {
      const message = Buffer.from(bytes)
      const [kind, number] = [message.readUInt8(0), message.readUInt32BE(2)]
      const sha256 = createHash('sha256').update(message.subarray(liveFrameHead)).digest('hex')
      seen.push({ kind, timeUs: Number(message.readBigUInt64BE(6)), sha256 })
      if (kind === liveFrame.video) queueMicrotask(() => live.session.receive(viewer, { type: 'acknowledge', picture: number }))
      return 0
    },
  }
  live.session.join(viewer)
  const pictures = () => seen.filter(({ kind }) => kind === liveFrame.video)
  await expect.poll(() => pictures().length, { timeout: 60_000 }).toBeGreaterThan(20)

  let killed = 0
  for (const { pid } of await processTree(process.pid))
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('x11grab')) {
      process.kill(pid, 'SIGKILL')
      killed += 1
    }
  expect(killed).toBeGreaterThan(0)
  await looks.told('notice', ({ code }) => code === 'picture_interrupted')
  const before = pictures().length
  await expect.poll(() => pictures().length, { timeout: 60_000 }).toBeGreaterThan(before + 20)
  live.session.call('quit_interactivity').catch(() => undefined)

  const { files, facts } = await live.result
  expect(facts.interactive?.crashes).toContainEqual(expect.objectContaining({ what: 'picture', recovered: true }))
  expect(facts.interactive?.video?.gaps).toContainEqual(expect.objectContaining({ reason: 'encoder_ended' }))
  expect(facts.interactive?.key_frames.length).toBeGreaterThan(1)
  const video = files.find(({ path }) => path === 'capture/session.mp4')?.file ?? ''
  const recorded = await framehash(video, 'v')
  // From the picture at which it joined: the same, in the same order, at the same times.
  const shown = pictures().map(({ timeUs, sha256 }) => ({ time: timeUs, sha256 }))
  const from = recorded.findIndex(({ time }) => time === shown[0]?.time)
  expect(recorded.slice(from, from + shown.length).map(({ time, sha256 }) => ({ time, sha256 }))).toEqual(shown)
  expect(await checkInteractive(files)).toEqual(['session_timeline passed', 'session_pieces passed', 'session_video passed'])
})
