import type { Endpoint, ParamsOf, QueryInputOf, ResponseOf } from '../../kernel/endpoint.ts'
import { ApiError } from './api-error.ts'
import { addressOf, errorOf, headersOf, inSession, readerOf, silent } from './call.ts'
import { noteServerDate } from './server-clock.ts'
import type { Session } from './session.ts'

export type FileInput<E extends Endpoint> = {
  readonly params?: ParamsOf<E>
  readonly query?: QueryInputOf<E>
  readonly file: Blob
  readonly signal: AbortSignal
  /** Share that has left, 0 to 1. */
  readonly onProgress: (share: number) => void
}

/**
 * Calls an endpoint whose body is a file. By XMLHttpRequest: `fetch` does not tell how much of a body has left.
 * @throws ApiError as `call` does; DOMException `AbortError` when aborted
 */
export async function sendFile<E extends Endpoint>(endpoint: E, input: FileInput<E>): Promise<ResponseOf<E>> {
  const read = readerOf(endpoint)
  return await read(await inSession(endpoint, false, (session) => transfer(endpoint, input, session)))
}

async function transfer<E extends Endpoint>(endpoint: E, input: FileInput<E>, session: Session | null): Promise<Response> {
  const { signal } = input
  signal.throwIfAborted()
  const sender = new XMLHttpRequest()
  sender.open(endpoint.method, addressOf(endpoint, input.params, input.query))
  sender.responseType = 'text'
  headersOf(endpoint, session, 'application/json').forEach((value, name) => sender.setRequestHeader(name, value))
  sender.setRequestHeader('content-type', 'application/octet-stream')
  sender.upload.addEventListener('progress', ({ loaded, total }) => input.onProgress(total === 0 ? 0 : loaded / total))
  const abort = () => sender.abort()
  signal.addEventListener('abort', abort)
  try {
    await new Promise<void>((resolve, reject) => {
      sender.addEventListener('load', () => resolve())
      sender.addEventListener('error', () => reject(new ApiError(0, silent('ui.error.network', ''))))
      sender.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      sender.send(input.file)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
  noteServerDate(sender.getResponseHeader('date'))
  const headers = new Headers({ 'x-request-id': sender.getResponseHeader('x-request-id') ?? '' })
  const response = new Response(sender.responseText, { status: sender.status, headers })
  if (!response.ok) throw await errorOf(response)
  return response
}
