import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import type { Locale } from '../../../kernel/locale.ts'
import { wireError, type WireError } from '../../../kernel/wire-error.ts'
import {
  beginDocumentCopy,
  completeDocumentCopy,
  readDocumentCopy,
  sendDocumentCopyPart,
  type DocumentCopy,
} from '../../../modules/document/contract/copy.ts'
import { createDocuments, listDocuments, readDocument } from '../../../modules/document/contract/endpoints.ts'
import type { DepositInput, Document } from '../../../modules/document/contract/document.ts'
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

/** Of an upload; `from`: at which byte of the piece a slice of it begins, null: the whole piece. */
type Piece = { readonly upload: string; readonly part: number; readonly from: number | null }

export type ServerCalls = {
  /** In the order that is given. */
  deposit(documents: readonly DepositInput[]): Promise<readonly { readonly id: string; readonly duplicateOf: string | null }[]>
  /** Null: there is no such deposit. */
  read(id: string): Promise<Document | null>
  /** A hundred of them, newest first; `last` when there are no more. */
  list(page: number): Promise<{ readonly documents: readonly Document[]; readonly last: boolean }>
  /** What a signed link leads to. */
  download(link: string): Promise<Buffer>
  /** Of the file that a deposit is of: begins an upload or goes on with one, sends a piece of it, has it compared, says how it stands. */
  readonly copy: {
    begin(id: string, bytes: number): Promise<DocumentCopy>
    send(id: string, piece: Piece, bytes: Uint8Array<ArrayBuffer>): Promise<void>
    complete(id: string, upload: string): Promise<DocumentCopy>
    read(id: string): Promise<DocumentCopy>
  }
}

const largestAnswer = 32 * 1024 * 1024
const answersWithinMs = 60_000
/** A piece of a file comes at 64 KiB a second at least, or is refused (body-bytes.ts). */
const pieceWithinMs = 180_000
const longestWaitSeconds = 120

/**
 * The calls of the deposits, with a key. One that comes too often waits as long as the server says.
 * @param deps.onWait told before it waits, with the seconds
 */
export function createServerCalls(
  access: Access,
  deps: { readonly locale: Locale; readonly signal: AbortSignal; readonly onWait: (seconds: number) => void },
): ServerCalls {
  const { server, key } = access

  type Sent = { readonly body?: string | Uint8Array<ArrayBuffer>; readonly withKey: boolean }

  async function ask(method: 'GET' | 'POST', path: string, options: Sent): Promise<Buffer> {
    for (;;) {
      const { response, bytes } = await send(method, path, options)
      if (response.ok) return bytes
      const parsed = wireError.safeParse(parseJson(bytes))
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

  async function send(method: 'GET' | 'POST', path: string, { body, withKey }: Sent) {
    const isPiece = body !== undefined && typeof body !== 'string'
    const address = new URL(path.replace(/^\//, ''), server)
    if (address.origin !== server.origin) throw new Unreachable(`a link leads to ${address.origin}`)
    try {
      const response = await fetch(address, {
        method,
        // A key is not carried on to wherever something redirects.
        redirect: 'error',
        signal: AbortSignal.any([deps.signal, AbortSignal.timeout(isPiece ? pieceWithinMs : answersWithinMs)]),
        headers: {
          'accept-language': deps.locale,
          ...(withKey ? { authorization: `Bearer ${key}` } : {}),
          ...(body === undefined ? {} : { 'content-type': isPiece ? 'application/octet-stream' : 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      })
      return { response, bytes: await readWhole(response) }
    } catch (error) {
      if (deps.signal.aborted || error instanceof Unreachable) throw error
      throw new Unreachable(reasonOf(error), { cause: error })
    }
  }

  async function call<T extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    response: T,
    body?: unknown,
  ): Promise<z.output<T>> {
    const sent =
      body === undefined ? {} : { body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }
    const bytes = await ask(method, path, { withKey: true, ...sent })
    const parsed = response.safeParse(parseJson(bytes))
    if (!parsed.success) throw new Unreachable('an answer of another form')
    return parsed.data
  }

  return {
    async deposit(documents) {
      const answer = await call('POST', createDocuments.path, createDocuments.response, { documents, agree: true })
      const isOurs =
        answer.documents.length === documents.length && answer.documents.every(({ sha256 }, i) => sha256 === documents[i]?.sha256)
      if (!isOurs) throw new Unreachable('an answer to something else')
      return answer.documents.map(({ id, duplicate_of: earlier }) => ({ id, duplicateOf: earlier?.id ?? null }))
    },
    async read(id) {
      try {
        return await call('GET', readDocument.path.replace(':id', id), readDocument.response)
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null
        throw error
      }
    },
    async list(page) {
      const { results, next } = await call(
        'GET',
        `${listDocuments.path}?page=${String(page)}&page_size=100`,
        listDocuments.response,
      )
      return { documents: results, last: next === null }
    },
    download: async (link) => await ask('GET', link, { withKey: false }),
    copy: {
      begin: async (id, bytes) =>
        await call('POST', beginDocumentCopy.path.replace(':id', id), beginDocumentCopy.response, { bytes }),
      async send(id, { upload, part, from }, bytes) {
        const path = sendDocumentCopyPart.path.replace(':id', id).replace(':part', String(part))
        await call(
          'POST',
          `${path}?upload=${upload}${from === null ? '' : `&from=${String(from)}`}`,
          sendDocumentCopyPart.response,
          bytes,
        )
      },
      complete: async (id, upload) =>
        await call('POST', completeDocumentCopy.path.replace(':id', id), completeDocumentCopy.response, { upload }),
      read: async (id) => await call('GET', readDocumentCopy.path.replace(':id', id), readDocumentCopy.response),
    },
  }
}

async function readWhole(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  if (response.body === null) return Buffer.alloc(0)
  for await (const part of response.body) {
    length += part.length
    if (length > largestAnswer) throw new Unreachable('an answer that is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function parseJson(bytes: Buffer): unknown {
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
