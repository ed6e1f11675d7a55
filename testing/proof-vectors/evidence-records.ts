import { authority, certificate, day, keyOf, signedData, stampInfo, timeStamping, tstInfo } from './issue.ts'
import type { Issued, SignatureOptions, StampOptions } from './issue.ts'

/** Authorities that date for records: one for each decade, as time goes. */
export const stampRoot = authority('Record root', keyOf(11), 1)
export const laterRoot = authority('Later record root', keyOf(12), 1, { from: day('2028-01-01'), until: day('2060-01-01') })

const unit = certificate({ name: 'Record time-stamping unit', serial: 100, key: keyOf(13), purposes: [timeStamping] }, stampRoot)

const algorithms = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const

type Over = Omit<Partial<StampOptions>, 'algorithm'> &
  Pick<Partial<SignatureOptions>, 'alter'> & {
    readonly algorithm?: keyof typeof algorithms
    readonly signer?: Issued
    readonly root?: Issued
  }

/** The same stamps are needed by several: each is made once, because a signature is another one each time. */
const made = new Map<string, Uint8Array>()

/** A token over a digest, with its certificate and root enclosed. */
export function stampOver(digest: Uint8Array, options: Over = {}): Uint8Array {
  const { algorithm = 'sha256', signer = unit, root = stampRoot, alter, ...info } = options
  const { alter: _, ...told } = options
  const key = JSON.stringify([Buffer.from(digest).toString('hex'), told])
  const known = alter === undefined ? made.get(key) : undefined
  if (known !== undefined) return known
  const token = signedData({
    contentType: tstInfo,
    content: stampInfo({ digest, algorithm: algorithms[algorithm], ...info }),
    signer,
    issuer: root.subject,
    certificates: [signer.der, root.der],
    ...(alter === undefined ? {} : { alter }),
  })
  if (alter === undefined) made.set(key, token)
  return token
}
