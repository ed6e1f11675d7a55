/**
 * The peer: a headless page shown by the screencast of the browser's own protocol, JPEG, as Playwright and browserless show one:
 * `screencast-peer.ts URL default|paced`. Paced, a picture waits until the viewer has drawn the one before. Nothing is recorded.
 */
import { chromium, type CDPSession } from 'playwright-core'
import type { WebSocket } from 'ws'
import { chromiumPath } from '../../platform/browser/browser-flags.ts'
import { liveFrame, liveFrameHead, liveInput } from '../../modules/live/server/index.ts'
import { serveViewer, tell } from './serve-viewer.ts'

const [url = '', pace = 'default'] = process.argv.slice(2)
const paced = pace === 'paced'
const { promise: claimed, resolve: claim } = Promise.withResolvers<number>()
const { promise: page, resolve: pageIs } = Promise.withResolvers<CDPSession>()
let viewer: WebSocket | null = null
let number = 0
let seen = false
const unacknowledged = new Map<number, number>()

const begin = async (cdp: CDPSession) =>
  await cdp.send('Page.startScreencast', {
    format: 'jpeg',
    quality: 80,
    maxWidth: 1280,
    maxHeight: 800,
    ...(paced ? { everyNthFrame: 2, maxFramesInFlight: 1, sendLastFrame: true } : {}),
  } as Parameters<CDPSession['send']>[1] as { format: 'jpeg' })
const broken = (error: unknown) => {
  console.error(error)
  process.exit(1)
}

async function receive(text: string): Promise<void> {
  const message = liveInput.parse(JSON.parse(text))
  const cdp = await page
  if (message.type === 'acknowledge') {
    if (!seen) tell({ first_picture_ms: performance.now() - (await claimed) })
    seen = true
    const sessionId = unacknowledged.get(message.picture)
    unacknowledged.delete(message.picture)
    if (paced && sessionId !== undefined) await cdp.send('Page.screencastFrameAck', { sessionId })
  } else if (message.type === 'pointer' && message.kind !== 'move')
    await cdp.send('Input.dispatchMouseEvent', {
      type: message.kind === 'down' ? 'mousePressed' : 'mouseReleased',
      x: message.x,
      y: message.y,
      button: 'left',
      clickCount: 1,
    })
  else if (message.type === 'quit') process.exit(0)
}

tell({
  port: await serveViewer((socket) => {
    const again = viewer !== null
    viewer = socket
    claim(performance.now())
    if (again)
      page
        .then(async (cdp) => {
          await cdp.send('Page.stopScreencast')
          await begin(cdp)
        })
        .catch(broken)
    socket.on('message', (data: Buffer) => void receive(data.toString()).catch(broken))
  }),
})
await claimed
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
const shown = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
const cdp = await shown.context().newCDPSession(shown)
cdp.on('Page.screencastFrame', ({ data, sessionId }) => {
  const jpeg = Buffer.from(data, 'base64')
  const message = Buffer.alloc(liveFrameHead + jpeg.length)
  number += 1
  message.writeUInt8(liveFrame.jpeg, 0)
  message.writeUInt32BE(number, 2)
  message.writeBigUInt64BE(BigInt(Math.round(performance.now() * 1000)), 6)
  jpeg.copy(message, liveFrameHead)
  unacknowledged.set(number, sessionId)
  if (!paced) cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined)
  viewer?.send(message)
})
await begin(cdp)
await shown.goto(url)
pageIs(cdp)
