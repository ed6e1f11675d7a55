import { MalformedError, readPem, verifyTimestamp } from '../../../verification/server/index.ts'
import type { StampFacts } from '../../domain/proof-health.ts'

export type ChainStamp = {
  /** How it is called where it is shown. */
  readonly file: string
  /** TimeStampResp. */
  readonly response: Uint8Array
  /** Issuers of the certificate that signed it, PEM. */
  readonly issuers: Uint8Array
  /** What it must be over, by SHA-256. */
  readonly digest: Uint8Array
}

/**
 * What the tokens of a chain say themselves, each of which renews the one before it (RFC 4998 §5.2). The first that does not hold ends the
 * chain: what it would carry is not carried.
 */
export function readChain(stamps: readonly ChainStamp[]): StampFacts[] {
  const facts: StampFacts[] = []
  for (const { file, response, issuers, digest } of stamps) {
    const outcome = verifyTimestamp(response, { digest, known: certificatesIn(issuers), form: 'response' })
    const found = outcome.status === 'passed' ? outcome.facts : outcome.weak
    if (found === undefined) break
    const before = facts.at(-1)
    facts.push({
      file,
      authority: found.authority,
      at: new Date(found.gen_time),
      until: new Date(found.valid_until),
      covers: before === undefined ? [] : [before.file],
      weak: outcome.status !== 'passed',
    })
  }
  return facts
}

function certificatesIn(pem: Uint8Array): ReturnType<typeof readPem> {
  try {
    return readPem(pem)
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}
