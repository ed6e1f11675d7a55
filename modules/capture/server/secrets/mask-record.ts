/** What was read of the network, without secrets, and what the browser told of it: everything that is made of either follows. */
import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObservedRequest } from '../page/observe-browser.ts'
import { buildHar, reconcile, writeWebSockets, type HarInput, type RecordReading } from '../record/index.ts'
import { maskExchanges, type MaskedReading } from './mask-exchanges.ts'
import type { Masking } from './masking.ts'

/** Pieces that are made of what is masked here: their own texts are not gone through once more. */
export const madeOfRecord: ReadonlySet<string> = new Set([
  'capture/archive.wacz',
  'capture/network.har',
  'capture/websockets.jsonl',
  'capture/source.html',
  'capture/source.bin',
  'capture/first-source.html',
  'capture/first-source.bin',
  'environment/reconciliation.json',
])

/**
 * @param input.requests masked in place: whoever looks at them later sees no secret.
 * @throws when a file cannot be read or written, or `signal` aborts.
 */
export async function maskRecord(input: {
  readonly reading: RecordReading
  readonly requests: readonly ObservedRequest[]
  readonly har: Omit<HarInput, 'exchanges' | 'requests'>
  readonly masking: Masking
  readonly folder: string
  readonly contentBytes: number
  readonly signal: AbortSignal
}): Promise<MaskedReading> {
  const { reading, requests, masking, folder, signal } = input
  await mkdir(folder, { recursive: true })
  await countMade(input)
  const masked = await maskExchanges(reading, {
    masker: masking.masker,
    tally: masking.tally('capture/archive.wacz'),
    folder,
    contentBytes: input.contentBytes,
    signal,
  })
  for (const request of requests) maskRequest(request, masking, masked.messages)
  return masked
}

/** How often a secret would have stood in each piece: counted in what they would have been. */
async function countMade({ reading, requests, har, masking, folder, signal }: Parameters<typeof maskRecord>[0]): Promise<void> {
  masking.count('capture/network.har', JSON.stringify(await buildHar({ ...har, exchanges: reading.exchanges, requests })))
  const file = join(folder, 'websockets')
  const sockets = await writeWebSockets({ exchanges: reading.exchanges, outFile: file, signal })
  if (sockets.length > 0) {
    const parts = masking.masker.maskStream(createReadStream(file), () => undefined, masking.tally('capture/websockets.jsonl'))
    for await (const _part of parts);
    await rm(file)
  }
  const rows = reconcile({ reading, browser: requests, archived: null, sockets })
  for (const list of [rows.exchanges, rows.requests, rows.connections])
    for (const row of list) masking.count('environment/reconciliation.json', JSON.stringify(row))
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function maskRequest(request: ObservedRequest, masking: Masking, messages: ReadonlyMap<string, string>): void {
  const own: Mutable<ObservedRequest> = request
  own.url = masking.maskValue(own.url)
  own.documentUrl = masking.maskValue(own.documentUrl)
  own.initiator = masking.maskValue(own.initiator)
  own.statusText = masking.maskValue(own.statusText)
  own.headers = masking.maskValue(own.headers)
  own.redirectedTo = masking.maskValue(own.redirectedTo)
  for (const list of own.socket === null ? [] : [own.socket.sent, own.socket.received])
    for (const [i, message] of list.entries()) list[i] = messages.get(message) ?? message
}
