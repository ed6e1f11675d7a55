import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { malformed, MalformedError, readDer, sequence, tagged } from '../encoding/der.ts'
import { keyDigest } from './certificate-identity.ts'
import { attributeOf, childrenOf, onlyChild, textOf, xmlNamespace } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { regulationApplies, serviceStatuses } from '../known/trusted-lists.ts'
import type { ListedService, ServicePeriod, ServiceStatus, ServiceType } from '../known/trusted-lists.ts'
import { base64Of } from '../xml/xml-signature.ts'

/** What a list says, of what concerns time stamps (ETSI TS 119 612 §5). Its signature is for `verify-list-signature.ts`. */
export type ReadList = {
  readonly version: number
  readonly type: string
  readonly territory: string
  readonly operator: string
  readonly sequence_number: number
  readonly issued_at: string
  readonly next_update: string | null
  /** SchemeInformationURI in order: in the list of lists, its pivots and the Official Journal (newest first). */
  readonly uris: readonly string[]
  readonly pointers: readonly ListPointer[]
  readonly services: readonly ListedService[]
}

/** Where another list is, and the certificates (SHA-256 of the DER) of which one must have signed it. */
export type ListPointer = {
  readonly territory: string
  readonly url: string
  readonly type: string
  readonly signers: readonly string[]
}

export const listTypes = {
  lotl: 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists',
  national: 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric',
} as const

const tsl = 'http://uri.etsi.org/02231/v2#'
const additional = 'http://uri.etsi.org/02231/v2/additionaltypes#'
const xmlList = 'application/vnd.etsi.tsl+xml'

/** @throws MalformedError */
export function readList(root: XmlElement): ReadList {
  if (root.namespace !== tsl || root.local !== 'TrustServiceStatusList') malformed('not a list of trust services')
  const scheme = onlyChild(root, tsl, 'SchemeInformation')
  const next = onlyChild(scheme, tsl, 'NextUpdate')
  const [date] = childrenOf(next, tsl, 'dateTime')
  return {
    version: integerOf(onlyChild(scheme, tsl, 'TSLVersionIdentifier')),
    type: textOf(onlyChild(scheme, tsl, 'TSLType')),
    territory: territoryOf(onlyChild(scheme, tsl, 'SchemeTerritory')),
    operator: nameOf(onlyChild(scheme, tsl, 'SchemeOperatorName')),
    sequence_number: integerOf(onlyChild(scheme, tsl, 'TSLSequenceNumber')),
    issued_at: instantOf(onlyChild(scheme, tsl, 'ListIssueDateTime')),
    next_update: date === undefined ? null : instantOf(date),
    uris: childrenOf(onlyChild(scheme, tsl, 'SchemeInformationURI'), tsl, 'URI').map(textOf),
    pointers: childrenOf(childrenOf(scheme, tsl, 'PointersToOtherTSL')[0], tsl, 'OtherTSLPointer').flatMap(pointerOf),
    services: childrenOf(childrenOf(root, tsl, 'TrustServiceProviderList')[0], tsl, 'TrustServiceProvider').flatMap(servicesOf),
  }
}

function pointerOf(pointer: XmlElement): ListPointer[] {
  const more = childrenOf(childrenOf(pointer, tsl, 'AdditionalInformation')[0], tsl, 'OtherInformation')
  const find = (namespace: string, name: string) => more.flatMap((each) => childrenOf(each, namespace, name))[0]
  // The same list for people to read (PDF) is another pointer.
  if (textOf(find(additional, 'MimeType')) !== xmlList) return []
  const territory = find(tsl, 'SchemeTerritory')
  if (territory === undefined) return []
  const identities = childrenOf(childrenOf(pointer, tsl, 'ServiceDigitalIdentities')[0], tsl, 'ServiceDigitalIdentity')
  return [
    {
      territory: territoryOf(territory),
      url: textOf(onlyChild(pointer, tsl, 'TSLLocation')),
      type: textOf(find(tsl, 'TSLType')),
      signers: [...new Set(identities.flatMap(certificatesOf).map((each) => toHex(sha256(each))))],
    },
  ]
}

function certificatesOf(identity: XmlElement): Uint8Array[] {
  return childrenOf(identity, tsl, 'DigitalId')
    .flatMap((each) => childrenOf(each, tsl, 'X509Certificate'))
    .map(base64Of)
}

const typeStart = 'http://uri.etsi.org/TrstSvc/Svctype/'
const types: Readonly<Record<string, ServiceType>> = {
  [`${typeStart}TSA/QTST`]: 'QTST',
  [`${typeStart}TSA`]: 'TSA',
}

function servicesOf(provider: XmlElement): ListedService[] {
  const name = nameOf(onlyChild(onlyChild(provider, tsl, 'TSPInformation'), tsl, 'TSPName'))
  return childrenOf(onlyChild(provider, tsl, 'TSPServices'), tsl, 'TSPService').flatMap((service) => {
    const now = onlyChild(service, tsl, 'ServiceInformation')
    const past = childrenOf(childrenOf(service, tsl, 'ServiceHistory')[0], tsl, 'ServiceHistoryInstance')
    const entries = [now, ...past]
    if (!entries.some((each) => typeOf(each) !== 'other')) return []
    const keys = childrenOf(now, tsl, 'ServiceDigitalIdentity').flatMap(certificatesOf).flatMap(keyOf)
    return [
      {
        provider: name,
        name: nameOf(onlyChild(now, tsl, 'ServiceName')),
        keys: [...new Set(keys)],
        history: sinceRegulation(entries.map(periodOf).toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since))),
        ...(entries.some(hasUnknownCritical) ? { unknown_critical: true as const } : {}),
      },
    ]
  })
}

function sinceRegulation(history: readonly ServicePeriod[]): ServicePeriod[] {
  const before = history.findIndex(({ since }) => Date.parse(since) <= regulationApplies)
  return history.slice(0, before === -1 ? history.length : before + 1)
}

function typeOf(entry: XmlElement): ServiceType {
  return types[textOf(onlyChild(entry, tsl, 'ServiceTypeIdentifier'))] ?? 'other'
}

function periodOf(entry: XmlElement): ServicePeriod {
  return {
    since: instantOf(onlyChild(entry, tsl, 'StatusStartingTime')),
    type: typeOf(entry),
    status: statusOf(textOf(onlyChild(entry, tsl, 'ServiceStatus'))),
  }
}

/**
 * TS 119 612 §5.5.4, and annex J for the words before 1 July 2016; lists of the Directive's time wrote them under another root
 * (TS 102 231 annex D).
 */
const statusUri =
  /^https?:\/\/uri\.etsi\.org\/TrstSvc\/(?:TrustedList\/Svcstatus|Svcstatus(?:\/eSigDir-1999-93-EC-TrustedList)?)\/([a-z]+)\/?$/i

function statusOf(uri: string): ServiceStatus {
  const word = statusUri.exec(uri)?.[1]?.toLowerCase()
  return serviceStatuses.find((each) => each === word) ?? 'other'
}

/** Extensions of TS 119 612 §5.5.9. They qualify certificates and successions of providers; none changes what a time stamp is. */
const knownExtensions = new Set(['ExpiredCertsRevocationInfo', 'Qualifications', 'TakenOverBy', 'AdditionalServiceInformation'])

function hasUnknownCritical(entry: XmlElement): boolean {
  return childrenOf(childrenOf(entry, tsl, 'ServiceInformationExtensions')[0], tsl, 'Extension').some((each) => {
    const critical = attributeOf(each, 'Critical')
    if (critical === 'false' || critical === '0') return false
    return !each.children.every((child) => typeof child === 'string' || knownExtensions.has(child.local))
  })
}

/** None for bytes that are no certificate: such an identity designates nobody. */
function keyOf(certificate: Uint8Array): string[] {
  try {
    const [tbs] = sequence(readDer(certificate, 0x30), 3)
    return [keyDigest({ tbs: tagged(tbs, 0x30).encoded })]
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}

const longestText = 200

/** In English where there is one. Hostile text. */
function nameOf(names: XmlElement): string {
  const all = childrenOf(names, tsl, 'Name')
  const isEnglish = (each: XmlElement) =>
    each.attributes.some(({ namespace, local, value }) => namespace === xmlNamespace && local === 'lang' && /^en/i.test(value))
  return textOf(all.find(isEnglish) ?? all[0])
    .replaceAll(/\s+/g, ' ')
    .slice(0, longestText)
}

function territoryOf(element: XmlElement): string {
  const code = textOf(element)
  return /^[A-Z]{2}$/.test(code) ? code : malformed('a territory that is none')
}

function integerOf(element: XmlElement): number {
  const digits = textOf(element)
  return /^\d{1,9}$/.test(digits) ? Number(digits) : malformed('a number that is none')
}

/** TS 119 612 §5.1.4: UTC, with or without a fraction. Some lists write an offset, which is as exact. */
function instantOf(element: XmlElement): string {
  const written = textOf(element)
  const at = Date.parse(written)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(written) || Number.isNaN(at))
    malformed('an instant that is none')
  return new Date(at).toISOString().replace('.000Z', 'Z')
}
