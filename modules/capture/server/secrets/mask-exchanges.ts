/**
 * Takes secrets out of what was on the wire before anything is made of it: archive, HAR, messages and reconciliation then agree with
 * each other, and every digest in them is of the octets that they hold (decision 0232).
 */
import { join } from 'node:path'
import type { Exchange, ExchangeBody, HeaderField, RecordReading } from '../record/exchange/exchange.ts'
import { maskBody, type BodyMasking } from './mask-body.ts'
import type { SecretMasker, Tally } from './mask-secrets.ts'
import { maskSocket } from './mask-websocket.ts'
import { createBodyStore } from './store-body.ts'

export type MaskedReading = {
  readonly reading: RecordReading
  /** Exchanges that are others than before, by what they were. */
  readonly exchanges: ReadonlyMap<Exchange, Exchange>
  /** Places in the content of a response, by its exchange as it is now: one entry of the list a place, the number of its secret. */
  readonly found: ReadonlyMap<Exchange, readonly number[]>
  /** SHA-256 of WebSocket messages, by what it was. */
  readonly messages: ReadonlyMap<string, string>
  /** A secret went or came without encryption: whoever recorded the line has it. */
  readonly inClear: boolean
}

/** @throws when the folder cannot be written, or `signal` aborts. */
export async function maskExchanges(
  reading: RecordReading,
  deps: {
    readonly masker: SecretMasker
    readonly tally: Tally
    /** Existing; bodies that are made anew go there. */
    readonly folder: string
    /** Most octets that a body may have after decoding. */
    readonly contentBytes: number
    readonly signal: AbortSignal
  },
): Promise<MaskedReading> {
  const { masker, signal } = deps
  const store = createBodyStore((n) => join(deps.folder, `masked-${String(n).padStart(6, '0')}`))
  const exchanges = new Map<Exchange, Exchange>()
  const found = new Map<Exchange, readonly number[]>()
  const messages = new Map<string, string>()
  let inClear = false

  for (const exchange of reading.exchanges) {
    signal.throwIfAborted()
    let places: number[] = []
    const tally: Tally = (secret) => {
      places.push(secret)
      deps.tally(secret)
    }
    const masking: BodyMasking = { masker, tally, store, contentBytes: deps.contentBytes }
    const octets = (bytes: Uint8Array): Uint8Array => masker.mask(Buffer.from(bytes), tally).bytes
    const { request, response, upgraded } = exchange
    const requestBody = await maskBody(request, masking)
    const sent = withLength(
      { ...request, head: octets(request.head), fields: quietly(request.fields, masker), body: requestBody },
      request.body,
    )
    const trailersOf = (fields: readonly HeaderField[]) =>
      exchange.protocol === 'h2' ? fieldsOf(fields, masker, tally) : quietly(fields, masker)
    let answer = response
    let content: readonly number[] = []
    if (response !== null) {
      const before = places.length
      const body = await maskBody(response, masking)
      content = places.slice(before)
      answer = {
        ...withLength(
          { ...response, head: octets(response.head), fields: quietly(response.fields, masker), body },
          response.body,
        ),
        reason: latin1(response.reason, masker),
        trailers: trailersOf(response.trailers),
        interim: response.interim.map(octets),
      }
    }
    const socket = upgraded === null ? null : await maskSocket(exchange, masking, (before, now) => messages.set(before, now))
    const masked: Exchange = {
      ...exchange,
      url: masker.maskText(exchange.url).text,
      request: { ...sent, target: latin1(request.target, masker), trailers: trailersOf(request.trailers) },
      response: answer,
      upgraded: socket,
    }
    if (places.length === 0) continue
    exchanges.set(exchange, masked)
    found.set(masked, content)
    inClear ||= exchange.tls === null
    places = []
  }
  return {
    reading: {
      ...reading,
      exchanges: reading.exchanges.map((exchange) => exchanges.get(exchange) ?? exchange),
      losses: reading.losses.map((loss) => ({ ...loss, url: loss.url === null ? null : masker.maskText(loss.url).text })),
    },
    exchanges,
    found,
    messages,
    inClear,
  }
}

const latin1 = (text: string, masker: SecretMasker, tally?: Tally): string =>
  masker.mask(Buffer.from(text, 'latin1'), tally).bytes.toString('latin1')

/** Fields have the octets of their head once more: counted there. */
const quietly = (fields: readonly HeaderField[], masker: SecretMasker): readonly HeaderField[] => fieldsOf(fields, masker)

function fieldsOf(fields: readonly HeaderField[], masker: SecretMasker, tally?: Tally): readonly HeaderField[] {
  return fields.map(({ name, value }) => ({ name: latin1(name, masker, tally), value: latin1(value, masker, tally) }))
}

type Message = { readonly head: Uint8Array; readonly fields: readonly HeaderField[]; readonly body: ExchangeBody }

/** A body that was compressed anew has another length: its head says so (RFC 9110 §8.6). */
function withLength<M extends Message>(message: M, before: ExchangeBody): M {
  if (message.body.entity_bytes === before.entity_bytes || message.body.transfer === 'chunked') return message
  const length = String(message.body.entity_bytes)
  const head = Buffer.from(message.head)
    .toString('latin1')
    .replaceAll(/^(content-length[ \t]*:[ \t]*)\d+/gim, `$1${length}`)
  const fields = message.fields.map((field) =>
    field.name.toLowerCase() === 'content-length' ? { ...field, value: length } : field,
  )
  return { ...message, head: Buffer.from(head, 'latin1'), fields }
}
