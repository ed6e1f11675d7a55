import type { z } from 'zod'
import { staffRoles, type StaffRole } from '../../../kernel/actor.ts'
import type { Access, Endpoint } from '../../../kernel/endpoint.ts'
import { exampleOf, type JsonSchema } from './openapi-example.ts'
import { errorResponses } from './openapi-errors.ts'

/** Words on a whole API that no single contract has. */
export type ApiWords = {
  /** What calls are about, by {@link tagOf}. */
  readonly tags: Readonly<Record<string, string>>
  /** What parameters mean, by their names; a contract that describes its own is heard first. */
  readonly parameters: Readonly<Record<string, string>>
  /** Values for examples, by the names of fields. */
  readonly examples: Readonly<Record<string, unknown>>
}

export const noWords: ApiWords = { tags: {}, parameters: {}, examples: {} }

/** An operation as it was made from the schemas, and as it is published. */
export type Operation = {
  readonly parameters?: readonly (JsonSchema & { readonly name: string })[]
  readonly requestBody?: JsonSchema & { readonly content?: Readonly<Record<string, JsonSchema>> }
  readonly responses?: Readonly<Record<string, JsonSchema & { readonly content?: Readonly<Record<string, JsonSchema>> }>>
}

const words = (segment: string) => segment.split(/[^A-Za-z0-9]+/).filter((each) => each !== '')
const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

/** Name of a call in programs, which changes only if the call does: `POST /evidences/:id/agree/` is `postEvidencesByIdAgree`. */
export function operationIdOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  const parts = path.split('/').flatMap((segment) => [...(segment.startsWith(':') ? ['by'] : []), ...words(segment)])
  return `${method.toLowerCase()}${parts.map(capital).join('')}`
}

/** Noun that a call is about: the first of its path. */
export const tagOf = ({ path }: Pick<Endpoint, 'path'>): string => path.split('/')[1] ?? ''

export const securitySchemes = {
  user: { type: 'http', scheme: 'bearer', description: 'Token of a signed-in user’s session.' },
  api_key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pbt_…',
    description: 'Key that a user made for his programs. The call names the scope that the key must have.',
  },
  delegation: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Delegation',
    description: 'Id of the access by which the user acts in somebody else’s account. The call names the least scope of it.',
  },
  evidence_token: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Evidence-Token',
    description: 'Token of an evidence that was asked for without account.',
  },
  signed_link: { type: 'apiKey', in: 'query', name: 'signature', description: 'Signature of a link that ends.' },
} as const

type Requirement = Partial<Record<keyof typeof securitySchemes, string[]>>

const isStaff = (access: Access): access is StaffRole => staffRoles.some((role) => role === access)
const takesUsers = ({ access }: Endpoint) => access.includes('user')

/**
 * Alternatives, each of which suffices (OpenAPI 3.1 §4.8.30); what a key or an access must have, or a user must be, is named as its role.
 * An open call asks for nothing, which is written first where it may be told who calls.
 */
export function securityOf(endpoint: Endpoint): Requirement[] {
  const { access, delegable, apiScope } = endpoint
  const user = takesUsers(endpoint)
  const alternatives: Requirement[] = access
    .filter((each) => each !== 'open')
    .map((each) => (isStaff(each) ? { user: [each] } : { [each]: [] }))
  if (user && delegable !== null) alternatives.push({ user: [], delegation: [delegable] })
  if (apiScope !== null) alternatives.push({ api_key: [apiScope] })
  return access.includes('open') && alternatives.length > 0 ? [{}, ...alternatives] : alternatives
}

const whoOf: Readonly<Record<Access, string>> = {
  open: 'anyone',
  evidence_token: 'whoever holds the token of the evidence',
  signed_link: 'whoever holds the signed link, until it ends',
  user: 'a signed-in user',
  support: 'staff of support, with a second factor',
  verifier: 'staff who verify identities, with a second factor',
  administrator: 'administrators, with a second factor',
}

/** Who may call, and how much may be sent. */
export function descriptionOf(endpoint: Endpoint): string {
  const { access, delegable, apiScope, bytes, largestBody } = endpoint
  return [
    `May be called by: ${access.map((each) => whoOf[each]).join('; ')}.`,
    ...(access.some(isStaff) ? ['To anybody else the call does not exist.'] : []),
    ...(takesUsers(endpoint)
      ? [delegable === null ? 'Not by delegation.' : `By delegation with the scope \`${delegable}\` or one that includes it.`]
      : []),
    apiScope === null ? 'No API key is taken.' : `An API key needs the scope \`${apiScope}\`.`,
    ...(bytes === null || bytes.form === true ? [] : [`The body is one file of at most ${bytes.largest} bytes.`]),
    ...(largestBody === null ? [] : [`The body has at most ${largestBody} bytes.`]),
  ].join(' ')
}

/** What `addFileRoute` of the server takes. */
const mediaOfFile = (form: boolean) =>
  form ? ['application/x-www-form-urlencoded', 'multipart/form-data'] : ['application/octet-stream', 'application/pdf', 'image/*']
const octets = { type: 'string', format: 'binary' }
const wordsOfStatus: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken on.',
  204: 'Done; there is nothing to say.',
}

type Content = Readonly<Record<string, JsonSchema>>

function withExample(
  content: Content | undefined,
  contract: z.ZodType,
  direction: 'input' | 'output',
  named: ApiWords['examples'],
): Content {
  return Object.fromEntries(
    Object.entries(content ?? {}).map(([type, media]) => {
      const example = exampleOf(contract, media['schema'], direction, named)
      return [type, example === undefined ? media : { ...media, example: example.value }]
    }),
  )
}

function contentOfAnswer({ response }: Endpoint, made: Content | undefined, named: ApiWords['examples']): Content {
  // What a file is, it says itself.
  if (response === 'stream') return { '*/*': { schema: octets } }
  if (response === 'events') return { 'text/event-stream': { schema: { type: 'string' } } }
  return withExample(made, response, 'output', named)
}

/** A path's id is that of the noun before it. */
function wordsOfParameter(
  parameter: JsonSchema & { readonly name: string },
  path: string,
  named: ApiWords['parameters'],
): string | undefined {
  const schema = parameter['schema'] as JsonSchema | undefined
  const own = parameter['description'] ?? schema?.['description']
  if (typeof own === 'string') return own
  const before = path.split('/').at(path.split('/').indexOf(`:${parameter.name}`) - 1)
  if (parameter['in'] === 'path' && parameter.name === 'id' && before !== undefined)
    return `Id of what is meant among: ${words(before).join(' ')}.`
  return named[parameter.name]
}

/** What a security scheme says already (OpenAPI 3.1 §4.8.27). */
const isSecurity = (parameter: JsonSchema & { readonly name: string }, { access }: Endpoint) =>
  access.includes('signed_link') && parameter['in'] === 'query' && parameter.name === securitySchemes.signed_link.name

/** All that the contract says of a call, and the schemas made from it do not. */
export function completeOperation(made: Operation, endpoint: Endpoint, words: ApiWords): JsonSchema {
  const { body, bytes, status, path } = endpoint
  const answer = made.responses?.[String(status)]
  const content = contentOfAnswer(endpoint, answer?.content, words.examples)
  const request =
    bytes === null
      ? body === undefined
        ? undefined
        : { ...made.requestBody, content: withExample(made.requestBody?.content, body, 'input', words.examples) }
      : {
          required: true,
          content: Object.fromEntries(mediaOfFile(bytes.form === true).map((type) => [type, { schema: octets }])),
        }
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    security: securityOf(endpoint),
    ...(made.parameters === undefined
      ? {}
      : {
          parameters: made.parameters
            .filter((each) => !isSecurity(each, endpoint))
            .map((each) => {
              const description = wordsOfParameter(each, path, words.parameters)
              return description === undefined ? each : { ...each, description }
            }),
        }),
    ...(request === undefined ? {} : { requestBody: request }),
    responses: {
      [status]: { description: wordsOfStatus[status] ?? 'Done.', ...(status === 204 ? {} : { content }) },
      ...Object.fromEntries(
        endpoint.alsoAnswers.map((other) => [other, { description: 'The same, of what does not work.', content }]),
      ),
      ...errorResponses(endpoint),
    },
  }
}
