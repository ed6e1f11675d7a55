import { type Arbitrary, constantFrom, oneof, sample, tuple } from '../fast-check.ts'
import { wireError } from '../../kernel/wire-error.ts'
import { signLink } from '../../platform/http/answer/signed-link.ts'
import { linkSecret, type Operation, type openWebApi } from '../permissions/open-web-api.test-data.ts'
import { reaching } from '../permissions/outcomes.ts'
import { accountOf, credentials, marker, password, type Role, roles, type World } from '../permissions/people.ts'
import type { openUndoneDatabase } from '../permissions/undone-database.ts'
import { pairsOf, requestOf, type Known, type Request } from './request-of-operation.ts'

export type FuzzDeps = {
  readonly api: Awaited<ReturnType<typeof openWebApi>>
  readonly undone: Awaited<ReturnType<typeof openUndoneDatabase>>
  readonly world: World
  /** How long one answer may take, its whole body included, in milliseconds. */
  readonly deadlineMs: number
}

export type Figures = {
  readonly requests: number
  /** How many were answered with each status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Calls that were made, and those of them that did at least once what was asked. */
  readonly calls: number
  readonly admitted: number
  readonly wrong: readonly string[]
}

type Tried = { readonly operation: Operation; readonly role: Role; readonly request: Request }

function knownHere(world: World): Known {
  const people = roles.map((role) => accountOf(world, role))
  const ids = [...new Set(people.map(({ id }) => id))]
  const evidences = [world.owned, world.free]
  return {
    id: [
      ...ids,
      ...evidences.flatMap(({ id }) => [id, id, id]),
      ...people.slice(0, 3).flatMap((each) => [each.sessionId, each.emailId]),
    ],
    ids: evidences.map(({ id }) => id),
    document: [world.documentId],
    document_id: [world.documentId],
    round: ['1'],
    member_id: ids,
    uid: ids,
    actor: ids,
    created_by: ids,
    evidence_token: evidences.map(({ token }) => token),
    email: [...people.map(({ email }) => email), 'new@people.example', 'Nouveau.Venu@people.example'],
    company_email: ['office@people.example'],
    password: [password],
    password_confirmation: [password],
    old_password: [password],
    first_name: ['Claire', 'Zoë'],
    last_name: ['Dupont', 'O’Neill'],
    url: ['example.org', 'https://example.org/a?b=c#d', 'bücher.example'],
    path: [world.piece],
    key: [world.confirmKey, world.resetToken],
    token: [world.resetToken, world.invitation.token],
    iban: ['FR7630006000011234567890189'],
    bic: ['AGRIFRPP'],
    type: ['IBAN', 'GB', 'US', 'CA', 'other'],
    user_type: ['legal', 'natural'],
    country: ['FR', 'GB'],
    mobile_phone: ['+33612345678', '06 12 34 56 78'],
    birth_date: ['1980-02-29', '2999-01-01'],
    expires_at: [new Date(Date.now() + 30 * 86_400_000).toISOString()],
    expires: [String(Math.floor(Date.now() / 1000) + 1000)],
    page: ['1', '2', '2147483648', '9007199254740991'],
    page_size: ['1', '100'],
    search: ['example', 'Dupont'],
    code: ['000000'],
  }
}

/** Mostly whoever gets far. */
const callers: Arbitrary<Role> = oneof(
  constantFrom<Role>('owner', 'holder', 'legal_owner', 'other', 'administrator'),
  constantFrom<Role>('anonymous', 'owner', 'manager', 'delegate_manage'),
  constantFrom(...roles),
)

/** Traces of a program in an answer: of its stack (a frame names a file; a time of day does not), its files, its database. */
const innards =
  /\bat .{0,200}(?:\/|node:|<anonymous>).{0,200}:\d+:\d+|node_modules|file:\/\/\/work|\bpg_|syntax error at|violates \w+|relation "|invalid (?:byte|input) s|\b(?:Type|Range|Reference|Syntax)Error\b|is not a function|Cannot read propert|ECONN|ENOENT/

/** Requests made of what is published, each as somebody, on the same world each time. A seed gives the same requests. */
export async function fuzzCalls(deps: FuzzDeps, requests: number, seed: number): Promise<Figures> {
  const names = knownHere(deps.world)
  const anyOf = deps.api.operations.map((operation) =>
    tuple(callers, requestOf(operation, names)).map(([role, request]): Tried => ({ operation, role, request })),
  )
  const arbitrary: Arbitrary<Tried> = oneof(...anyOf)
  const statuses = new Map<number, number>()
  const [calls, admitted, wrong] = [new Set<string>(), new Set<string>(), [] as string[]]
  let index = 0
  for (const tried of sample(arbitrary, { numRuns: requests, seed })) {
    index += 1
    const answer = await deps.undone.attempt(async () => await withDeadline(deps, tried, index))
    calls.add(tried.operation.name)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status >= 200 && answer.status < 300) admitted.add(tried.operation.name)
    for (const fault of faultsOf(tried, answer))
      wrong.push(`${index}: ${tried.operation.name} as ${tried.role}: ${fault}\n  ${JSON.stringify(tried.request).slice(0, 600)}`)
  }
  return { requests: index, statuses, calls: calls.size, admitted: admitted.size, wrong }
}

/** Every call with each two of its fields together, asked by whoever may, of each thing that his ids name. */
export async function fuzzPairs(deps: FuzzDeps, seed: number): Promise<Pick<Figures, 'requests' | 'wrong' | 'statuses'>> {
  const { world } = deps
  const names = knownHere(world)
  const things = [world.owned.id, world.free.id, world.deposits.draft, world.deposits.final, accountOf(world, 'owner').id]
  const [statuses, wrong] = [new Map<number, number>(), [] as string[]]
  let index = 0
  for (const operation of deps.api.operations) {
    const ids = operation.path.includes(':id') ? things : ['']
    for (const body of pairsOf(operation, names).flatMap((pair) => sample(pair, { numRuns: 2, seed })))
      for (const id of ids) {
        index += 1
        const tried: Tried = { operation, role: 'owner', request: { params: { id }, query: [], body, headers: {} } }
        const answer = await deps.undone.attempt(async () => await withDeadline(deps, tried, index))
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        for (const fault of faultsOf(tried, answer)) wrong.push(`${operation.name} ${id}: ${fault}\n  ${body.slice(0, 600)}`)
      }
  }
  return { requests: index, statuses, wrong }
}

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string }

/** Status 0: there was no answer in time. */
async function withDeadline(deps: FuzzDeps, tried: Tried, index: number): Promise<Answer> {
  const late = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => late.resolve({ status: 0, headers: {}, text: '' }), deps.deadlineMs)
  try {
    return await Promise.race([ask(deps, tried, index), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function ask({ api, world }: FuzzDeps, { operation, role, request }: Tried, index: number): Promise<Answer> {
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => escapeText(request.params[name] ?? ''))
  const query = request.query.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`).join('&')
  const asked = query === '' ? path : `${path}?${query}`
  // What a link opens is tried with one that is good, every other time.
  const isLink = operation.path.startsWith('/files/') && index % 2 === 0
  const response = await api.server.inject({
    method: operation.method as 'GET',
    url: isLink ? signLink(linkSecret, withoutSignature(asked), new Date(Date.now() + 3_600_000)) : asked,
    remoteAddress: '127.0.0.1',
    headers: {
      // Another network each time: what counts by network is tested by itself.
      'x-forwarded-for': `10.${String((index >> 8) & 255)}.${String(index & 255)}.7`,
      ...credentials(world, role),
      ...(request.body === null ? {} : { 'content-type': operation.takesFile ? 'application/octet-stream' : 'application/json' }),
      ...request.headers,
    },
    ...(request.body === null ? {} : { payload: operation.takesFile ? Buffer.from(request.body, 'latin1') : request.body }),
    payloadAsStream: true,
  })
  const stream = response.stream()
  let text = ''
  for await (const part of stream) {
    text += String(part)
    // Those do not end.
    if (String(response.headers['content-type']).startsWith('text/event-stream') && text.includes('\n\n')) break
  }
  stream.destroy()
  return { status: response.statusCode, headers: response.headers, text }
}

const withoutSignature = (url: string) => url.replaceAll(/[?&](?:expires|signature)=[^&]*/g, '').replace(/^([^?&]*)&/, '$1?')

/** As a URL holds it; lone surrogates, which it cannot, as the octets that careless encoders make of them. */
function escapeText(text: string): string {
  return Array.from(text, (letter) => (/^[\ud800-\udfff]$/.test(letter) ? '%ED%A0%80' : encodeURIComponent(letter))).join('')
}

function faultsOf({ operation, role }: Tried, { status, headers, text }: Answer): string[] {
  if (status === 0) return ['no answer in time']
  const faults: string[] = []
  if (status >= 500 && status !== 503) faults.push(`answered ${status}`)
  if (status >= 400) {
    const read = wireError.safeParse(parsed(text))
    if (!read.success) faults.push(`an error that is none of ours: ${status} ${text.slice(0, 200)}`)
    if (!String(headers['content-type']).startsWith('application/json')) faults.push('an error that is no JSON')
  }
  const trace = innards.exec(text)
  if (trace !== null) faults.push(`tells of the program: ${trace[0].slice(0, 200)}`)
  if ('x-injected' in headers) faults.push('a header that the request wrote')
  if ('polluted' in {}) faults.push('the prototype of objects was changed')
  if (headers['x-content-type-options'] !== 'nosniff' || headers['content-security-policy'] === undefined)
    faults.push('lacks the headers of every answer')
  const reaches = reaching('read')[role] === 'admitted' && role !== 'holder'
  if (!reaches && !operation.path.startsWith('/files/') && text.includes(marker)) faults.push('tells what is the owner’s')
  return faults
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** For people. */
export function describeFigures({ requests, statuses, calls, admitted, wrong }: Figures, seed: number, of: number): string {
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  return `${requests} requests (seed ${seed}) to ${calls} of ${of} calls, ${admitted} of them answered with success; ${counts.join(', ')}; ${wrong.length} wrong`
}
