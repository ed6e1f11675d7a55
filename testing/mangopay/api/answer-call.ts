import { randomUUID } from 'node:crypto'
import { ApiError } from '../world/api-error.ts'
import type { World } from '../world/world.ts'
import type { Answer } from './route.ts'
import { routes } from './routes.ts'

const keyPattern = /^[A-Za-z0-9-]{16,36}$/
const day = 86_400

export type Request = {
  readonly method: string
  readonly url: URL
  /** The path below that of the client. */
  readonly path: string
  readonly body: string
  readonly key: string | undefined
}

/** A call of a client that is known: its effect happens once for a key of idempotency, whatever was answered then. */
export function answerCall(world: World, request: Request): Answer {
  forgetKeys(world)
  if (request.key === undefined || request.method !== 'POST') return attempt(world, request)
  if (!keyPattern.test(request.key)) {
    return told(
      world,
      new ApiError(400, 'param_error', 'The Idempotency-Key must have 16 to 36 alphanumeric characters or dashes'),
    )
  }
  if (Object.hasOwn(world.state.responses, request.key)) {
    const message = 'A resource has already been created with this Idempotency Key'
    return told(world, new ApiError(409, 'idempotent_creation_conflict', message))
  }
  const answer = attempt(world, request)
  keep(world, request, answer)
  return answer
}

/** What was answered, kept for `GET /responses/{key}`; a fault that changes the answer changes this too. */
export function keep(world: World, request: Request, answer: Answer): void {
  if (request.key === undefined || request.method !== 'POST' || !keyPattern.test(request.key)) return
  world.state.responses[request.key] = {
    StatusCode: String(answer.status),
    ContentLength: String(Buffer.byteLength(JSON.stringify(answer.body ?? null))),
    ContentType: 'application/json; charset=utf-8',
    Date: new Date(world.now() * 1000).toUTCString(),
    RequestURL: request.url.href,
    Resource: structuredClone(answer.body ?? null),
    at: world.now(),
  }
}

function forgetKeys(world: World): void {
  for (const [key, { at }] of Object.entries(world.state.responses)) if (world.now() - at > day) delete world.state.responses[key]
}

function attempt(world: World, request: Request): Answer {
  try {
    for (const route of routes) {
      const match = route.method === request.method ? route.pattern.exec(request.path) : null
      if (match === null) continue
      const answer = route.answer({
        world,
        params: match.groups ?? {},
        query: request.url.searchParams,
        body: parse(request.body),
      })
      return answer.body === undefined ? { ...answer, status: 204 } : { ...answer, body: structuredClone(answer.body) }
    }
    throw new ApiError(404, 'ressource_not_found', `There is no call ${request.method} ${request.path}`)
  } catch (error) {
    if (error instanceof ApiError) return told(world, error)
    throw error
  }
}

function parse(body: string): Readonly<Record<string, unknown>> {
  if (body.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below, as of any body that is no object.
  }
  throw new ApiError(400, 'param_error', 'The body is not a JSON object')
}

export function told(world: World, { status, type, message, errors }: ApiError): Answer {
  return { status, body: { Message: message, Type: type, Id: randomUUID(), Date: world.now(), errors } }
}
