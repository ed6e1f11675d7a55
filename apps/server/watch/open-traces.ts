import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../../../platform/log/log.ts'
import { traceBy } from '../../../platform/trace/spans.ts'

/** What a collector that is slow or gone may cost: so many spans are kept, the others are left out. */
const mostKept = 2_048
const mostAtOnce = 256
const patienceMs = 5_000
/** At the end of a process. */
const lastPatienceMs = 2_000

/** Spans are made from now on, and handed to the collector beside the work, in groups. @returns what hands over the rest, within two seconds, and ends it */
export function openTraces(options: {
  /** Of OTLP over HTTP. */
  readonly url: string
  readonly role: string
  readonly version: string
  readonly log: Log
}): () => Promise<void> {
  const { url, log } = options
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: patienceMs, concurrencyLimit: mostKept / mostAtOnce + 1 })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'probant',
      'service.version': options.version,
      'probant.role': options.role,
    }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: tellOfFailures(exporter, log),
        maxQueueSize: mostKept,
        maxExportBatchSize: mostAtOnce,
        exportTimeoutMillis: patienceMs,
      }),
    ],
  })
  traceBy(provider.getTracer('probant', options.version))
  return async () => {
    traceBy(null)
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, lastPatienceMs)
    await Promise.race([provider.shutdown().catch(() => undefined), late.promise])
    clearTimeout(timer)
  }
}

/** Once, when it begins to fail, and once when it goes again. */
function tellOfFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined
        if (failed !== failing) {
          if (failed) log.warn({ err: result.error }, 'the collector of traces takes none: they are left out')
          else log.info({}, 'the collector of traces takes them again')
        }
        failing = failed
        done(result)
      })
    },
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: async () => await exporter.shutdown(),
  }
}
