import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { silentLog } from '../../../../../platform/log/log.ts'
import { openShapedLine, type ShapedLine } from '../../../../../testing/shaped-line/open-shaped-line.ts'
import { liveFrame, liveInput, type LiveOutput } from '../../../contract/live.ts'
import type { Viewer } from '../viewers/viewer.ts'
import { encodePictures, framehash, scriptedDisplay } from './encoded-pictures.fixture.ts'
import { startPicture } from './start-picture.ts'

let dir: string
const closing: (() => unknown)[] = []
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'socket-'))
})
afterAll(async () => {
  for (const close of closing) await close()
  await rm(dir, { recursive: true, force: true })
})

/** Passes on what the other side sends, so many octets a second; the rest waits in the sender, as on a line. */
async function slowLineTo(port: number, perSecond: number): Promise<number> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.pipe(far)
    const stop = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const end of [near, far]) end.on('error', stop).on('close', stop)
    void pass(far, near, perSecond)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

async function pass(from: Socket, to: Socket, perSecond: number): Promise<void> {
  const stepMs = 20
  const step = (perSecond * stepMs) / 1000
  while (!from.destroyed && !to.destroyed) {
    await wait(stepMs)
    const waiting = from.readableLength
    const bytes = waiting === 0 ? null : (from.read(Math.min(step, waiting)) as Buffer | null)
    if (bytes !== null) to.write(bytes)
    else from.read(0)
  }
}

/** Nothing else of this process runs. */
function stand(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

/** A session's picture, heavy for the line, and a viewer at its other end that clicks all the while, until it was sent less and saw what came a second after. */
async function watchOver(
  name: string,
  lineTo: (port: number) => Promise<number>,
  /** `stamped`: its pictures bear the time at which they are handed on, however late this machine is; `stalls`: nothing of this process runs for a while, again and again. */
  encoder: 'at its pace' | 'stamped' | 'stalls' = 'at its pace',
) {
  const heavy = await encodePictures(dir, { seconds: 3, group: 75, sound: false, size: '1280x840', source: 'testsrc2' })
  const display = scriptedDisplay(heavy.config)
  const picture = await startPicture({
    display,
    folder: join(dir, name),
    now: () => performance.now(),
    log: silentLog,
    onGroup: () => undefined,
    onGap: () => undefined,
    onLost: () => undefined,
  })
  closing.unshift(() => picture.release())

  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(sockets, 'listening')
  closing.push(() => sockets.close())
  const levels: LiveOutput[] = []
  const closed: number[] = []
  const clicks: number[] = []
  let most = 0
  sockets.on('connection', (socket) => {
    const viewer: Viewer = {
      id: 'one',
      role: 'controller',
      witness: null,
      wants: { video: 'h264', audio: false, touch: false },
      send: (message) => {
        levels.push(message)
        socket.send(JSON.stringify(message))
      },
      sendBytes: (bytes) => {
        socket.send(bytes)
        most = Math.max(most, socket.bufferedAmount)
        return socket.bufferedAmount
      },
      waiting: () => socket.bufferedAmount,
      close: (code) => closed.push(code),
    }
    socket.on('message', (bytes: Buffer) => {
      const message = liveInput.parse(JSON.parse(bytes.toString()))
      if (message.type === 'acknowledge') picture.acknowledge(viewer, message.picture)
      else if (message.type === 'pointer') clicks.push(message.x)
    })
    picture.join(viewer)
  })
  const port = await lineTo((sockets.address() as AddressInfo).port)
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  await once(client, 'open')
  closing.unshift(() => client.terminate())
  let [lastSeen, clicked] = [-1, 0]
  const told: Pick<Extract<LiveOutput, { type: 'picture_quality' }>, 'level' | 'side'>[] = []
  client.on('message', (message: Buffer, binary) => {
    if (!binary) {
      const output = JSON.parse(message.toString()) as LiveOutput
      if (output.type === 'picture_quality') told.push(output)
    } else if (message.readUInt8(0) === liveFrame.video) {
      lastSeen = Number(message.readBigUInt64BE(6))
      client.send(JSON.stringify({ type: 'acknowledge', picture: message.readUInt32BE(2) }))
    }
  })

  // At the pace of the encoder, round after round.
  const given: string[] = []
  let loweredUs = Infinity
  const began = performance.now()
  for (let round = 0; lastSeen < loweredUs + 1_000_000; round += 1)
    for (const sample of heavy.samples) {
      const dueUs = sample.timeUs + round * 3_000_000
      const sinceMs = performance.now() - began
      // What came due while our side stood is handed on at once, as from the pipe of an encoder.
      if (encoder !== 'stalls') await wait(40)
      else if (dueUs / 1000 > sinceMs) await wait(dueUs / 1000 - sinceMs)
      const timeUs = encoder === 'stamped' ? Math.round((performance.now() - began) * 1000) : dueUs
      display.sink?.sample({ ...sample, timeUs })
      if (encoder === 'stalls' && given.length % 40 === 39) stand(900)
      given.push(createHash('sha256').update(sample.bytes).digest('hex'))
      const isLowered = levels.some((one) => one.type === 'picture_quality' && one.level !== 'full')
      if (isLowered) loweredUs = Math.min(loweredUs, timeUs)
      clicked += 1
      client.send(JSON.stringify({ type: 'pointer', kind: 'down', x: clicked, y: 1 }))
    }
  await vi.waitFor(() => {
    if (clicks.length < clicked) throw new Error('a click is on its way')
  }, 60_000)
  expect(clicks).toEqual(Array.from({ length: clicked }, (_, at) => at + 1))
  expect(closed).toEqual([])
  expect(most).toBeLessThan(4 << 20)
  const finished = await picture.finish()
  expect((await framehash(finished?.file ?? '', 'v')).map(({ sha256 }) => sha256)).toEqual(given)
  expect(finished).toMatchObject({ gaps: [] })
  return { told }
}

test('a viewer behind a real line of 1 Mbit/s is sent less and sees the present; the recording is whole', async () => {
  await watchOver('slow', async (port) => await slowLineTo(port, 125_000))
})

// Containers may be given no such device.
test.skipIf(!existsSync('/dev/net/tun'))(
  'with 300 ms there and back and two packets lost of a hundred, clicks arrive once and in order, less is sent and said, the recording is whole',
  async () => {
    let line: ShapedLine | undefined
    const { told } = await watchOver(
      'far',
      async (port) => {
        const opened = await openShapedLine(port, { delayMs: 150, loss: 0.02, bytesPerSecond: 1_250_000, seed: 5 })
        line = opened
        closing.unshift(() => opened.close())
        return opened.port
      },
      'stamped',
    )
    expect(told.find(({ level }) => level !== 'full')?.side).toBe('line')
    // It was such a line.
    expect((await line?.counts())?.lost).toBeGreaterThan(0)
  },
)

test('S-37: on loopback, what stands still on our side is said to be ours and not the line', async () => {
  const { told } = await watchOver('late', (port) => Promise.resolve(port), 'stalls')
  expect(told.find(({ level }) => level !== 'full')?.side).toBe('ours')
})
