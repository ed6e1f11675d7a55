import { context, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { contextOf } from '../../trace/origin.ts'
import { beginSpan } from '../../trace/spans.ts'

/** What follows from a request runs in it. */
export type RunAsked = <Result>(request: FastifyRequest, work: () => Result) => Result

/**
 * Whatever a request brings about knows by which it was asked for; where traces are on, it is a span, of the pattern of its route alone.
 * @param options `untraced`: the pattern of a route that is asked all day; `takesTraceparent`: whether whoever calls may say of which trace it is a part: everybody may write what he likes
 */
export function traceRequests(
  app: FastifyInstance,
  { takesTraceparent, untraced }: { readonly takesTraceparent: boolean; readonly untraced: string },
): RunAsked {
  const spans = new WeakMap<FastifyRequest, Span>()
  const contextFor = (request: FastifyRequest): Context => {
    const { traceparent } = request.headers
    const from = takesTraceparent && typeof traceparent === 'string' ? { traceparent } : {}
    return contextOf({ request_id: request.id, ...from })
  }
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route = 'none', config } = request.routeOptions
    // A stream of events lasts as long as somebody looks.
    if (route !== untraced && config.endpoint?.response !== 'events') {
      const attributes = { 'http.request.method': request.method, 'http.route': route, 'probant.request_id': request.id }
      const span = beginSpan(`${request.method} ${route}`, { kind: 'server', attributes }, contextFor(request))
      if (span !== null) spans.set(request, span)
    }
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
  return (request, work) => {
    const from = contextFor(request)
    const span = spans.get(request)
    return context.with(span === undefined ? from : trace.setSpan(from, span), work)
  }
}
