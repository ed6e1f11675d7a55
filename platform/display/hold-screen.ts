/**
 * Keeps on the display what stands there while the browser draws something else into its windows: for the moment of a screenshot that it
 * can only take by laying its window out anew. A client of the X server of its own (X11 protocol, version 11; Composite 0.4, §3): the
 * screen becomes the background of the root window, and top-level windows are redirected to pixmaps that nothing shows. Input, the pointer's
 * picture and the encoder go on. Should this connection end, the X server takes the redirection back by itself.
 */
import type { Duplex } from 'node:stream'

export type ScreenHold = {
  /** Settled when the display shows only what stood there. @throws Error: the X server refused, or is gone; nothing is held then */
  readonly hold: () => Promise<void>
  /** Settled when the display shows the windows again. Idempotent. */
  readonly release: () => Promise<void>
  close(): void
}

/** Of the core protocol (X11 protocol, appendix B), and of Composite's own. */
const request = {
  changeWindowAttributes: 2,
  grabServer: 36,
  ungrabServer: 37,
  getInputFocus: 43,
  createPixmap: 53,
  freePixmap: 54,
  createGraphicsContext: 55,
  freeGraphicsContext: 60,
  copyArea: 62,
  queryExtension: 98,
  composite: { version: 0, redirectSubwindows: 2, unredirectSubwindows: 4 },
} as const
const backgroundPixmap = 1
const backgroundPixel = 2
/** `subwindow-mode` IncludeInferiors: with all that lies over the root; `graphics-exposures`: none. */
const copyMode = 0x8000 | 0x1_0000
const includeInferiors = 1
const redirectManual = 1
/** Longest reply that any of these has, in octets; the X server shares the jail with the browser. */
const longestReply = 1 << 20

type Screen = {
  readonly root: number
  readonly depth: number
  readonly width: number
  readonly height: number
  readonly ids: number
}

/** @param connect opens the way to the X server; asked once, at the first hold */
export function openScreenHold(connect: () => Duplex): ScreenHold {
  let opened: Promise<{ readonly screen: Screen; readonly composite: number }> | null = null
  let stream: Duplex | null = null
  let received: Buffer = Buffer.alloc(0)
  let isSetUp = false
  let fault: Error | null = null
  let held = false
  /** What waits for the next answer, in the order of the requests. */
  let waiting: PromiseWithResolvers<Buffer>[] = []

  const fail = (why: string): void => {
    fault ??= new Error(why)
    const failed = waiting
    waiting = []
    for (const one of failed) one.reject(fault)
    stream?.destroy()
  }
  const take = (bytes: Buffer): void => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    for (;;) {
      const head = isSetUp ? 32 : 8
      if (received.length < head) return
      const kind = received.readUInt8(0)
      // The set-up counts all that follows its head, a reply what goes past its 32 octets; errors and events have no more.
      const more = isSetUp ? (kind === 1 ? received.readUInt32LE(4) * 4 : 0) : received.readUInt16LE(6) * 4
      if (more > longestReply) return fail('an answer of the display is too long')
      if (received.length < head + more) return
      const message = received.subarray(0, head + more)
      received = received.subarray(head + more)
      if (!isSetUp && kind !== 1) return fail('the display took no client')
      if (isSetUp && kind === 0)
        return fail(`the display refused request ${String(message.readUInt8(10))}: error ${String(message.readUInt8(1))}`)
      isSetUp = true
      if (kind === 1) waiting.shift()?.resolve(message)
    }
  }
  const ask = async (bytes: Buffer): Promise<Buffer> => {
    if (fault !== null) throw fault
    const one = Promise.withResolvers<Buffer>()
    waiting.push(one)
    stream?.write(bytes)
    return await one.promise
  }
  const open = async () => {
    stream = connect()
    stream.on('error', () => fail('the display is gone'))
    stream.on('close', () => fail('the display is gone'))
    stream.on('data', take)
    // Little-endian, version 11.0, no authorisation: whoever reaches the socket is inside the jail.
    const setUp = readSetUp(await ask(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])))
    const name = Buffer.from('Composite\0\0\0')
    const extension = await ask(Buffer.concat([words(request.queryExtension, 0, [9], 'u16', name.length), name]))
    if (extension.readUInt8(8) !== 1) throw new Error('the display has no Composite extension')
    const composite = extension.readUInt8(9)
    await ask(words(composite, request.composite.version, [0, 4]))
    return { screen: setUp, composite }
  }
  const openOnce = () => (opened ??= open())

  return {
    hold: async () => {
      if (held) return
      const { screen, composite } = await openOnce()
      const { root } = screen
      const [pixmap, context] = [screen.ids, screen.ids + 1]
      // Nobody sees or draws in between.
      const copied = [
        words(request.grabServer, 0, []),
        words(request.createPixmap, screen.depth, [pixmap, root, pair(screen.width, screen.height)]),
        words(request.createGraphicsContext, 0, [context, root, copyMode, includeInferiors, 0]),
        words(request.copyArea, 0, [root, pixmap, context, 0, 0, pair(screen.width, screen.height)]),
        words(request.freeGraphicsContext, 0, [context]),
        words(request.changeWindowAttributes, 0, [root, backgroundPixmap, pixmap]),
        words(request.freePixmap, 0, [pixmap]),
        words(composite, request.composite.redirectSubwindows, [root, redirectManual]),
        words(request.ungrabServer, 0, []),
        words(request.getInputFocus, 0, []),
      ]
      held = true
      await ask(Buffer.concat(copied)).catch((error: unknown) => {
        held = false
        throw error
      })
    },
    release: async () => {
      if (!held || fault !== null) return
      held = false
      const { screen, composite } = await openOnce()
      await ask(
        Buffer.concat([
          words(request.grabServer, 0, []),
          words(composite, request.composite.unredirectSubwindows, [screen.root, redirectManual]),
          words(request.changeWindowAttributes, 0, [screen.root, backgroundPixel, 0]),
          words(request.ungrabServer, 0, []),
          words(request.getInputFocus, 0, []),
        ]),
      )
    },
    close: () => fail('the display is gone'),
  }
}

const pair = (low: number, high: number): number => (low | (high << 16)) >>> 0

/** A request: opcode, the octet beside it, its own length in units of four octets, and numbers of 32 bits. */
function words(opcode: number, octet: number, numbers: readonly number[], last: 'u32' | 'u16' = 'u32', following = 0): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length)
  bytes.writeUInt8(opcode, 0)
  bytes.writeUInt8(octet, 1)
  bytes.writeUInt16LE((bytes.length + following) / 4, 2)
  for (const [i, number] of numbers.entries())
    if (last === 'u16') bytes.writeUInt16LE(number, 4 + 4 * i)
    else bytes.writeUInt32LE(number, 4 + 4 * i)
  return bytes
}

/** X11 protocol §8 (connection setup): the first screen, and the numbers that are ours to give. */
function readSetUp(message: Buffer): Screen {
  const vendor = message.readUInt16LE(24)
  const formats = message.readUInt8(29)
  const at = 40 + Math.ceil(vendor / 4) * 4 + 8 * formats
  return {
    ids: message.readUInt32LE(12),
    root: message.readUInt32LE(at),
    width: message.readUInt16LE(at + 20),
    height: message.readUInt16LE(at + 22),
    depth: message.readUInt8(at + 38),
  }
}
