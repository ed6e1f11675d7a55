/** `environment/reconciliation.json`: what wire, browser and archive say of every exchange, and whether they agree (decision 0114). */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Reconciliation } from './reconcile.ts'

const note =
  'wire: the bytes that the tunnel recorded, decrypted afterwards; browser: what the browser reported of the same request; archive: the WARC record ' +
  'in capture/archive.wacz. body: without transfer coding, as content-encoded; content: decoded. agrees: the three say the same; wire_only: archived, ' +
  'not reported by the browser; explained: not whole or not compared, for the reason given, and nothing lost; lost: the capture is not complete.'

/** One exchange a line, so that the file can be read by eye and by `grep`. @throws when it can't be written, or `signal` aborts. */
export async function writeReconciliation(
  reconciliation: Reconciliation,
  input: { readonly outFile: string; readonly signal: AbortSignal },
): Promise<void> {
  const { completeness, counts, exchanges, requests, connections } = reconciliation
  function* text(): Generator<string> {
    const head = { format: 'probant-reconciliation/1', note, state: completeness.state, counts }
    yield `${JSON.stringify(head, null, 1).slice(0, -2)},\n "losses": `
    yield* list(completeness.losses)
    yield ',\n "exchanges": '
    yield* list(exchanges)
    yield ',\n "requests": '
    yield* list(requests)
    yield ',\n "connections": '
    yield* list(connections)
    yield '\n}\n'
  }
  await pipeline(Readable.from(text()), createWriteStream(input.outFile, { mode: 0o600 }), { signal: input.signal })
}

function* list(values: readonly unknown[]): Generator<string> {
  yield '['
  for (const [position, value] of values.entries()) yield `${position === 0 ? '' : ','}\n  ${JSON.stringify(value)}`
  yield values.length === 0 ? ']' : '\n ]'
}
