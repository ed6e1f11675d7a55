import type { Db, Tx } from '../../../../platform/db/database.ts'
import { assessProofHealth, readChain, type ChainStamp, type StampFacts } from '../../../sealing/server/index.ts'
import { buildEvidenceRecord, leafOfTimestampRenewal, renewTimestamp, rootOf } from '../../../verification/server/index.ts'
import { listBatchFiles, type BatchFile, type BatchHealth, type BatchRecord } from '../deposit/batch-store.ts'
import { sha256 } from '../deposit/sha256.ts'
import { listRenewals, type ChainRenewal } from './health-store.ts'

/** A time stamp of the seal and all that renewed it since, one after the other (RFC 4998 §5.2). */
export type StampChain = {
  /** `document.tsr`: of the first, over the root of the batch. */
  readonly file: string
  /** TimeStampResp, and the certificates of its issuers, PEM. */
  readonly token: Uint8Array
  readonly ca: Uint8Array
  /** In their order. */
  readonly renewals: readonly ChainRenewal[]
}

type Sealed = Pick<BatchRecord, 'id' | 'summary'>

/** One for each time stamp of the seal, in the seal's order. */
export async function readStampChains(db: Db | Tx, batch: Sealed, files?: readonly BatchFile[]): Promise<StampChain[]> {
  const of = new Map((files ?? (await listBatchFiles(db, batch.id))).map(({ name, data }) => [name, data]))
  const renewals = await listRenewals(db, batch.id)
  return (batch.summary?.timestamps ?? []).map(({ file, ca_file: caFile }) => {
    const [token, ca] = [of.get(file), of.get(caFile)]
    if (token === undefined || ca === undefined) throw new Error(`batch ${batch.id} has no ${file}`)
    return { file, token, ca, renewals: renewals.filter((each) => each.file === file) }
  })
}

/** `document.ers`, `document-2.ers` */
export const recordName = ({ file }: Pick<StampChain, 'file'>): string => file.replace(/\.tsr$/, '.ers')

/** Certificates of the issuers of a renewal: `document-renewal-1-ca.pem`. */
export const renewalCaName = ({ file, number }: Pick<ChainRenewal, 'file' | 'number'>): string =>
  `${file.replace(/\.tsr$/, '')}-renewal-${String(number)}-ca.pem`

/**
 * The evidence record (RFC 4998) of what stands at the beginning of a way to the root: all time stamps of the chain.
 * @param leaf 32 octets: a fingerprint, or the root itself, whose way is empty
 */
export function recordOf(chain: StampChain, leaf: Uint8Array, path: readonly Uint8Array[]): Uint8Array {
  let record: Uint8Array = buildEvidenceRecord({ leaf, path, token: chain.token })
  for (const renewal of chain.renewals)
    record = renewTimestamp(record, { leaf: leafOfTimestampRenewal(record), path: renewal.path, token: renewal.token })
  return record
}

/** What the time stamp that renews the last one of a chain next must be over: the same for every deposit of the batch. */
export function nextLeafOf(chain: StampChain, root: Uint8Array): Uint8Array {
  return leafOfTimestampRenewal(recordOf(chain, root, []))
}

/** What each time stamp of the chain says itself, and until when; those that do not hold are not among them. */
export function factsOfChain(chain: StampChain, root: Uint8Array): StampFacts[] {
  const stamps: ChainStamp[] = [{ file: chain.file, response: chain.token, issuers: chain.ca, digest: root }]
  let begun: StampChain = { ...chain, renewals: [] }
  for (const renewal of chain.renewals) {
    const digest = rootOf(nextLeafOf(begun, root), renewal.path, sha256)
    stamps.push({ file: nameOfRenewal(renewal), response: renewal.token, issuers: renewal.ca, digest })
    begun = { ...begun, renewals: [...begun.renewals, renewal] }
  }
  return readChain(stamps)
}

/** As it is called where it is shown: it is inside the evidence record. */
const nameOfRenewal = ({ file, number }: ChainRenewal): string => `${recordName({ file })} (${String(number + 1)})`

/** Null when no time stamp can be read. */
export function healthOfChains(chains: readonly StampChain[], root: Uint8Array, now: Date): BatchHealth | null {
  return healthOfStamps(
    chains.flatMap((chain) => factsOfChain(chain, root)),
    now,
  )
}

export function healthOfStamps(stamps: readonly StampFacts[], now: Date): BatchHealth | null {
  if (stamps.length === 0) return null
  const health = assessProofHealth({ stamps, renewed: 'each', pending_authorities: 0, log: null, anchor: null }, now)
  const last = new Date(Math.max(...stamps.map(({ until }) => until.getTime())))
  return { stampedUntil: health.stamped_until ?? last, renewAt: health.renew_at }
}
