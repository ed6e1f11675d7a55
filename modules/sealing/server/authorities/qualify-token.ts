import {
  MalformedError,
  qualifiedStatus,
  readAnyCertificate,
  readPem,
  type TrustedLists,
} from '../../../verification/server/index.ts'
import { children, DerError, expectTag, readDer } from '../encoding/read-der.ts'
import { checkSignedData, readSignedData } from '../signed-data/read-signed-data.ts'

export type TokenQualification = {
  /**
   * `listed`: the newest list shows the service as qualified, and is older than the token: only a later one can say it of the token itself.
   * `not_established`: nothing could be concluded.
   */
  readonly state: 'qualified' | 'not_qualified' | 'listed' | 'not_established'
  /** Of `qualified` and `listed`: what says so. `number` is the sequence number; `issuedAt` ISO 8601. */
  readonly source: {
    readonly territory: string
    readonly number: number
    readonly issuedAt: string
    readonly provider: string
  } | null
}

const notEstablished: TokenQualification = { state: 'not_established', source: null }

/**
 * Whether a token that is kept was qualified at the instant that it states (article 42 eIDAS), by the trusted lists. Never throws.
 * @param response TimeStampResp. @param issuers of the certificate that signed it, PEM, as they were checked when it was obtained
 */
export function qualifyToken(
  { response, issuers, genTime }: { readonly response: Uint8Array; readonly issuers: Uint8Array; readonly genTime: Date },
  lists: TrustedLists,
): TokenQualification {
  try {
    const [, token] = children(readDer(response, 0x30))
    const signed = readSignedData(expectTag(token, 0x30).encoded)
    const certificate = signed.content === undefined ? 'content' : checkSignedData(signed, signed.content)
    if (typeof certificate === 'string') return notEstablished
    const signer = readAnyCertificate(certificate.encoded)
    const chain = readPem(issuers)
    const found = qualifiedStatus(signer, chain, genTime, lists)
    if (found.status === 'not_qualified') return { state: 'not_qualified', source: null }
    const { list } = found
    if (list === null) return notEstablished
    const at = found.status === 'qualified' ? found : qualifiedStatus(signer, chain, new Date(list.issued_at), lists)
    if (at.status !== 'qualified' || at.service === null) return notEstablished
    const { territory, sequence_number: number, issued_at: issuedAt } = at.list ?? list
    const source = { territory, number, issuedAt, provider: at.service.provider.slice(0, 300) }
    return { state: found.status === 'qualified' ? 'qualified' : 'listed', source }
  } catch (error) {
    if (error instanceof DerError || error instanceof MalformedError) return notEstablished
    throw error
  }
}
