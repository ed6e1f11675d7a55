/** What the program measures of its own course. A span holds kinds, counts and ids; no address of a page, no token, nothing of a person. */
import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { contextOf, parseTraceparent, type Origin } from './origin.ts'

let tracer: Tracer | null = null

/** From now on spans are made by it; null: none are. */
export function traceBy(next: Tracer | null): void {
  tracer = next
}

export type SpanOptions = {
  readonly attributes?: Attributes
  readonly kind?: 'server' | 'consumer' | 'internal'
}

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const

/** Begun and ended by hand, where no function is the whole of it. Null: spans are off. */
export function beginSpan(name: string, { attributes = {}, kind = 'internal' }: SpanOptions, parent?: Context): Span | null {
  return tracer?.startSpan(name, { kind: kinds[kind], attributes }, parent ?? context.active()) ?? null
}

/** Runs it as a part of what runs now. */
export async function inSpan<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  if (tracer === null) return await work()
  return await during(beginSpan(name, options), context.active(), work)
}

/** Runs it as what follows from its origin, which another process may have been. */
export async function followOrigin<Result>(
  from: Origin | null,
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = contextOf(from)
  return await during(beginSpan(name, options, parent), parent, work)
}

async function during<Result>(span: Span | null, parent: Context, work: () => Promise<Result>): Promise<Result> {
  if (span === null) return await context.with(parent, work)
  try {
    return await context.with(trace.setSpan(parent, span), work)
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** An error's words may be somebody's: its kind and its code are nobody's. */
export function failSpan(span: Span, error: unknown): void {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  const kind = error instanceof Error ? error.name : typeof error
  span.setAttribute('error.type', typeof code === 'string' && /^[\w.]{1,80}$/.test(code) ? code : kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** What runs now concerns that too, which was asked for in another trace. */
export function linkOrigin(of: Origin | null): void {
  const span = tracer === null ? undefined : trace.getActiveSpan()
  const other = of?.traceparent === undefined ? null : parseTraceparent(of.traceparent)
  if (span !== undefined && other !== null) span.addLink({ context: other })
}
