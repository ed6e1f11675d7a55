import type { IncomingMessage, Server } from 'node:http'
import type { SecureContextOptions, SecureContext } from 'node:tls'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyContentTypeParser,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { groundsOf, mayTheSame, type Actor } from '../../kernel/actor.ts'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { DomainError } from '../../kernel/errors.ts'
import { createAdmissions, type Admission, type Admissions } from '../admission/admissions.ts'
import type { Config } from '../config/config.ts'
import { packageVersion } from '../config/software.ts'
import type { Log } from '../log/log.ts'
import { addressPrefix, isLoopback } from './request/address-prefix.ts'
import { answerUnparsed } from './request/answer-unparsed.ts'
import type { Authenticate } from './authenticate.ts'
import { authorize, type Admitted } from './authorize.ts'
import { bodyBytes, boundReceiving, discardRest, receivingMs, receivingTime } from './request/body-bytes.ts'
import { createStreamBounds } from './request/bound-streams.ts'
import { healthPath, healthRoute, type HealthChecks } from './health.ts'
import type { ApiWords } from './openapi/openapi-operation.ts'
import { registerOpenApi } from './openapi/openapi.ts'
import { createNoteRefusal } from './request/note-refusal.ts'
import { registerJsonParser } from './request/parse-json.ts'
import { createRateLimit } from './request/rate-limit.ts'
import { refuseAmbiguous } from './request/refuse-ambiguous.ts'
import { refuseUnkeptText } from './request/refuse-unkept-text.ts'
import { traceRequests, type RunAsked } from './request/trace-request.ts'
import { answeredAtOnce, type Route } from './route.ts'
import { securityHeaders } from './answer/security-headers.ts'
import { answerWithPage, registerWebApp, type WebApp } from './pages/web-app.ts'
import { sendError } from './wire-errors.ts'

export type HttpServer = FastifyInstance

export type HttpServerOptions = {
  readonly config: Pick<Config, 'environment' | 'publicUrl' | 'trustedProxies'>
  readonly log: Log
  readonly routes: readonly Route[]
  readonly health: HealthChecks
  /** Verifies signed links; what {@link signLink} was given. */
  readonly secret: string
  readonly clock?: Clock
  /** Whether a host is one of this installation's; absent: every one. */
  readonly ownsHost?: (host: string) => boolean
  /** Tells who calls; absent where no accounts exist, and every call that needs one is refused. */
  readonly authenticate?: Authenticate
  /** Hears of every right that ends; absent: only ends that are known in advance are seen. */
  readonly admissions?: Admissions
  /** The pages; absent where only the API is served. */
  readonly web?: WebApp
  /** Event streams that may be open at a time: of one asker, and in all. */
  readonly openStreams?: { readonly perAsker: number; readonly inAll: number }
  /** What the documentation says of the whole; absent: only what each contract says of itself. */
  readonly words?: ApiWords
  /** Hears of each answer once it was sent; event streams, which last as long as a page is open, are none. */
  readonly onAnswered?: (answered: Answered) => void
  /** What TLS is ended with here; absent: whoever stands before does, or nobody. */
  readonly tls?: SecureContextOptions & {
    readonly SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => void
  }
  /** Whether whoever calls may say of which trace his request is a part; absent: nobody. */
  readonly takesTraceparent?: boolean
  /** More plain routes of the platform itself, such as the mail pages of development. Each has `config: { access }`. */
  readonly extend?: (app: FastifyInstance) => Promise<void> | void
}

/** The pattern of a route, not an address: addresses hold ids and signatures. */
export type Answered = { readonly method: string; readonly route: string; readonly status: number; readonly seconds: number }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call: see kernel/endpoint.ts. */
    access?: readonly string[]
    /** What the call was made from. */
    endpoint?: Endpoint
    /** How long the whole request may take to arrive. */
    receivingMs?: number
  }
}

const bodyLimitBytes = 256 * 1024

/** Anonymous writes by one network: a burst, then this pace. */
const anonymousWrites = { burst: 30, perMinute: 30 }
/** Calls of one user from one network: far more than pages make, far less than copying everything takes. */
const callsOfUser = { burst: 600, perMinute: 600 }
/** Event streams of one user, or of one network of strangers; and of all. */
const openStreams = { perAsker: 64, inAll: 4_000 }

/**
 * The HTTP server with every route of the API, the documentation at /api/docs and, when given, the pages. Not yet listening.
 * @throws Error when two routes collide or one does not say who may call it
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { config, log } = options
  const clock = options.clock ?? systemClock
  const errors = { log, noteRefusal: createNoteRefusal(log, clock) }
  const headersOfAll = securityHeaders(config)
  const describeAnswer = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('x-request-id', request.id).headers(headersOfAll)
  }
  const receiving = {
    headersTimeout: 15_000,
    maxHeaderSize: 16_384,
    // Any other upgrade, h2c as curl offers it say, is declined by an ordinary answer (RFC 9110 §7.8).
    shouldUpgradeCallback(this: Server, request: IncomingMessage) {
      return this.listenerCount('upgrade') > 0 && request.headers.upgrade?.toLowerCase() === 'websocket'
    },
  }
  // Fastify's types make another server of it; it is used as this one. A handshake has as long as headers.
  const enciphered: object =
    options.tls === undefined ? {} : { https: { ...receiving, ...options.tls, handshakeTimeout: receiving.headersTimeout } }
  const app: FastifyInstance = Fastify({
    loggerInstance: fastifyLogger(log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => crypto.randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: bodyLimitBytes,
    // A client has this long to send a whole request; answers may take as long as they flow. See boundReceiving for each.
    requestTimeout: Math.max(...options.routes.map(({ endpoint }) => receivingOf(endpoint)), receivingMs),
    connectionTimeout: 0,
    // Longer than the 60 s of common reverse proxies, which must be the ones to close.
    keepAliveTimeout: 72_000,
    http: receiving,
    ...enciphered,
    // Live event streams never end by themselves.
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    clientErrorHandler: (error, socket) => answerUnparsed(error, socket, headersOfAll),
    frameworkErrors: (error, request, reply) => {
      // What is refused before it has a route passes no hook.
      describeAnswer(request, reply)
      void sendError(error, request, reply, errors)
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.removeContentTypeParser('text/plain')
  registerJsonParser(app)
  app.setErrorHandler(async (error: FastifyError, request, reply) => await sendError(error, request, reply, errors))
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined && !route.url.startsWith('/api/docs')) {
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    describeAnswer(request, reply)
    refuseAmbiguous(request)
    // Whether the machine is well is asked by its address.
    if (options.ownsHost?.(request.host) === false && request.routeOptions.url !== healthPath)
      throw new DomainError('invalid', 'http.unknown_host')
    boundReceiving(request.raw, reply.raw, request.routeOptions.config.receivingMs ?? receivingMs, headersOfAll)
  })
  const runAsked = traceRequests(app, { takesTraceparent: options.takesTraceparent === true, untraced: healthPath })
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, not the address: addresses hold ids and signatures.
    const facts = {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    log[reply.statusCode >= 500 ? 'warn' : 'debug'](facts, 'answered')
    if (request.routeOptions.config.endpoint?.response !== 'events') {
      const { method, route, status } = facts
      options.onAnswered?.({ method, route, status, seconds: reply.elapsedTime / 1000 })
    }
  })

  await registerOpenApi(app, config, options.words)
  const limit = createRateLimit(anonymousWrites)
  const limitOfUser = createRateLimit(callsOfUser)
  const streams = createStreamBounds(options.openStreams ?? openStreams)
  const admit = (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, actor: Actor | null): void => {
    const [network, now] = [addressPrefix(request.ip), clock.now().getTime()]
    const isOurs = config.environment === 'development' && isLoopback(request.ip)
    if (endpoint.response === 'events') streams.open(isOurs ? null : (actor?.userId ?? network), reply.raw)
    if (isOurs) return
    if (endpoint.method !== 'GET' && endpoint.access.includes('open')) limit.take(network, now)
    // By network too: who holds a copy of a token does not keep its owner out.
    if (actor !== null) limitOfUser.take(`${actor.userId} ${network}`, now)
  }
  const admissions = options.admissions ?? createAdmissions({ clock, log })
  for (const each of [healthRoute(packageVersion, options.health), ...options.routes]) {
    const deps = { admit, runAsked, secret: options.secret, clock, authenticate: options.authenticate, admissions }
    if (each.endpoint.bytes === null) addRoute(app, each, deps)
    else await app.register(async (scope) => await Promise.resolve(addFileRoute(scope, each, deps)))
  }
  await options.extend?.(app)
  const { web } = options
  if (web !== undefined) await registerWebApp(app, web, clock)
  app.setNotFoundHandler(async (request, reply) => {
    if (web !== undefined && (await answerWithPage(web, request, reply))) return reply
    throw new DomainError('not_found', 'http.not_found')
  })
  await app.ready()
  return app
}

const receivingOf = ({ bytes, largestBody }: Endpoint) => {
  const largest = bytes?.largest ?? largestBody
  return largest === null ? receivingMs : receivingTime(largest)
}

type RouteDeps = {
  admit: (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply, actor: Actor | null) => void
  secret: string
  clock: Clock
  authenticate: Authenticate | undefined
  admissions: Admissions
  runAsked: RunAsked
}

/** A body that took longer may be that of somebody who meanwhile lost the right: he is asked again before it is acted upon. */
const promptMs = 200

/** A call whose body is a file: nothing parses it, and what it is, only its bytes say. */
function addFileRoute(scope: FastifyInstance, route: Route, deps: RouteDeps): void {
  scope.removeAllContentTypeParsers()
  const left: FastifyContentTypeParser = (_request, _payload, done) => done(null)
  scope.addContentTypeParser(['application/octet-stream', 'application/pdf'], left)
  scope.addContentTypeParser(/^image\/[\w.+-]+(?:;|$)/, left)
  const { largest = 0, form = false } = route.endpoint.bytes ?? {}
  if (form) {
    scope.addContentTypeParser('application/x-www-form-urlencoded', left)
    scope.addContentTypeParser(/^multipart\/form-data(?:;|$)/, left)
  }
  scope.addHook('onResponse', (request, _reply, done) => {
    discardRest(request.raw, largest)
    done()
  })
  addRoute(scope, route, deps)
}

function addRoute(app: FastifyInstance, { endpoint, handler }: Route, deps: RouteDeps): void {
  const { response, bytes } = endpoint
  const admitted = new WeakMap<FastifyRequest, Admitted & { at: number }>()
  const goesOn = response === 'events' || response === 'stream' || bytes !== null
  const hold = (request: FastifyRequest, reply: FastifyReply): Admission => {
    const actor = admitted.get(request)?.actor ?? null
    const ask = async () => {
      const now = (await authorize(endpoint, request, { ...deps, again: true })).actor
      // What is shown of an evidence depends on what may be done with it: the client comes again.
      if (response === 'events' && actor !== null && now !== null && !mayTheSame(actor, now))
        throw new DomainError('conflict', 'http.rights_changed')
      return now?.until ?? null
    }
    const admission = actor === null ? deps.admissions.hold() : deps.admissions.hold({ ids: groundsOf(actor), ask })
    reply.raw.once('close', admission.release)
    // A download that is cut off is seen to be: fewer bytes came than were said, or no last chunk.
    if (response === 'stream') admission.signal.addEventListener('abort', () => reply.raw.destroy(), { once: true })
    return admission
  }
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.largestBody === null ? {} : { bodyLimit: endpoint.largestBody }),
    config: {
      access: endpoint.access,
      endpoint,
      receivingMs: receivingOf(endpoint),
    },
    // A HEAD of an endless stream would never end.
    ...(endpoint.method === 'GET' ? { exposeHeadRoute: response !== 'events' } : {}),
    schema: {
      summary: endpoint.summary,
      ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
      ...(endpoint.query === undefined ? {} : { querystring: endpoint.query }),
      ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
      ...(typeof response === 'string' ? {} : { response: { [endpoint.status]: response } }),
    },
    // Before the body is read: strangers get no parser.
    onRequest: async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      const caller = await authorize(endpoint, request, deps)
      admitted.set(request, { ...caller, at: performance.now() })
      deps.admit(endpoint, request, reply, caller.actor)
    },
    preHandler: async (request) => {
      refuseUnkeptText(request.params, request.query, bytes === null ? request.body : null)
      const before = admitted.get(request)
      if (endpoint.body === undefined || before === undefined || performance.now() - before.at < promptMs) return
      admitted.set(request, { ...(await authorize(endpoint, request, deps)), at: performance.now() })
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.code(endpoint.status)
      const admission = goesOn ? hold(request, reply) : answeredAtOnce
      const answer = await deps.runAsked(
        request,
        async () =>
          await handler({
            params: request.params,
            query: request.query,
            body: endpoint.body === undefined ? undefined : request.body,
            bytes: bytes === null ? null : bodyBytes(request.raw, bytes.largest, admission.signal),
            admission,
            request,
            reply,
            evidenceToken: admitted.get(request)?.evidenceToken,
            actor: admitted.get(request)?.actor ?? null,
            addressPrefix: addressPrefix(request.ip),
          }),
      )
      return typeof response === 'string' ? reply : answer
    },
  })
}

/** Fastify asks for pino's whole interface; it uses these. Request objects are never logged: they hold addresses and tokens. */
function fastifyLogger(log: Log): FastifyBaseLogger {
  const method = (name: 'debug' | 'info' | 'warn' | 'error' | 'fatal') => (facts: unknown, message?: string) =>
    typeof facts === 'object' && facts !== null ? log[name](facts, message) : log[name](String(facts))
  return {
    level: 'info',
    trace: method('debug'),
    debug: method('debug'),
    // Says only what the role says itself.
    info: method('debug'),
    warn: method('warn'),
    error: method('error'),
    fatal: method('fatal'),
    silent: () => undefined,
    child: () => fastifyLogger(log),
  } as FastifyBaseLogger
}
