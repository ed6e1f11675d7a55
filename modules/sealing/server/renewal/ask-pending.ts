import { utf8 } from '../../../../kernel/bytes.ts'
import type { SealedFile, SealRecord, SealSummary, TimestampFacts } from '../../domain/seal.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import type { Timestamp, Timestamper } from '../timestamps/timestamper.ts'
import { askAgain } from './ask-again.ts'

/** A package has no more (docs/package-format.md). */
const most = 99

export type AskedPending = {
  /** The seal as it is now: with the tokens that came, and the authorities that still gave none. */
  readonly summary: SealSummary
  /** Tokens, their chains, and `seal/seal.json` anew; none when no token came. */
  readonly files: readonly SealedFile[]
}

/**
 * Asks again for a package what {@link askAgain} asks. Tokens that are there stay, the embedded authority's too.
 * @param root 32 octets @param chains `seal/timestamp-N-ca.pem` of the tokens that the seal has
 */
export async function askPending(
  { root, summary, chains }: { root: Uint8Array; summary: SealSummary; chains: readonly Uint8Array[] },
  deps: { timestampers: readonly Timestamper[]; signal?: AbortSignal | undefined },
): Promise<AskedPending> {
  const { timestamps: had, pending_authorities } = summary
  const outside = had.filter(({ embedded }) => !embedded).length
  const asked = await askAgain({ root, has: { outside, chains }, pending: pending_authorities, most: most - had.length }, deps)
  const added = asked.timestamps.map((timestamp, i) => addition(had.length + i + 1, timestamp))
  const stamps: readonly TimestampFacts[] = [...had, ...added.map(({ facts }) => facts)]
  const { format, signed_at, signer } = summary
  const record: SealRecord = { format, root: summary.root, signed_at, signer, timestamps: stamps }
  return {
    summary: { ...summary, timestamps: stamps, pending_authorities: asked.pending },
    files:
      added.length === 0
        ? []
        : [
            ...added.flatMap(({ files }) => files),
            { path: 'seal/seal.json', media_type: 'application/json', bytes: canonicalJson(record) },
          ],
  }
}

function addition(number: number, timestamp: Timestamp): { facts: TimestampFacts; files: SealedFile[] } {
  const [file, ca_file] = [`seal/timestamp-${String(number)}.tsr`, `seal/timestamp-${String(number)}-ca.pem`]
  const { authority, genTime, serial, embedded, response, chain } = timestamp
  return {
    facts: { file, ca_file, authority, gen_time: genTime.toISOString(), qualified: false, serial, embedded },
    files: [
      { path: file, media_type: 'application/timestamp-reply', bytes: response },
      { path: ca_file, media_type: 'application/x-pem-file', bytes: utf8(pemOf(chain)) },
    ],
  }
}
