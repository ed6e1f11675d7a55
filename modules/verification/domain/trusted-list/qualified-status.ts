import { MalformedError } from '../encoding/der.ts'
import type { Certificate } from '../certificate/x509.ts'
import { countriesOf, keyDigest } from './certificate-identity.ts'
import { missingLists, regulationApplies } from '../known/trusted-lists.ts'
import type { ListedService, ListFacts, ServicePeriod, TrustedList, TrustedLists } from '../known/trusted-lists.ts'

/** Why a status was concluded, or could not be. Words `verification.trusted_list.reason.<reason>`. */
export const qualifiedReasons = [
  /** qualified */
  'granted',
  /** not_qualified */
  'before_regulation',
  'not_granted',
  'not_yet_listed',
  'not_qualified_type',
  'not_listed',
  'own_authority',
  /** indeterminate */
  'no_list',
  'list_older',
  'not_listed_list_older',
  'list_missing',
  'conflict',
  'unknown_extension',
] as const
export type QualifiedReason = (typeof qualifiedReasons)[number]

export type QualifiedStatus = {
  readonly status: 'qualified' | 'not_qualified' | 'indeterminate'
  readonly reason: QualifiedReason
  /** The list that says so; the list of lists when no national list does. Null when none was consulted. */
  readonly list: ListFacts | null
  readonly service: Pick<ListedService, 'provider' | 'name'> | null
  /** What the list says of the service at that instant. */
  readonly period: ServicePeriod | null
}

/** The platform's own authority is nobody's qualified service, whatever a list says of others. */
export const ownAuthority: QualifiedStatus = {
  status: 'not_qualified',
  reason: 'own_authority',
  list: null,
  service: null,
  period: null,
}

/**
 * Whether a time stamp was qualified at the instant that it states (ETSI TS 119 615): its signer, or an authority above it, is the
 * digital identity of a service of type QTST which the State's list shows as granted at that instant. Only a list issued after that
 * instant can say so; an older one does not know yet. Never throws.
 * @param issuers of the signer, nearest first, whose signatures the caller verified up to a root.
 */
export function qualifiedStatus(
  signer: Certificate,
  issuers: readonly Certificate[],
  genTime: Date,
  lists: TrustedLists | undefined,
): QualifiedStatus {
  const at = genTime.getTime()
  const nothing = { list: null, service: null, period: null }
  if (lists === undefined) return { status: 'indeterminate', reason: 'no_list', ...nothing }
  if (at < regulationApplies)
    return { status: 'not_qualified', reason: 'before_regulation', ...nothing, list: factsOf(lists.lotl) }
  for (const certificate of [signer, ...issuers]) {
    const key = keyOrNone(certificate)
    const found = key === undefined ? [] : listedUnder(key, lists)
    if (found.length > 0) return verdictOn(found, at)
  }
  return unlisted([signer, ...issuers], at, lists)
}

type Found = { readonly list: TrustedList; readonly service: ListedService }

function listedUnder(key: string, { lists }: TrustedLists): Found[] {
  return lists.flatMap((list) => list.services.flatMap((service) => (service.keys.includes(key) ? [{ list, service }] : [])))
}

/** One key may be listed more than once: by the service as it was before, or by two States. They must agree. */
function verdictOn(found: readonly Found[], at: number): QualifiedStatus {
  const [first, ...others] = found.map((each) => verdictOfOne(each, at)).toSorted((a, b) => weight(a) - weight(b))
  if (first === undefined) return { status: 'indeterminate', reason: 'no_list', list: null, service: null, period: null }
  // An entry that had not begun, or of another type, contradicts nothing.
  const contradicts = others.some(({ status, reason }) => status !== first.status && reason === 'not_granted')
  return first.status === 'qualified' && contradicts ? { ...first, status: 'indeterminate', reason: 'conflict' } : first
}

const order: readonly QualifiedReason[] = ['granted', 'unknown_extension', 'list_older', 'not_granted', 'not_yet_listed']

function weight({ reason }: QualifiedStatus): number {
  const place = order.indexOf(reason)
  return place === -1 ? order.length : place
}

function verdictOfOne({ list, service }: Found, at: number): QualifiedStatus {
  const period = service.history.find(({ since }) => Date.parse(since) <= at) ?? null
  const said = {
    list: factsOf(list),
    service: { provider: service.provider, name: service.name },
    period,
  }
  if (Date.parse(list.issued_at) < at) return { status: 'indeterminate', reason: 'list_older', ...said }
  if (service.unknown_critical === true) return { status: 'indeterminate', reason: 'unknown_extension', ...said }
  if (period === null) return { status: 'not_qualified', reason: 'not_yet_listed', ...said }
  if (period.type !== 'QTST') return { status: 'not_qualified', reason: 'not_qualified_type', ...said }
  // `undersupervision` and `accredited` became `granted` on 1 July 2016 (TS 119 612 annex J); one that did not was not granted.
  return period.status === 'granted'
    ? { status: 'qualified', reason: 'granted', ...said }
    : { status: 'not_qualified', reason: 'not_granted', ...said }
}

/**
 * A qualified provider stands in the list of the State where it is established (article 22), which its certificates name
 * (EN 319 412-3 §4.2.1, EN 319 422 §6): those lists must be at hand and newer than the instant. When no State is named, all must.
 */
function unlisted(chain: readonly Certificate[], at: number, lists: TrustedLists): QualifiedStatus {
  const nothing = { service: null, period: null }
  const named = new Set(chain.flatMap(countriesOf))
  const absent = missingLists(lists)
  const known = new Set([...lists.lists.map(({ territory }) => territory), ...absent])
  const inScheme = [...named].filter((territory) => known.has(territory))
  const wanted = inScheme.length > 0 ? inScheme : [...known]
  if (wanted.length === 0 || wanted.some((territory) => absent.includes(territory)))
    return { status: 'indeterminate', reason: 'list_missing', list: factsOf(lists.lotl), ...nothing }
  const consulted = lists.lists.filter(({ territory }) => wanted.includes(territory))
  const list = factsOf((consulted.length === 1 ? consulted[0] : undefined) ?? lists.lotl)
  if (consulted.some(({ issued_at }) => Date.parse(issued_at) < at))
    return { status: 'indeterminate', reason: 'not_listed_list_older', list, ...nothing }
  return { status: 'not_qualified', reason: 'not_listed', list, ...nothing }
}

function keyOrNone(certificate: Certificate): string | undefined {
  try {
    return keyDigest(certificate)
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

function factsOf({
  territory,
  operator,
  sequence_number,
  issued_at,
  next_update,
  sha256,
  signer_sha256,
  url,
}: ListFacts): ListFacts {
  return { territory, operator, sequence_number, issued_at, next_update, sha256, signer_sha256, url }
}
