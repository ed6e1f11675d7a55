import { utf8 } from '../../../../kernel/bytes.ts'
import { verifyBitcoinMessage } from '../bitcoin-message/verify-bitcoin-message.ts'
import { verifyPastedProof } from './verify-pasted-proof.ts'
import { verifyDigest } from './verify-digest.ts'
import { verifyNanoMessage } from '../nano-message/verify-nano-message.ts'
import type { DigestAlgorithm } from '../hash/digests.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { unwrapText } from '../recognise/recognise.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { comparedOf, digestOf } from './verifiers.ts'

/** What may be typed or pasted, one form for each of the calls C-66 to C-70; the page and the server run this. */
export type FormInput =
  | {
      readonly form: 'digest'
      readonly text: string
      readonly algorithm?: DigestAlgorithm | undefined
      readonly digest?: string | undefined
    }
  | {
      readonly form: 'bitcoin_signature'
      readonly message: string
      readonly signature: string
      readonly address?: string | undefined
    }
  | {
      readonly form: 'nano_signature'
      readonly message: string
      readonly signature: string
      readonly account?: string | undefined
    }
  | { readonly form: 'chainpoint_proof'; readonly proof: string; readonly digest?: string | undefined }
  | {
      readonly form: 'eidas'
      readonly proof: string
      readonly digest?: string | undefined
      readonly text?: string | undefined
      readonly trust?: string | undefined
    }

export async function verifyForm(input: FormInput, deps: VerifyDeps): Promise<ProofReport> {
  if (input.form === 'digest') {
    return await verifyDigest({ text: input.text, ...given('digest', input.digest), ...algorithm(input.algorithm) }, deps)
  }
  if (input.form === 'bitcoin_signature') {
    const { message, signature } = input
    return await verifyBitcoinMessage({ message, signature, ...given('address', input.address) }, deps)
  }
  if (input.form === 'nano_signature') {
    const { message, signature } = input
    return await verifyNanoMessage({ message, signature, ...given('account', input.account) }, deps)
  }
  if (input.form === 'chainpoint_proof')
    return await verifyPastedProof({ proof: input.proof, ...digestOf(given('digest', input.digest)) }, deps)
  const { trust } = given('trust', input.trust)
  const token = utf8(input.proof.trim())
  const { text = '' } = input
  const data = comparedOf(given('digest', input.digest)) ?? (text === '' ? undefined : { bytes: utf8(text) })
  return await verifyTimestampProof(
    { token: unwrapText(token) ?? token, ...(data === undefined ? {} : { data }) },
    trust === undefined ? deps : { ...deps, trust: utf8(trust) },
  )
}

function algorithm(name: DigestAlgorithm | undefined): { algorithm?: DigestAlgorithm } {
  return name === undefined ? {} : { algorithm: name }
}

/** An empty field is one that was not filled in. */
function given<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined || value.trim() === '' ? {} : ({ [name]: value.trim() } as Partial<Record<K, string>>)
}
