import {
  context,
  createContextKey,
  isSpanContextValid,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type Context,
  type SpanContext,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { z } from 'zod'

// What follows from a request knows it, however many promises lie between; where traces are off too: its log lines bear the request's id.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

/** By which request work was asked for, and in which trace: it goes with the work through queues, from process to process. */
export const origin = z.object({
  request_id: z.string().max(64).optional(),
  /** As W3C Trace Context writes it. */
  traceparent: z.string().max(64).optional(),
})
export type Origin = z.infer<typeof origin>

const requestKey = createContextKey('probant.request_id')

/** W3C Trace Context, §3.2: version 00, or what a later version begins with. */
const form = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/

/** @returns null for what is none */
export function parseTraceparent(text: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = form.exec(text) ?? []
  if (text.startsWith('00') && text.length !== 55) return null
  const found: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(found) ? found : null
}

const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`

/** Of what runs now; null where nobody asked for it, as by the clock. */
export function currentOrigin(): Origin | null {
  const active = context.active()
  if (active === ROOT_CONTEXT) return null
  const requestId = active.getValue(requestKey)
  const span = trace.getSpanContext(active)
  const traceparent = span === undefined || !isSpanContextValid(span) ? undefined : formatTraceparent(span)
  if (typeof requestId !== 'string' && traceparent === undefined) return null
  return {
    ...(typeof requestId === 'string' ? { request_id: requestId } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  }
}

/** What a line of the log says of it. */
export function originOfLine(): { request_id?: string; trace_id?: string } {
  const active = context.active()
  if (active === ROOT_CONTEXT) return {}
  const requestId = active.getValue(requestKey)
  const traceId = trace.getSpanContext(active)?.traceId
  return {
    ...(typeof requestId === 'string' ? { request_id: requestId } : {}),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  }
}

/** Where it is unknown, what follows begins of its own. */
export function contextOf(of: Origin | null): Context {
  const parent = of?.traceparent === undefined ? null : parseTraceparent(of.traceparent)
  const inTrace = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
  return of?.request_id === undefined ? inTrace : inTrace.setValue(requestKey, of.request_id)
}
