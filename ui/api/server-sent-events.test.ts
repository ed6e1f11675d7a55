import { expect, test } from 'vitest'
import { array, assert, asyncProperty, nat } from '../../testing/fast-check.ts'
import { parseServerSentEvents, type ServerSentEvent } from './server-sent-events.ts'

async function* given(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks
}
async function parse(chunks: readonly string[]): Promise<ServerSentEvent[]> {
  return Array.fromAsync(parseServerSentEvents(given(chunks)))
}

const text =
  ': hello\n\nid: 1\nevent: evidence\ndata: {"a":1}\n\ndata: two\r\ndata:lines\r\n\r\nid: 3\n\nretry: 10\rdata\r\rdata: cut'

test('comments, ids, names, joined data; an unfinished event is dropped', async () => {
  expect(await parse([text])).toEqual([
    { id: '1', event: 'evidence', data: '{"a":1}' },
    { id: '1', event: 'message', data: 'two\nlines' },
    { id: '3', event: 'message', data: '' },
  ])
})

test('wherever the network cuts the stream, the events are the same', async () => {
  const whole = await parse([text])
  await assert(
    asyncProperty(array(nat(text.length), { maxLength: 12 }), async (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      expect(await parse(at.slice(1).map((end, i) => text.slice(at[i], end)))).toEqual(whole)
    }),
  )
})
