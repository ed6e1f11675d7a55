import type { HostPort } from '../../../kernel/host-port.ts'
import type { Values } from '../settings/values.ts'

/** Where measures and traces go. */
export type WatchingConfig = {
  /** Where the first role tells what is measured, the others at the ports after it; null: nowhere. */
  readonly metrics: HostPort | null
  /** Where traces go, by OTLP over HTTP; null: there are none. */
  readonly traces: string | null
  /** Whether whoever calls may say of which trace his request is a part. */
  readonly takesTraceparent: boolean
}

export function watchingOf(values: Values): WatchingConfig {
  return {
    metrics: values.metrics === 'off' ? null : values.metrics,
    traces: tracesOf(values.traces, values.tracesEndpoint),
    takesTraceparent: values.traceparent === 'take',
  }
}

function tracesOf(own: string | undefined, endpoint: string | undefined): string | null {
  if (own !== undefined) return own === 'off' ? null : own
  return endpoint === undefined ? null : `${endpoint}/v1/traces`
}
