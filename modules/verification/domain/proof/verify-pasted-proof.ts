import { equalBytes, utf8 } from '../../../../kernel/bytes.ts'
import { otsMagic } from '../opentimestamps/read-ots.ts'
import { verifyOpenTimestamps } from '../opentimestamps/verify-opentimestamps.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { unwrapText } from '../recognise/recognise.ts'
import type { GivenTransaction } from '../chainpoint/follow-transaction.ts'
import { verifyChainpoint } from '../chainpoint/verify-chainpoint.ts'

export type PastedProof = {
  /** Chainpoint JSON, or base64 or hexadecimal of a binary Chainpoint or of a detached `.ots` file. */
  readonly proof: string
  /** Digest of what was dated, hexadecimal. */
  readonly digest?: string
  readonly transactions?: readonly GivenTransaction[]
}

/** C-69: what somebody pastes to have a date in a block chain verified. The report's `kind` says which of the two it was. */
export async function verifyPastedProof(input: PastedProof, deps: VerifyDeps): Promise<ProofReport> {
  const { proof, digest, transactions } = input
  const about = digest === undefined ? {} : { digest }
  const text = proof.trim()
  const bytes = text.startsWith('{') ? undefined : unwrapText(utf8(text))
  if (bytes !== undefined && equalBytes(bytes.subarray(0, otsMagic.length), otsMagic))
    return await verifyOpenTimestamps({ proof: bytes, ...about }, deps)
  return await verifyChainpoint({ proof: bytes ?? text, ...about, ...(transactions === undefined ? {} : { transactions }) }, deps)
}
