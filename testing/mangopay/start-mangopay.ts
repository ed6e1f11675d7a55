import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import { answerCall, keep, told } from './api/answer-call.ts'
import { Door } from './api/let-in.ts'
import type { Answer } from './api/route.ts'
import { transitions } from './api/transitions.ts'
import { answerControl } from './controls/controls.ts'
import { stylesheet } from './pages/layout.ts'
import { answerPage } from './pages/pages.ts'
import { ApiError } from './world/api-error.ts'
import { Courier } from './world/courier.ts'
import { Faults } from './world/faults.ts'
import { emptyState, type State, World } from './world/world.ts'

export type MangopayOptions = {
  readonly port?: number
  /** Holds what is kept from one start to the next. */
  readonly file?: string | undefined
  readonly client?: string
  readonly key?: string
  readonly clock?: Clock
  /** Whether there is to be somebody who sells, with a wallet. */
  readonly selling?: boolean
}

export type Mangopay = {
  readonly origin: string
  readonly seller: { readonly user: string; readonly wallet: string } | null
  close(): Promise<void>
}

const largestBody = 20 << 20
const callsTold = 10_000

/** The simulator, on loopback only. */
export async function startMangopay(options: MangopayOptions = {}): Promise<Mangopay> {
  const { file, client = 'probant-test', key = 'key-of-the-simulator', clock = systemClock } = options
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const world = new World(origin, clock, transitions, readState(file))
  const door = new Door(client, key, clock)
  const faults = new Faults()
  const courier = new Courier(world)
  const calls: string[] = []
  // Time passes between calls too: what is due by then happens, and hooks that were not taken are tried again.
  const ticking = setInterval(() => void after(), 1000)
  ticking.unref()
  const seller = options.selling === true ? haveSeller(world) : null

  async function after(): Promise<void> {
    world.settle()
    await courier.deliver()
    if (file !== undefined) writeState(file, world.state)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET'
    const url = new URL(request.url ?? '/', origin)
    try {
      const body = await readBody(request)
      world.settle()
      if (url.pathname.startsWith('/control/')) {
        write(
          response,
          await answerControl({ world, faults, courier, calls }, method, url.pathname.slice('/control/'.length), body),
        )
      } else if (/^\/v2\.01\//i.test(url.pathname)) {
        await answerApi(request, response, method, url, body)
      } else if (url.pathname === '/style.css') {
        write(response, { status: 200, body: stylesheet, headers: { 'content-type': 'text/css' } })
      } else {
        const fields = method === 'POST' ? new URLSearchParams(body) : undefined
        write(response, answerPage(world, { url, language: languageOf(request, url), fields }))
      }
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined)
    }
    await after()
  }

  async function answerApi(
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
    url: URL,
    body: string,
  ): Promise<void> {
    const fault = faults.strike(method, url.pathname)
    if (fault?.kind === 'slow') await pause(fault.milliseconds ?? 1000)
    if (fault?.kind === 'down' || fault?.kind === 'cut-before') return void response.destroy()
    if (fault?.kind === 'error-before') return write(response, broken(world))
    const [, , id = '', ...rest] = url.pathname.split('/')
    if (id.toLowerCase() === 'oauth') return write(response, door.giveToken(request.headers.authorization))
    const refusal = door.refuse(request.headers.authorization, id)
    if (refusal !== undefined) return write(response, refusal)
    const given = request.headers['idempotency-key']
    const call = { method, url, path: rest.join('/'), body, key: typeof given === 'string' ? given : undefined }
    calls.push(`${method} ${call.path}`)
    if (calls.length > callsTold) calls.shift()
    const answer = answerCall(world, call)
    if (fault?.kind === 'cut-after') return void response.destroy()
    if (fault?.kind === 'error-after') {
      keep(world, call, broken(world))
      return write(response, broken(world))
    }
    write(response, answer)
  }

  return {
    origin,
    seller,
    close: async () => {
      clearInterval(ticking)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The same one from one start to the next. */
function haveSeller(world: World): { user: string; wallet: string } {
  const before = world.list('wallet').find(({ Tag }) => Tag === 'seller')
  if (before !== undefined) return { user: before.Owners[0] ?? '', wallet: before.Id }
  const make = (path: string, body: object): string => {
    const url = new URL(`${world.origin}/v2.01/simulator/${path}`)
    const { status, body: made } = answerCall(world, { method: 'POST', url, path, body: JSON.stringify(body), key: undefined })
    if (status !== 200) throw new Error(`no seller: ${JSON.stringify(made)}`)
    return (made as { Id: string }).Id
  }
  const user = make('users/legal', {
    UserCategory: 'PAYER',
    LegalPersonType: 'BUSINESS',
    Name: 'Seller',
    Email: 'seller@example.org',
    LegalRepresentativeFirstName: 'Anne',
    LegalRepresentativeLastName: 'Martin',
  })
  return { user, wallet: make('wallets', { Owners: [user], Currency: 'EUR', Description: 'Sales', Tag: 'seller' }) }
}

const broken = (world: World): Answer => told(world, new ApiError(500, 'internal_server_error', 'Internal Server Error'))

function languageOf(request: IncomingMessage, url: URL): 'en' | 'fr' {
  const wished = url.searchParams.get('lang') ?? request.headers['accept-language'] ?? ''
  return wished.toLowerCase().startsWith('fr') ? 'fr' : 'en'
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > largestBody) throw new RangeError('the body is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function write(response: ServerResponse, { status, body, headers }: Answer): void {
  if (response.destroyed) return
  const isText = typeof body === 'string'
  response.writeHead(status, {
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'; form-action *; frame-ancestors *",
    ...headers,
  })
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body))
}

function readState(file: string | undefined): State {
  return file !== undefined && existsSync(file)
    ? { ...emptyState(), ...(JSON.parse(readFileSync(file, 'utf8')) as State) }
    : emptyState()
}

function writeState(file: string, state: State): void {
  writeFileSync(`${file}.part`, JSON.stringify(state))
  renameSync(`${file}.part`, file)
}
