/**
 * What the European trusted lists say of time-stamping services, read from signed lists (ETSI TS 119 612; Implementing Decision
 * (EU) 2015/1505) and kept small enough to travel with the verifier. Each list keeps its number, its date and the digest of the
 * XML that it was read from, so that anybody finds that very list again.
 */
export const trustedListsFormat = 'probant-trusted-lists/1'

/**
 * Service type identifiers of TS 119 612 §5.5.1.1 that concern time-stamping authorities. `QTST`: qualified. `TSA`: listed by the State,
 * and not qualified. `other`: what an entry of the history was before it became one of these.
 */
export const serviceTypes = ['QTST', 'TSA', 'other'] as const
export type ServiceType = (typeof serviceTypes)[number]

/**
 * Service statuses of TS 119 612 §5.5.4: the vocabulary since 1 July 2016, then the one before, by the last word of their URI.
 * `other`: none that the standard names; it grants nothing.
 */
export const serviceStatuses = [
  'granted',
  'withdrawn',
  'recognisedatnationallevel',
  'deprecatedatnationallevel',
  'undersupervision',
  'supervisionincessation',
  'supervisionceased',
  'supervisionrevoked',
  'accredited',
  'accreditationceased',
  'accreditationrevoked',
  'setbynationallaw',
  'deprecatedbynationallaw',
  'other',
] as const
export type ServiceStatus = (typeof serviceStatuses)[number]

/**
 * Articles 41 and 42 of Regulation (EU) No 910/2014 apply from 1 July 2016 (article 52(2)), in the time of Brussels: nothing was a
 * qualified time stamp before.
 */
export const regulationApplies = Date.parse('2016-06-30T22:00:00Z')

/** From `since` (ISO 8601 UTC) until the entry before it in the list. */
export type ServicePeriod = { readonly since: string; readonly type: ServiceType; readonly status: ServiceStatus }

export type ListedService = {
  /** Hostile text, as the State wrote it. */
  readonly provider: string
  readonly name: string
  /**
   * Of each digital identity, the first 128 bits of the SHA-256 of its SubjectPublicKeyInfo, lower-case hexadecimal: whoever wanted
   * to pass for it would need a second preimage, and half of each digest is half of what the page has to load.
   */
  readonly keys: readonly string[]
  /** Newest first, never empty; it goes back to what stood when the Regulation began to apply. */
  readonly history: readonly ServicePeriod[]
  /** The entry has a critical extension that this reader does not know: nothing may be concluded from it (TS 119 612 §5.5.9). */
  readonly unknown_critical?: true
}

/** Where a list came from and what identifies it. */
export type ListFacts = {
  /** ISO 3166-1 alpha-2 as the scheme writes it (`EL` for Greece, `EU` for the list of lists). */
  readonly territory: string
  readonly operator: string
  readonly sequence_number: number
  /** ISO 8601 UTC. */
  readonly issued_at: string
  /** Null when the State closed its list: there will be no other. */
  readonly next_update: string | null
  /** Of the signed XML, lower-case hexadecimal. */
  readonly sha256: string
  /** Of the certificate that signed it. */
  readonly signer_sha256: string
  /** Where the list of lists says that it is. */
  readonly url: string
}

export type TrustedList = ListFacts & { readonly services: readonly ListedService[] }

export type TrustedLists = {
  readonly format: typeof trustedListsFormat
  /** When these lists were read and their signatures verified. */
  readonly made_at: string
  /** The list of lists (LOTL), and the publication in the Official Journal that names who may sign it. */
  readonly lotl: ListFacts & { readonly journal: string }
  /** Every list that the list of lists names. One that is not among `lists` could not be had, or did not verify. */
  readonly pointers: readonly PointedList[]
  readonly lists: readonly TrustedList[]
}

export type PointedList = {
  readonly territory: string
  readonly url: string
  /** SHA-256 of the certificates of which one must have signed it. */
  readonly signers: readonly string[]
}

/** Lists that exist and are not at hand. */
export function missingLists({ pointers, lists }: TrustedLists): string[] {
  return pointers.map(({ territory }) => territory).filter((territory) => !lists.some((each) => each.territory === territory))
}

const mostLists = 64
const mostServices = 20_000
const mostPeriods = 200

/** Reads the compact form (already parsed JSON). @returns undefined when it is not one: nothing of it is used then. */
export function readTrustedLists(value: unknown): TrustedLists | undefined {
  if (!isRecord(value) || value['format'] !== trustedListsFormat || !isInstant(value['made_at'])) return undefined
  const { lotl, lists, pointers } = value
  if (!isListFacts(lotl) || !('journal' in lotl) || !isText(lotl.journal)) return undefined
  if (!isArray(lists, mostLists) || !isArray(pointers, mostLists) || !pointers.every(isPointer)) return undefined
  let services = 0
  for (const list of lists) {
    if (!isListFacts(list) || !('services' in list) || !isArray(list.services, mostServices)) return undefined
    services += list.services.length
    if (services > mostServices || !list.services.every(isService)) return undefined
  }
  return value as TrustedLists
}

function isListFacts(value: unknown): value is ListFacts {
  return (
    isRecord(value) &&
    isTerritory(value['territory']) &&
    isText(value['operator']) &&
    isText(value['url']) &&
    Number.isSafeInteger(value['sequence_number']) &&
    isInstant(value['issued_at']) &&
    (value['next_update'] === null || isInstant(value['next_update'])) &&
    isDigest(value['sha256']) &&
    isDigest(value['signer_sha256'])
  )
}

function isPointer(value: unknown): value is PointedList {
  if (!isRecord(value) || !isTerritory(value['territory']) || !isText(value['url'])) return false
  return isArray(value['signers'], 64) && value['signers'].every(isDigest)
}

function isTerritory(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value)
}

function isService(value: unknown): boolean {
  if (!isRecord(value) || !isText(value['provider']) || !isText(value['name'])) return false
  const { keys, history, unknown_critical } = value
  if (unknown_critical !== undefined && unknown_critical !== true) return false
  if (!isArray(keys, 64) || !keys.every(isKey)) return false
  if (!isArray(history, mostPeriods) || history.length === 0 || !history.every(isPeriod)) return false
  return history.every((each, i) => {
    const newer = history[i - 1]
    return newer === undefined || Date.parse(newer.since) >= Date.parse(each.since)
  })
}

function isPeriod(value: unknown): value is ServicePeriod {
  return (
    isRecord(value) &&
    isInstant(value['since']) &&
    serviceTypes.some((each) => each === value['type']) &&
    serviceStatuses.some((each) => each === value['status'])
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isArray(value: unknown, most: number): value is unknown[] {
  return Array.isArray(value) && value.length <= most
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 1000
}

function isInstant(value: unknown): value is string {
  return (
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value))
  )
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}
