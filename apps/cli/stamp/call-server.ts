import { setTimeout as pause } from 'node:timers/promises'
import type { Locale } from '../../../kernel/locale.ts'
import { wireError, type WireError } from '../../../kernel/wire-error.ts'
import type { Access } from './access.ts'

/** The server answered that it will not: saying the same again would be answered the same. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly answer: WireError
  constructor(status: number, answer: WireError) {
    super(`${String(status)} ${answer.code}: ${answer.message}`)
    this.status = status
    this.answer = answer
  }
}

/** Nobody answered, or something other than the product did: later it may be otherwise. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export type CallDeps = {
  readonly locale: Locale
  readonly signal: AbortSignal
  /** Told before it waits, with the seconds. */
  readonly onWait: (seconds: number) => void
}

export type Call = {
  readonly method: 'GET' | 'POST'
  /** Of the server, with or without a slash before it. */
  readonly path: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly withKey: boolean
  /** Whether the answer may take as long as it likes while something of it comes. */
  readonly isLong?: boolean
}

const answersWithinMs = 60_000
/** A piece of a file comes at 64 KiB a second at least, or is refused (body-bytes.ts). */
const pieceWithinMs = 180_000
const longestWaitSeconds = 120
const largestAnswer = 32 * 1024 * 1024

/**
 * One call, with a key; one that comes too often waits as long as the server says.
 * @returns the body of an answer that is no refusal, as it comes
 * @throws Refused, Unreachable, also while the body comes
 */
export async function callServer(access: Access, deps: CallDeps, call: Call): Promise<AsyncIterable<Uint8Array>> {
  for (;;) {
    const { response, body } = await send(access, deps, call)
    if (response.ok) return body
    const parsed = wireError.safeParse(parseJson(await readWhole(body)))
    const seconds = Number(response.headers.get('retry-after'))
    if (response.status === 429 && Number.isFinite(seconds) && seconds > 0 && seconds <= longestWaitSeconds) {
      deps.onWait(seconds)
      await pause(seconds * 1000, undefined, { signal: deps.signal })
      continue
    }
    // A refusal of ours has our form; that of a proxy on the way says nothing of the deposit.
    const isOurs = parsed.success && (response.status < 500 || parsed.data.code.startsWith('document.'))
    if (!isOurs) throw new Unreachable(`HTTP ${String(response.status)}`)
    throw new Refused(response.status, parsed.data)
  }
}

async function send({ server, key }: Access, deps: CallDeps, { method, path, body, withKey, isLong = false }: Call) {
  const isPiece = body !== undefined && typeof body !== 'string'
  const address = new URL(path.replace(/^\//, ''), server)
  if (address.origin !== server.origin) throw new Unreachable(`a link leads to ${address.origin}`)
  const late = createDeadline(isPiece ? pieceWithinMs : answersWithinMs)
  const signal = AbortSignal.any([deps.signal, late.signal])
  try {
    const response = await fetch(address, {
      method,
      // A key is not carried on to wherever something redirects.
      redirect: 'error',
      signal,
      headers: {
        'accept-language': deps.locale,
        ...(withKey ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': isPiece ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    return { response, body: bodyOf(response, { deps, late, isLong }) }
  } catch (error) {
    late.end()
    throw asUnreachable(error, deps.signal)
  }
}

function createDeadline(ms: number) {
  const controller = new AbortController()
  const over = () => controller.abort(new Unreachable('ETIMEDOUT'))
  let timer = setTimeout(over, ms)
  return {
    signal: controller.signal,
    end: () => clearTimeout(timer),
    renew() {
      clearTimeout(timer)
      timer = setTimeout(over, ms)
    },
  }
}

type Coming = { readonly deps: CallDeps; readonly late: ReturnType<typeof createDeadline>; readonly isLong: boolean }

async function* bodyOf({ body }: Response, { deps, late, isLong }: Coming): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of body ?? []) {
      // While whoever asked is busy with what came, the server is not late.
      if (isLong) late.end()
      yield part
      if (isLong) late.renew()
    }
  } catch (error) {
    throw asUnreachable(error, deps.signal)
  } finally {
    late.end()
  }
}

function asUnreachable(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof Unreachable) return error
  return new Unreachable(reasonOf(error), { cause: error })
}

/** @throws Unreachable when it is far longer than any answer */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > largestAnswer) throw new Unreachable('an answer that is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** @returns undefined when it is none */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What the network says, without the address, which the caller knows. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}
