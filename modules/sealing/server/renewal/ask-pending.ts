import { createHash } from 'node:crypto'
import { utf8 } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { readPem } from '../../../verification/server/index.ts'
import type { PendingAuthority, SealRecord, SealSummary, TimestampFacts } from '../../domain/seal.ts'
import { canonicalJson } from '../build-manifest.ts'
import { pemOf } from '../read-certificate.ts'
import type { SealedFile } from '../seal-pieces.ts'
import type { Timestamp, Timestamper } from '../timestamper.ts'

const wanted = 2
/** A package has no more (docs/package-format.md). */
const most = 99

export type AskedPending = {
  /** The seal as it is now: with the tokens that came, and the authorities that still gave none. */
  readonly summary: SealSummary
  /** Tokens, their chains, and `seal/seal.json` anew; none when no token came. */
  readonly files: readonly SealedFile[]
}

/**
 * Asks the authorities that gave no token for one over the root, until as many outside ones as are wanted have given one. Tokens that
 * are there stay, the embedded authority's too. An authority that is not configured any more, or whose root has stamped the seal
 * already, is asked no more: it would add nothing (decision 0053).
 * @param root 32 octets @param chains `seal/timestamp-N-ca.pem` of the tokens that the seal has
 */
export async function askPending(
  { root, summary, chains }: { root: Uint8Array; summary: SealSummary; chains: readonly Uint8Array[] },
  { timestampers, signal }: { timestampers: readonly Timestamper[]; signal?: AbortSignal | undefined },
): Promise<AskedPending> {
  const roots = new Set(chains.map((chain) => digestOf(readPem(chain).at(-1)?.encoded ?? new Uint8Array())))
  const count = () => stamps.filter(({ embedded }) => !embedded).length
  const stamps: TimestampFacts[] = [...summary.timestamps]
  const files: SealedFile[] = []
  const pending: PendingAuthority[] = []
  for (const { authority } of summary.pending_authorities) {
    const timestamper = timestampers.find(({ name, embedded }) => name === authority && !embedded)
    if (timestamper === undefined || count() >= wanted || stamps.length >= most) continue
    try {
      const timestamp = await timestamper.timestamp(root, signal)
      const issuer = digestOf(timestamp.chain.at(-1) ?? timestamp.certificate)
      if (roots.has(issuer)) continue
      roots.add(issuer)
      const added = addition(stamps.length + 1, timestamp)
      stamps.push(added.facts)
      files.push(...added.files)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      pending.push({ authority, code: error.code })
    }
  }
  const { format, signed_at, signer } = summary
  const record: SealRecord = { format, root: summary.root, signed_at, signer, timestamps: stamps }
  return {
    summary: { ...summary, timestamps: stamps, pending_authorities: count() >= wanted ? [] : pending },
    files:
      files.length === 0
        ? []
        : [...files, { path: 'seal/seal.json', media_type: 'application/json', bytes: canonicalJson(record) }],
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

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
