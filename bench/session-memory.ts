/**
 * Peak memory and time of completing a live session, as it grows: `node bench/session-memory.ts`. Each line is a process of its own.
 * First the record: a real session that fetched so much while a secret was typed in it, looked for in every octet of it. Then the
 * recording: pictures and sound of so many seconds with a timeline of so many lines, made into its file, sealed, reported, packaged
 * and verified. What is read in passing does not grow with its length.
 */
import { spawn } from 'node:child_process'
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finaliseLocally } from '../apps/cli/finalise-locally.ts'
import { systemClock } from '../kernel/clock.ts'
import { encodePictures, scriptedDisplay } from '../modules/live/server/session/picture/encoded-pictures.fixture.ts'
import { startPicture } from '../modules/live/server/session/picture/start-picture.ts'
import { openTimeline, timelinePath } from '../modules/live/server/session/timeline/timeline.ts'
import { startVisit } from '../modules/live/server/visit/visitor.fixture.ts'
import type { CaptureResult } from '../modules/capture/server/index.ts'
import { openPackageSource, hostSha256, verifyPackage } from '../modules/verification/server/index.ts'
import { silentLog } from '../platform/log/log.ts'

const mebibyte = 1024 * 1024
const secret = 'a secret that nobody may read'
const [step, folder = '', ...figures] = process.argv.slice(2)
const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`
const peak = (): string => `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`
const megabytesOf = (file: string): string => `${(statSync(file).size / mebibyte).toFixed(0)} MB`

/** A page with a field for a secret, and so many bodies of a mebibyte that nothing can make shorter. */
async function completeSession(megabytes: number): Promise<void> {
  const body = randomBytes(mebibyte)
  const page = `<!doctype html><title>waits</title><input type="password" autofocus><script>
    document.querySelector('input').addEventListener('keydown', async (event) => { if (event.key !== 'Enter') return
      const typed = document.querySelector('input').value
      for (let i = 0; i < ${megabytes}; i += 1) await (await fetch('/body?' + i)).arrayBuffer()
      await fetch('/body?last', { method: 'POST', body: typed }).then((one) => one.arrayBuffer()); history.replaceState(null, '', '#done') })</script>`
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const live = await startVisit(`http://${address}/`, [address])
  try {
    await live.told('focus', ({ masked }) => masked)
    live.send({ type: 'text', text: secret })
    live.key('Enter', 'Enter')
    await live.tab(({ url }) => url.endsWith('#done'))
    const before = peak()
    const began = performance.now()
    live.send({ type: 'quit' })
    const { files, facts } = await live.result
    console.log(
      `${String(megabytes).padStart(5)} MB fetched: completed in ${seconds(began)}, ${String(files.length)} pieces, ${facts.completeness.state}, our peak memory ${peak()} (${before} at the end of the visit)`,
    )
    if (folder !== '') {
      // The pieces stay for the second part.
      const kept = join(folder, 'captured')
      mkdirSync(kept)
      const moved = files.map((one, i) => {
        const file = join(kept, String(i))
        writeFileSync(file, readFileSync(one.file))
        return { ...one, file }
      })
      writeFileSync(join(folder, 'captured.json'), JSON.stringify({ files: moved, facts }))
    }
  } finally {
    await live.end()
    server.closeAllConnections()
    server.close()
  }
}

/** The session that was captured, with another recording and another timeline: as long as told. */
async function sealSession(length: number, lines: number): Promise<void> {
  const captured = JSON.parse(readFileSync(join(folder, 'captured.json'), 'utf8')) as CaptureResult
  const { interactive } = captured.facts
  if (interactive === null) throw new Error('no session')
  const workDir = join(folder, String(length))
  mkdirSync(workDir)
  const segment = 10
  const { config, samples } = await encodePictures(workDir, { seconds: segment, group: 75, size: '1280x840', source: 'testsrc2' })
  let now = 0
  const timeline = await openTimeline({ workDir, clock: systemClock, log: silentLog, monotonicMs: () => now })
  timeline.begin(0)
  timeline.add('session', { format: 'probant-timeline/1', evidence_id: 'bench', requested_url: captured.facts.requested_url })
  const display = scriptedDisplay(config)
  const picture = await startPicture({
    display,
    folder: join(workDir, 'picture'),
    now: () => now,
    log: silentLog,
    onGroup: (group) => void timeline.add('video', { group }),
    onGap: (gap) => void timeline.add('video', { gap }),
    onLost: (reason) => {
      throw new Error(`the picture was lost: ${reason}`)
    },
  })
  for (let at = 0, said = 0; at < length; at += segment) {
    for (const sample of samples) {
      const timeUs = sample.timeUs + at * 1_000_000
      now = timeUs / 1000
      display.sink?.sample({ ...sample, timeUs })
      for (; said < (lines * now) / (length * 1000); said += 1)
        timeline.add('pointer', { kind: 'move', points: [{ at: 0, x: said % 1280, y: said % 800 }] })
    }
    // As an encoder does: the disk is given its time.
    await timeline.flush()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const written = peak()
  const began = performance.now()
  const made = await picture.finish()
  if (made === null) throw new Error('nothing was recorded')
  const moments = Array.from({ length: 40 }, (_, i) => ({ ms: (i * length * 1000) / 40, reason: 'navigation' }))
  const shown = await made.keyFrames(moments)
  timeline.add('end', { why: 'visitor', timeline_dropped: timeline.dropped() })
  const ended = await timeline.finish()
  const finished = `${seconds(began)}, ${peak()}`
  const own = new Map([
    ['capture/session.mp4', made.file],
    [timelinePath, ended.file],
  ])
  const frames = shown.map((one, i) => ({
    path: `capture/key-frames/${String(i + 1).padStart(3, '0')}.jpg`,
    file: one.file,
    ms: one.ms,
    reason: one.reason,
    width: one.width,
    height: one.height,
  }))
  const { media_type, width, height, codec, frames: pictures, duration_ms, chain, sound, gaps, frames_dropped } = made
  const video = { media_type, width, height, codec, frames: pictures, duration_ms, chain, sound, gaps, frames_dropped }
  const sealing = performance.now()
  const outFile = join(workDir, 'package.zip')
  await finaliseLocally({
    evidenceId: randomUUIDv7(),
    captured: {
      files: [
        ...captured.files.flatMap((one) => (one.role === 'key_frame' ? [] : [{ ...one, file: own.get(one.path) ?? one.file }])),
        ...frames.map(({ path, file }) => ({ path, role: 'key_frame' as const, media_type: 'image/jpeg', file })),
      ],
      facts: {
        ...captured.facts,
        interactive: {
          ...interactive,
          duration_ms: length * 1000,
          video: { ...video, path: 'capture/session.mp4', page_height: 800 },
          timeline: { path: timelinePath, entries: ended.entries, head: ended.head },
          key_frames: frames.map(({ file: _file, ...frame }) => frame),
        },
      },
    },
    locale: 'en',
    outFile,
    workDir,
    env: {},
    log: silentLog,
    signal: new AbortController().signal,
  })
  const sealed = `${seconds(sealing)}, ${peak()}`
  const verifying = performance.now()
  const { source, close } = await openPackageSource(outFile)
  const { verdict } = await verifyPackage(source, { now: () => new Date(), sha256: hostSha256 })
  await close()
  console.log(
    `${String(length).padStart(5)} s, ${megabytesOf(made.file)} of video, ${String(ended.entries)} lines: recorded at ${written}; file and ${String(shown.length)} pictures ${finished}; seal, reports, package of ${megabytesOf(outFile)} ${sealed}; verified ${seconds(verifying)}, ${peak()}: ${verdict}`,
  )
}

if (step === 'complete') await completeSession(Number(figures[0]))
else if (step === 'seal') await sealSession(Number(figures[0]), Number(figures[1]))
else {
  const place = mkdtempSync(join(tmpdir(), 'probant-bench-session-'))
  for (const parts of [
    ['complete', '', '100'],
    ['complete', place, '10'],
    ['seal', place, '20', '700'],
    ['seal', place, '600', '20000'],
  ]) {
    const child = spawn(process.execPath, [import.meta.filename, ...parts], { stdio: 'inherit' })
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
    if (code !== 0) throw new Error(`${parts.join(' ')} ended with ${String(code)}`)
  }
  rmSync(place, { recursive: true })
}
