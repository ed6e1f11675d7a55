/** A collector of traces on this machine: OTLP over HTTP in its JSON form (OpenTelemetry Protocol 1.x), read strictly. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.number().int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
])
const attributes = z.array(z.strictObject({ key: z.string(), value }))
/** §Protobuf/JSON: ids are lower-case hexadecimal there, unlike elsewhere in that mapping. */
const traceId = z.string().regex(/^(?!0+$)[0-9a-f]{32}$/)
const spanId = z.string().regex(/^(?!0+$)[0-9a-f]{16}$/)
const nanos = z.string().regex(/^\d{1,20}$/)
const span = z.object({
  traceId,
  spanId,
  parentSpanId: spanId.optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  events: z.array(z.unknown()),
  links: z.array(z.object({ traceId, spanId })),
  status: z.object({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }),
})
const request = z.strictObject({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
})

export type CollectedSpan = Omit<z.infer<typeof span>, 'attributes'> & {
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

export type Collector = {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** What came, as it came. */
  readonly bodies: string[]
  /** From now on requests are answered so; `hold`: never. */
  behave(as: 'take' | 'refuse' | 'hold'): void
  close(): Promise<void>
}

export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  let behaviour: 'take' | 'refuse' | 'hold' = 'take'
  const answer = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = await text(asked)
    if (behaviour === 'hold') return
    if (behaviour === 'refuse' || asked.method !== 'POST' || asked.url !== '/v1/traces') {
      reply.writeHead(behaviour === 'refuse' ? 400 : 404).end()
      return
    }
    if (asked.headers['content-type'] !== 'application/json') throw new Error(`no JSON: ${String(asked.headers['content-type'])}`)
    const read = request.parse(JSON.parse(body))
    bodies.push(body)
    for (const { scopeSpans } of read.resourceSpans)
      for (const each of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...each,
          attributes: Object.fromEntries(
            each.attributes.map(({ key, value: of }) => [key, Object.values(of)[0] as string | number | boolean]),
          ),
        })
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((asked, reply) => {
    answer(asked, reply).catch((error: unknown) => reply.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1/traces`,
    spans,
    bodies,
    behave: (as) => void (behaviour = as),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
