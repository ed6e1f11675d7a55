/** What can be open when a right ends: how each is opened, shown to work, and seen to have ended. */
import { randomUUID } from 'node:crypto'
import { request, type IncomingMessage } from 'node:http'
import { vi } from 'vitest'
import { liveClose } from '../../modules/live/contract/live.ts'
import { viewerOf } from '../../modules/live/server/doors/scripted-session.test-data.ts'
import { signLink } from '../../platform/http/answer/signed-link.ts'
import { linkSecret } from '../permissions/open-web-api.test-data.ts'
import { touch, type Holder, type Process, type World } from './rights-world.test-data.ts'

export type Opened = {
  /** Resolves once it has ended. Of what waits to be used: tries to use it, and resolves when that is refused. */
  ended(): Promise<void>
  /** Resolves once it is shown to be open still. */
  works(): Promise<void>
  /** Leaves. */
  close(): Promise<void>
}

/** @returns null where that holder is not let in */
type Open = (world: World, holder: Holder, process: Process) => Promise<Opened | null>

/** A stream of events about something of which the label is shown. */
function follow(table: 'evidence' | 'document', path: (world: World, holder: Holder) => { id: string; at: string }): Open {
  return async (world, holder, { origin }) => {
    const { id, at } = path(world, holder)
    const leaving = new AbortController()
    const response = await fetch(`${origin}${at}`, { headers: holder.headers, signal: leaving.signal })
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      return null
    }
    let text = ''
    let woken = Promise.withResolvers<void>()
    const over = (async () => {
      try {
        for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
          text += Buffer.from(chunk).toString('utf8')
          woken.resolve()
          woken = Promise.withResolvers()
        }
      } catch (error) {
        if (!leaving.signal.aborted && !(error instanceof TypeError)) throw error
      }
    })()
    const shows = async (wanted: string) => {
      const done = over.then(() => true)
      while (!text.includes(wanted))
        if ((await Promise.race([done, woken.promise])) === true) throw new Error(`it ended before it showed ${wanted}`)
    }
    await shows('data: ')
    return {
      ended: async () => await over,
      async works() {
        const label = randomUUID()
        await touch(world.db, table, id, label)
        await shows(label)
      },
      async close() {
        leaving.abort()
        await over
      },
    }
  }
}

/** What a holder without account has is nobody's. */
const evidenceOf = (world: World, { userId }: Holder) => (userId === null ? world.free.id : world.evidence)

const sessionOf = (world: World, { userId }: Holder) => (userId === null ? world.live.free : world.live.owned)

async function post(
  { origin }: Process,
  holder: Holder | null,
  path: string,
  body: unknown,
): Promise<Record<string, unknown> | null> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { ...holder?.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  return response.ok ? answer : null
}

/** By a ticket, to the session's process. */
async function view({ origin }: Process, ticket: string): Promise<Opened> {
  const viewer = viewerOf(origin, ticket)
  await viewer.until(({ type }) => type === 'welcome')
  return {
    async ended() {
      const { code, reason } = await viewer.closed
      if (code !== liveClose.refused || (reason !== 'access_ended' && reason !== 'revoked'))
        throw new Error(`it ended as ${String(code)} ${reason}`)
    },
    async works() {
      viewer.send({ type: 'ping', at: said })
      const at = said
      said += 1
      await viewer.until((message) => message.type === 'pong' && message.at === at)
    },
    async close() {
      viewer.socket.close()
      await viewer.closed
    },
  }
}
let said = 0

async function ticketFor(world: World, holder: Holder, process: Process, role: string): Promise<string | null> {
  const answer = await post(process, holder, `/evidences/${sessionOf(world, holder)}/live_ticket/`, { role })
  return answer === null ? null : String(answer['ticket'])
}

function look(role: 'controller' | 'watcher'): Open {
  return async (world, holder, process) => {
    const ticket = await ticketFor(world, holder, process, role)
    return ticket === null ? null : await view(process, ticket)
  }
}

/** Tickets that were given and not used yet: each is good for one connection. */
const keepTickets: Open = async (world, holder, process) => {
  const tickets = [await ticketFor(world, holder, process, 'controller'), await ticketFor(world, holder, process, 'watcher')]
  const next = () => tickets.shift() ?? ''
  if (tickets.includes(null)) return null
  return {
    async ended() {
      const { code, reason } = await viewerOf(process.origin, next()).closed
      // Or its own minute is over, too.
      if (code !== liveClose.refused || !['access_ended', 'ticket'].includes(reason))
        throw new Error(`it was refused as ${String(code)} ${reason}`)
    },
    async works() {
      await (await view(process, next())).close()
    },
    close: async () => await Promise.resolve(),
  }
}

async function invite(world: World, holder: Holder, process: Process): Promise<string | null> {
  const answer = await post(process, holder, `/evidences/${sessionOf(world, holder)}/witnesses/`, { label: 'Maître Dupont' })
  return answer === null ? null : String(answer['token'])
}
const witnessTicket = async (process: Process, token: string) => await post(process, null, '/live/witness_ticket/', { token })

const witness: Open = async (world, holder, process) => {
  const token = await invite(world, holder, process)
  return token === null ? null : await view(process, String((await witnessTicket(process, token))?.['ticket']))
}

const keepInvitation: Open = async (world, holder, process) => {
  const token = await invite(world, holder, process)
  if (token === null) return null
  return {
    async ended() {
      if ((await witnessTicket(process, token)) !== null) throw new Error('the invitation still gives a ticket')
    },
    async works() {
      if ((await witnessTicket(process, token)) === null) throw new Error('the invitation gives no ticket')
    },
    close: async () => await Promise.resolve(),
  }
}

const longest = 1024 * 1024

/** A body that is on its way: its head and its first bytes were sent, and it waits for the rest. */
async function send(
  { origin }: Process,
  holder: Holder,
  sent: { readonly method: string; readonly path: string; readonly type: string; readonly first: Buffer; readonly last: Buffer },
): Promise<Opened> {
  const { method, path, type, first, last } = sent
  const length = first.length + last.length
  const call = request(`${origin}${path}`, {
    method,
    headers: { ...holder.headers, 'content-type': type, 'content-length': length },
  })
  const answered = new Promise<number>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (response) => resolve(response.resume().statusCode ?? 0))
  })
  answered.catch(() => undefined)
  const write = async (bytes: Buffer) => await new Promise((resolve) => call.write(bytes, resolve))
  await write(first)
  const begun = performance.now()
  return {
    async ended() {
      if (type === 'application/json') {
        // It is acted upon once it is whole: then whoever sends it is asked for again.
        await vi.waitUntil(() => performance.now() - begun > 300)
        call.end(last)
      }
      const status = await answered
      if (![401, 403, 404].includes(status)) throw new Error(`it was answered with ${String(status)}`)
    },
    async works() {
      const status = await Promise.race([answered, new Promise<null>((resolve) => setImmediate(() => resolve(null)))])
      if (status !== null) throw new Error(`it was answered with ${String(status)} before it was whole`)
    },
    close: async () => await Promise.resolve(void call.destroy()),
  }
}

/** Whether a call that is not whole, or says nothing, is refused for who makes it. */
async function isRefused({ origin }: Process, holder: Holder, method: string, path: string, type: string): Promise<boolean> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...holder.headers, 'content-type': type },
    body: type === 'application/json' ? '{}' : '',
  })
  await response.body?.cancel()
  return [401, 403, 404].includes(response.status)
}

const bytes = 'application/octet-stream'

const inTwoHalves = { first: Buffer.alloc(longest / 2), last: Buffer.alloc(longest / 2) }

const sendCopy: Open = async (world, holder, process) => {
  const at = `/documents/${world.deposit}/copy/`
  const begun = await post(process, holder, at, { bytes: longest })
  if (begun === null) return null
  const path = `${at}parts/0/?upload=${String(begun['upload'])}`
  return await send(process, holder, { method: 'POST', path, type: bytes, ...inTwoHalves })
}

const sendIdentity: Open = async (_world, holder, process) => {
  const path = '/identity_documents/?kind=passport'
  if (await isRefused(process, holder, 'POST', path, bytes)) return null
  return await send(process, holder, { method: 'POST', path, type: bytes, ...inTwoHalves })
}

const sendChange: Open = async (world, holder, process) => {
  const path = `/evidences/${evidenceOf(world, holder)}/`
  if (await isRefused(process, holder, 'PATCH', path, 'application/json')) return null
  const [first, last] = [Buffer.from('{"label":'), Buffer.from('"still mine"}')]
  return await send(process, holder, { method: 'PATCH', path, type: 'application/json', first, last })
}

/** A file that is longer than what the system keeps on its way to who does not read. */
const download: Open = async (world, holder, process) => {
  const delegation = holder.headers['x-delegation']
  const key = holder.headers['authorization'] === `Bearer ${world.key.key}` ? world.key.id : undefined
  const named = { for: holder.userId ?? undefined, delegation, key }
  const given = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const query = new URLSearchParams([['path', 'capture/page.warc'], ...given])
  const path = `/files/${evidenceOf(world, holder)}/piece/?${query.toString()}`
  const link = signLink(linkSecret, path, new Date('2100-01-01T00:00:00Z'))
  const answer = Promise.withResolvers<IncomingMessage>()
  const call = request(`${process.origin}${link}`, { method: 'GET' }, answer.resolve).once('error', answer.reject).end()
  const response = await answer.promise
  const length = Number(response.headers['content-length'])
  const port = response.socket.localPort ?? 0
  let [taken, over] = [0, false]
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve)
    response.on('error', () => undefined)
  })
  void ended.then(() => (over = true))
  response.on('data', (chunk: Buffer) => {
    taken += chunk.length
    response.pause()
  })
  return {
    async ended() {
      // Read before, it might come whole within the time that a right has to end.
      await process.cut(port)
      response.removeAllListeners('data')
      response.on('data', (chunk: Buffer) => (taken += chunk.length))
      response.resume()
      await ended
      if (taken >= length) throw new Error('it came whole')
    },
    async works() {
      const before = taken
      response.resume()
      await vi.waitUntil(() => taken > before || over)
      if (over) throw new Error('it was cut off')
    },
    close: async () => await Promise.resolve(void call.destroy()),
  }
}

export const things = {
  'events of an evidence': follow('evidence', (world, holder) => {
    const id = evidenceOf(world, holder)
    return { id, at: `/evidences/${id}/events/` }
  }),
  'events of a deposit': follow('document', ({ deposit }) => ({ id: deposit, at: `/documents/${deposit}/events/` })),
  'a viewer who steers': look('controller'),
  'a viewer who looks on': look('watcher'),
  'a ticket that waits': keepTickets,
  'a witness': witness,
  'the invitation of a witness': keepInvitation,
  'a copy that is being sent': sendCopy,
  'an identity document that is being sent': sendIdentity,
  'a change that is being sent': sendChange,
  'a download by link': download,
} satisfies Record<string, Open>

export type ThingName = keyof typeof things
