/** One live session, its viewers on a WebSocket: `our-session.ts URL cold|warm [HOST]`. Begins with its first viewer; a `quit` ends it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WebSocket } from 'ws'
import { systemClock } from '../../kernel/clock.ts'
import { defaultCaptureLimits, startWarmPool } from '../../modules/capture/server/index.ts'
import { captureInteractive, liveInput, steeredBrowser, type LiveSession, type Viewer } from '../../modules/live/server/index.ts'
import { silentLog } from '../../platform/log/log.ts'
import { serveViewer, tell } from './serve-viewer.ts'

const [url = '', start = 'cold', host = '127.0.0.1'] = process.argv.slice(2)
const limits = defaultCaptureLimits
const allowAddresses = [new URL(url).host]
const folder = await mkdtemp(join(tmpdir(), 'probant-bench-'))
const workDir = join(folder, 'session')
await mkdir(workDir)
const deps = { clock: systemClock, log: silentLog, isolationOverride: false }
const pool = startWarmPool(
  { kind: steeredBrowser, size: start === 'warm' ? 1 : 0, concurrency: 1, folder: join(folder, 'ready'), limits, allowAddresses },
  deps,
)
if (start === 'warm') while (pool.ready().en === 0) await new Promise((resolve) => setTimeout(resolve, 20))

const { promise: session, resolve: sessionIs } = Promise.withResolvers<LiveSession>()
const { promise: claimed, resolve: claim } = Promise.withResolvers<number>()
let viewers = 0
let seen = false

function carry(socket: WebSocket): void {
  viewers += 1
  claim(performance.now())
  const viewer: Viewer = {
    id: `viewer-${String(viewers)}`,
    role: 'controller',
    witness: null,
    wants: { video: 'h264', audio: false, touch: false },
    send: (message) => socket.send(JSON.stringify(message)),
    sendBytes: (bytes) => {
      socket.send(bytes)
      return socket.bufferedAmount
    },
    waiting: () => socket.bufferedAmount,
    close: (code, reason) => socket.close(code, reason),
  }
  const joined = session.then((one) => {
    one.join(viewer)
    return one
  })
  const broken = (error: unknown) => {
    console.error(error)
    process.exit(1)
  }
  socket.on('message', (data: Buffer) => {
    const message = liveInput.parse(JSON.parse(data.toString()))
    if (!seen && message.type === 'acknowledge') {
      seen = true
      claimed.then((at) => tell({ first_picture_ms: performance.now() - at })).catch(broken)
    }
    joined.then((one) => one.receive(viewer, message)).catch(broken)
  })
  socket.on('close', () => void joined.then((one) => one.leave(viewer)).catch(broken))
}

tell({ port: await serveViewer(carry, host) })
await claimed
const { facts } = await pool.during(
  async () =>
    await captureInteractive(
      {
        evidenceId: 'bench',
        url,
        locale: 'en',
        workDir,
        limits,
        allowAddresses,
        includeTlsKeys: false,
        onProgress: () => undefined,
        device: 'desktop',
        sessionMs: 10 * 60_000,
        graceMs: 60_000,
        sessions: { add: sessionIs, remove: () => undefined, find: () => null },
      },
      { ...deps, signal: new AbortController().signal, warmPool: pool },
    ),
)
tell({ video: facts.interactive?.video, completeness: facts.completeness.state })
await pool.stop()
await rm(folder, { recursive: true, force: true })
process.exit(0)
