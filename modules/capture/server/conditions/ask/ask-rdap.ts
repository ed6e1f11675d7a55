import { z } from 'zod'
import { parseIp } from '../../../../../kernel/ip-address.ts'
import type { Registration } from '../../../domain/conditions/network-facts.ts'
import { fetchBounded } from './fetch-bounded.ts'
import { ProbeError } from './probe-error.ts'
import type { Vetting } from './vet-server.ts'

type RdapDeps = { readonly vetting: Vetting; readonly signal: AbortSignal }
/** What a registry says, without who asked whom. */
export type RegistryAnswer = Pick<
  Registration,
  'subject' | 'name' | 'handle' | 'country' | 'range' | 'registered_at' | 'changed_at' | 'expires_at' | 'asked' | 'raw'
>

const maxBytes = 512 * 1024
const maxRaw = 128 * 1024
const text = z.string().transform((value) => value.slice(0, 300))

/** RFC 9224 §3: each service is a list of what it covers and a list of base addresses. */
const bootstrapSchema = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())]).rest(z.unknown())) })
export type Bootstrap = z.infer<typeof bootstrapSchema>

type Entity = {
  readonly roles?: readonly string[] | undefined
  readonly vcardArray?: unknown
  readonly entities?: readonly Entity[] | undefined
}
/** A member that is not what RFC 9083 says it is counts as absent: it must not cost the rest of the answer. */
const leniently = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const entitySchema: z.ZodType<Entity> = z.lazy(() =>
  z.object({
    roles: leniently(z.array(z.string())),
    vcardArray: leniently(z.unknown()),
    entities: leniently(z.array(entitySchema)),
  }),
)
const objectSchema = z.object({
  objectClassName: leniently(text),
  handle: leniently(text),
  name: leniently(text),
  ldhName: leniently(text),
  country: leniently(text),
  startAddress: leniently(text),
  endAddress: leniently(text),
  entities: leniently(z.array(entitySchema)),
  events: leniently(z.array(z.object({ eventAction: z.string(), eventDate: z.string() }))),
})

export type BootstrapKind = 'ipv4' | 'ipv6' | 'dns'

/** IANA's list of who serves which part (RFC 9224). `base` is the folder of `ipv4.json`, `ipv6.json` and `dns.json`. @throws ProbeError */
export async function fetchBootstrap(deps: RdapDeps, base: string, kind: BootstrapKind): Promise<Bootstrap> {
  const { status, text: body } = await fetchBounded(deps, {
    url: `${base.replace(/\/*$/, '/')}${kind}.json`,
    accept: 'application/json',
    maxBytes: 2 * 1024 * 1024,
  })
  if (status !== 200) throw new ProbeError(`http_${status}`)
  return parseJson(bootstrapSchema, body)
}

function parseJson<T>(schema: z.ZodType<T>, body: string): T {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    throw new ProbeError('malformed')
  }
}

function inPrefix(address: string, prefix: string): number {
  const [network = '', bits = ''] = prefix.split('/')
  const [a, b] = [parseIp(address), parseIp(network.includes(':') ? network : pad(network))]
  const length = Number(bits)
  if (a === null || b === null || a.length !== b.length || !/^\d{1,3}$/.test(bits) || length > a.length * 8) return -1
  for (let i = 0; i < length; i += 1) {
    const bit = (bytes: Uint8Array) => ((bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1
    if (bit(a) !== bit(b)) return -1
  }
  return length
}
/** RFC 9224 §5.1 writes IPv4 blocks whole; older files wrote `41/8`. */
const pad = (network: string): string => [...network.split('.'), '0', '0', '0'].slice(0, 4).join('.')

/** Base address of the longest match (RFC 9224 §4, §5), HTTPS before HTTP (§3); null when nobody serves it. */
export function findService(
  bootstrap: Bootstrap,
  subject: { readonly kind: 'address' | 'domain'; readonly value: string },
): string | null {
  let best: { readonly length: number; readonly url: string } | null = null
  for (const [covers, urls] of bootstrap.services) {
    for (const entry of covers) {
      const length =
        subject.kind === 'address'
          ? inPrefix(subject.value, entry)
          : entry !== '' && (subject.value === entry.toLowerCase() || subject.value.endsWith(`.${entry.toLowerCase()}`))
            ? entry.split('.').length
            : -1
      const url = urls.find((each) => each.startsWith('https:')) ?? urls[0]
      if (length >= 0 && url !== undefined && (best === null || length > best.length)) best = { length, url }
    }
  }
  return best === null ? null : best.url.replace(/\/*$/, '/')
}

/** Formatted name of the first entity with one of the roles (jCard, RFC 7095), searched in depth. */
function nameOf(entities: readonly Entity[], roles: readonly string[], depth = 0): string | null {
  for (const role of roles) {
    for (const entity of entities) {
      if (entity.roles?.includes(role) !== true) continue
      const card = Array.isArray(entity.vcardArray) ? (entity.vcardArray[1] as unknown) : null
      const properties = Array.isArray(card) ? (card as unknown[]) : []
      for (const property of properties) {
        if (Array.isArray(property) && property[0] === 'fn' && typeof property[3] === 'string' && property[3].trim() !== '')
          return property[3].trim().slice(0, 300)
      }
    }
  }
  return depth >= 3
    ? null
    : entities.reduce<string | null>((found, entity) => found ?? nameOf(entity.entities ?? [], roles, depth + 1), null)
}

/** Reads an RDAP object (RFC 9083). @throws ProbeError when it is none, or is about something else than what was asked. */
export function readRegistration(
  body: string,
  subject: { readonly kind: 'address' | 'domain'; readonly value: string },
): Omit<RegistryAnswer, 'asked' | 'raw'> {
  const object = parseJson(objectSchema, body)
  const event = (action: string): string | null => {
    const date = Date.parse(object.events?.find((one) => one.eventAction === action)?.eventDate ?? '')
    return Number.isNaN(date) ? null : new Date(date).toISOString()
  }
  const events = { registered_at: event('registration'), changed_at: event('last changed'), expires_at: event('expiration') }
  const entities = object.entities ?? []
  if (subject.kind === 'domain') {
    if ((object.ldhName ?? '').toLowerCase().replace(/\.$/, '') !== subject.value) throw new ProbeError('other_subject')
    return {
      subject: subject.value,
      name: nameOf(entities, ['registrar']),
      handle: object.handle ?? null,
      country: null,
      range: null,
      ...events,
    }
  }
  const { startAddress: first, endAddress: last } = object
  if (first === undefined || last === undefined || !isBetween(subject.value, first, last)) throw new ProbeError('other_subject')
  return {
    subject: subject.value,
    name: nameOf(entities, ['registrant', 'administrative']) ?? object.name ?? null,
    handle: object.handle ?? null,
    country: object.country ?? null,
    range: [first, last],
    ...events,
  }
}

function isBetween(address: string, first: string, last: string): boolean {
  const [a, low, high] = [parseIp(address), parseIp(first), parseIp(last)].map((bytes) =>
    bytes === null ? null : Buffer.from(bytes),
  )
  if (a == null || low == null || high == null || a.length !== low.length || a.length !== high.length) return false
  return Buffer.compare(low, a) <= 0 && Buffer.compare(a, high) <= 0
}

/** Asks the registry's server for the subject (RFC 9082 §3.1). @throws ProbeError */
export async function askRdap(
  deps: RdapDeps,
  bootstrap: Bootstrap,
  subject: { readonly kind: 'address' | 'domain'; readonly value: string },
): Promise<RegistryAnswer> {
  const base = findService(bootstrap, subject)
  if (base === null) throw new ProbeError('no_registry')
  const asked: string[] = []
  for (const value of subject.kind === 'address' ? [subject.value] : parentsOf(subject.value)) {
    const {
      status,
      text: body,
      via,
    } = await fetchBounded(deps, {
      url: `${base}${subject.kind === 'address' ? 'ip' : 'domain'}/${encodeURIComponent(value)}`,
      accept: 'application/rdap+json, application/json;q=0.5',
      maxBytes,
    })
    asked.push(...via)
    // A registry knows the names it registers, not those below them.
    if (status === 404 && subject.kind === 'domain') continue
    if (status !== 200) throw new ProbeError(`http_${status}`)
    return { ...readRegistration(body, { kind: subject.kind, value }), asked, raw: body.slice(0, maxRaw) }
  }
  throw new ProbeError('not_registered')
}

/** The name and those above it, as long as two labels are left, four at most. */
export function parentsOf(name: string): readonly string[] {
  const labels = name.split('.')
  return Array.from({ length: Math.max(0, labels.length - 1) }, (_, i) => labels.slice(i).join('.')).slice(-4)
}
