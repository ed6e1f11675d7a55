import {
  contextConstructed,
  integer,
  octetString,
  retag,
  sequence,
  setOf,
} from '../../modules/sealing/server/encoding/write-der.ts'
import { attribute, authority, certificate, day, keyOf, oid, signedData, stampInfo, timeStamping, tstInfo } from './issue.ts'
import type { Issued, StampOptions } from './issue.ts'

/** Two authorities that date for records: the later one is there when the first one ends. */
export const stampRoot = authority('Record root', keyOf(11), 1)
export const laterRoot = authority('Later record root', keyOf(12), 1, { from: day('2028-01-01'), until: day('2060-01-01') })

const purposes = [timeStamping]
export const stampUnit = certificate({ name: 'Record time-stamping unit', serial: 100, key: keyOf(13), purposes }, stampRoot)
/** In force for two years. */
export const shortUnit = certificate(
  { name: 'Short time-stamping unit', serial: 101, key: keyOf(14), purposes, until: day('2027-01-01') },
  stampRoot,
)
const laterUnit = certificate(
  {
    name: 'Later time-stamping unit',
    serial: 102,
    key: keyOf(15),
    purposes,
    from: day('2028-01-01'),
    until: day('2050-01-01'),
  },
  laterRoot,
)

const algorithms = {
  sha1: '1.3.14.3.2.26',
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const
export type RecordAlgorithm = keyof typeof algorithms

type Over = Omit<Partial<StampOptions>, 'algorithm' | 'digest'> & {
  readonly algorithm?: RecordAlgorithm
  readonly signer?: Issued
  readonly root?: Issued
  readonly alter?: (signature: Uint8Array) => Uint8Array
  readonly unsigned?: readonly Uint8Array[]
  readonly crls?: readonly Uint8Array[]
}

/** The same stamps are needed by several: each is made once, because a signature is another one each time. */
const made = new Map<string, Uint8Array>()

/** A token over a digest, with its certificate and root enclosed; of 1 June 2026 by the first authority unless told otherwise. */
export function stampOver(digest: Uint8Array, options: Over = {}): Uint8Array {
  const key = JSON.stringify([Buffer.from(digest).toString('hex'), options, options.alter?.name])
  const known = made.get(key)
  if (known !== undefined) return known
  const { algorithm = 'sha256', signer = stampUnit, root = stampRoot, alter, unsigned, crls, ...info } = options
  const token = signedData({
    contentType: tstInfo,
    content: stampInfo({ digest, algorithm: algorithms[algorithm], ...info }),
    signer,
    issuer: root.subject,
    certificates: [signer.der, root.der],
    ...(alter === undefined ? {} : { alter }),
    ...(unsigned === undefined ? {} : { unsigned }),
    ...(crls === undefined ? {} : { crls }),
  })
  made.set(key, token)
  return token
}

/** Of the authority that is there later. */
export function laterStampOver(digest: Uint8Array, genTime: Date, options: Over = {}): Uint8Array {
  return stampOver(digest, { signer: laterUnit, root: laterRoot, genTime, ...options })
}

export type WrittenTimestamp = {
  /** null: not stated. */
  readonly algorithm?: RecordAlgorithm | null
  readonly attributes?: true
  readonly lists?: readonly (readonly Uint8Array[])[]
  readonly token: Uint8Array
}

export type WrittenRecord = {
  readonly version?: number
  readonly algorithms?: readonly RecordAlgorithm[]
  readonly cryptoInfos?: true
  readonly encryptionInfo?: true
  readonly chains: readonly (readonly WrittenTimestamp[])[]
}

const identifier = (name: RecordAlgorithm): Uint8Array => sequence(oid(algorithms[name]))
const some = (): Uint8Array => setOf([attribute('1.3.6.1.4.1.99999.7', integer(1))])

export function archiveTimestamp({ algorithm = 'sha256', attributes, lists, token }: WrittenTimestamp): Uint8Array {
  return sequence(
    ...(algorithm === null ? [] : [retag(identifier(algorithm), 0xa0)]),
    ...(attributes === undefined ? [] : [retag(some(), 0xa1)]),
    ...(lists === undefined
      ? []
      : [contextConstructed(2, ...lists.map((list) => sequence(...list.map((value) => octetString(value)))))]),
    token,
  )
}

/** What chains before a new one are hashed as. */
export const chainsOf = (chains: WrittenRecord['chains']): Uint8Array =>
  sequence(...chains.map((chain) => sequence(...chain.map(archiveTimestamp))))

/** EvidenceRecord of RFC 4998, right or wrong as told; by another writer of DER than the product's. */
export function recordOf(record: WrittenRecord): Uint8Array {
  return sequence(
    integer(record.version ?? 1),
    sequence(...(record.algorithms ?? ['sha256']).map(identifier)),
    ...(record.cryptoInfos === undefined ? [] : [retag(sequence(attribute('1.3.6.1.4.1.99999.7', integer(1))), 0xa0)]),
    ...(record.encryptionInfo === undefined ? [] : [retag(sequence(oid('1.3.6.1.4.1.99999.6')), 0xa1)]),
    chainsOf(record.chains),
  )
}
