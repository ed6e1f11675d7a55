import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws'
import { liveClose, type LiveInputSent, type LiveOutput } from '../../contract/live.ts'
import { backOff, connect, type Connection, type ConnectionState } from './connection.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const welcome: LiveOutput = {
  type: 'welcome',
  role: 'controller',
  state: { phase: 'capturing', remaining_ms: 600_000, recording: true },
  picture: { width: 1280, height: 840, page_height: 800 },
  mobile: null,
  tabs: [],
  screenshots: [],
  limits: { tabs: 8, upload_bytes: 1, download_bytes: 1 },
}

/** A real server; `serve` sees each connection after its hello. */
async function session(serve: (socket: ServerSocket, hello: LiveInputSent, nth: number) => void) {
  const http: Server = createServer()
  const server = new WebSocketServer({ server: http })
  let nth = 0
  server.on('connection', (socket) => {
    nth += 1
    const mine = nth
    socket.once('message', (data: Buffer) => serve(socket, JSON.parse(data.toString()) as LiveInputSent, mine))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const client of server.clients) client.terminate()
    return new Promise((resolve) => http.close(resolve))
  })
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}/live/`
}

function viewer(address: string, tickets: () => Promise<string>, isFinal: (error: unknown) => boolean = () => false) {
  const states: ConnectionState[] = []
  const messages: LiveOutput[] = []
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const connection: Connection = connect({
    ticket: tickets,
    isFinal,
    open: () => new WebSocket(address),
    hello: () => ({ video: null, audio: false, touch: false }),
    state: (state) => {
      states.push(state)
      tell()
    },
    message: (message) => {
      messages.push(message)
      tell()
    },
    bytes: () => undefined,
    now: () => performance.now(),
    random: () => 0,
  })
  cleanups.push(() => connection.close())
  const until = (met: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!met()) return
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      look()
    })
  return { connection, states, messages, until }
}

test('whatever ends a connection, the session is taken up with a fresh ticket and another hello', async () => {
  const hellos: LiveInputSent[] = []
  const address = await session((socket, hello, nth) => {
    hellos.push(hello)
    socket.send(JSON.stringify(welcome))
    // A web process that dies, one that is lost, one that stays.
    if (nth === 1) socket.terminate()
    if (nth === 2) socket.close(liveClose.lost)
  })
  let given = 0
  const { states, messages, until } = viewer(address, () => Promise.resolve(`ticket-${(given += 1)}`))
  await until(() => messages.length === 3)
  expect(hellos.map((hello) => hello.type === 'hello' && hello.ticket)).toEqual(['ticket-1', 'ticket-2', 'ticket-3'])
  expect(states).toEqual(['connecting', 'open', 'reconnecting', 'open', 'reconnecting', 'open'])
})

test('a session that is over stays over', async () => {
  const address = await session((socket) => {
    socket.send(JSON.stringify(welcome))
    socket.close(liveClose.ended)
  })
  const { states, until, connection } = viewer(address, () => Promise.resolve('t'))
  await until(() => states.at(-1) === 'ended')
  expect(connection.send({ type: 'quit' })).toBe(false)
})

test('a viewer that may not take part hears so, and does not knock for ever', async () => {
  let knocks = 0
  const address = await session((socket) => {
    knocks += 1
    socket.close(liveClose.refused)
  })
  const refused = viewer(address, () => Promise.resolve('t'))
  await refused.until(() => refused.states.at(-1) === 'refused')
  expect(knocks).toBe(3)

  const gone = viewer(
    address,
    () => Promise.reject(new Error('gone')),
    () => true,
  )
  await gone.until(() => gone.states.at(-1) === 'refused')
  expect(knocks).toBe(3)
})

test('a ticket that cannot be had at the moment is asked for again', async () => {
  const address = await session((socket) => socket.send(JSON.stringify(welcome)))
  let asked = 0
  const { states, until } = viewer(address, () => {
    asked += 1
    return asked < 3 ? Promise.reject(new Error('the network is away')) : Promise.resolve('t')
  })
  await until(() => states.at(-1) === 'open')
  expect(asked).toBe(3)
})

test('nothing is sent before the welcome nor kept for later', async () => {
  const heard: string[] = []
  const address = await session((socket) => {
    socket.on('message', (data: Buffer) => {
      heard.push(data.toString())
      socket.send(JSON.stringify({ type: 'pong', at: 0 } satisfies LiveOutput))
    })
    socket.send(JSON.stringify(welcome))
  })
  const { connection, messages, until, states } = viewer(address, () => Promise.resolve('t'))
  expect(connection.send({ type: 'release' })).toBe(false)
  await until(() => states.at(-1) === 'open')
  expect(connection.send({ type: 'quit' })).toBe(true)
  await until(() => messages.some(({ type }) => type === 'pong'))
  expect(heard).toEqual(['{"type":"quit"}'])
})

test('where the network is said to be gone, what does not answer is given up at once', async () => {
  const address = await session((socket) => socket.send(JSON.stringify(welcome)))
  const { connection, states, until } = viewer(address, () => Promise.resolve('t'))
  await until(() => states.at(-1) === 'open')
  connection.doubt()
  await until(() => states.length === 4)
  expect(states).toEqual(['connecting', 'open', 'reconnecting', 'open'])
})

test('the wait grows to five seconds and is never longer', () => {
  expect([0, 1, 2, 3, 6, 40].map((attempt) => backOff(attempt, 0))).toEqual([0, 200, 400, 800, 5000, 5000])
  expect(backOff(3, 1)).toBeCloseTo(533.3, 0)
})
