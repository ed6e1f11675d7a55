import { DomainError } from '../../../../kernel/errors.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { nextAsk, sealRoot, wishedTimestampers, type SealedRoot, type Timestamp } from '../../../sealing/server/index.ts'
import { buildHashTree } from '../../../verification/server/index.ts'
import { datedBy } from '../../domain/dated-by.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { findBatches, listMembers, lockBatch, noteAttempt, setFailed, setSealed } from '../deposit/batch-store.ts'
import type { BatchFile, BatchHealth, BatchRecord, BatchSummary } from '../deposit/batch-store.ts'
import type { DocumentSealDeps } from '../deposit/deps.ts'
import { healthOfStamps } from '../stamps/stamp-chains.ts'
import { sealBatchJob } from '../deposit/jobs.ts'
import { sha256 } from '../deposit/sha256.ts'

/** What the log is given in place of a root: whoever deposits the same file elsewhere has another (decision 0282). */
export function loggedOf({ blind }: Pick<BatchRecord, 'blind'>, root: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([root, blind]))
}

const firstPauseMs = 10_000
const longestPauseMs = 30 * 60 * 1000

/** After so many attempts that gave nothing. */
export function pauseAfter(attempts: number): number {
  return Math.min(firstPauseMs * 2 ** attempts, longestPauseMs)
}

/**
 * Seals a batch: tree, signature, time stamps, place in the log. Done once: the outside calls come first and may be repeated after a crash,
 * then seal, ways and states are committed together by whoever holds the batch. Where no authority answers, the batch waits and is
 * tried again with growing pauses, until its day is over.
 */
export async function sealBatch(deps: DocumentSealDeps, batchId: string, signal?: AbortSignal): Promise<void> {
  const batch = (await findBatches(deps.db, [batchId])).get(batchId)
  if (batch?.state !== 'stamping') return
  const members = await listMembers(deps.db, batchId)
  if (members.length !== batch.size) throw new Error(`batch ${batchId} has ${members.length} deposits, not ${batch.size}`)
  const tree = buildHashTree(
    members.map((member) => member.sha256),
    sha256,
  )
  let sealed: SealedRoot
  try {
    sealed = await sealRoot(
      { root: tree.root, logged: loggedOf(batch, tree.root) },
      { ...deps, timestampers: timestampersFor(deps, batch), log: deps.publicLog, signal },
    )
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error
    return await putOff(deps, batchId, error.code)
  }
  const { summary, files } = filesOf(sealed)
  const stamp = datedBy(summary.timestamps, ({ gen_time }) => gen_time)
  if (stamp === undefined) throw new Error('a seal without time stamps')
  const datedAt = new Date(stamp.gen_time)
  const paths = tree.size === 1 ? [] : members.map(({ id }, index) => ({ id, path: Buffer.concat(tree.path(index)) }))
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockBatch(tx, batchId)
    if (locked?.state !== 'stamping') return
    const at = deps.clock.now()
    const { pending } = sealed
    const askAgainAt = pending.length === 0 ? null : nextAsk(at, 0)
    const health = healthOf(sealed, at)
    await setSealed(tx, batchId, { root: tree.root, summary, at, datedAt, files, health, pending, askAgainAt, paths })
    // Of many at once, when somebody first asks for one.
    if (batch.size === 1) for (const { id } of members) await askCertificates(tx, id)
  })
}

/**
 * Authorities outside the installation alone, where the account wishes them and there are any: a deposit whose account wants a stamp of
 * theirs waits for it rather than be final with our own (decision 0283).
 */
export function timestampersFor(
  { timestampers }: Pick<DocumentSealDeps, 'timestampers'>,
  { outsideStamps }: Pick<BatchRecord, 'outsideStamps'>,
): DocumentSealDeps['timestampers'] {
  if (!outsideStamps) return wishedTimestampers(timestampers, { ownOnly: true })
  const outside = timestampers.filter(({ embedded }) => !embedded)
  return outside.length === 0 ? timestampers : outside
}

async function putOff(deps: DocumentSealDeps, batchId: string, code: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const batch = await lockBatch(tx, batchId)
    if (batch?.state !== 'stamping') return
    const now = deps.clock.now()
    if (now >= batch.giveUpAt) return await setFailed(tx, batchId, code, now)
    await noteAttempt(tx, batchId, code)
    const runAt = new Date(now.getTime() + pauseAfter(batch.attempts))
    await enqueue(tx, sealBatchJob, { batch_id: batchId }, { key: `seal:${batchId}`, runAt })
  })
  deps.log.warn({ batch: batchId, code }, 'a deposit could not be sealed yet')
}

/** As the certificates say it of tokens that were checked when they came. */
function healthOf({ timestamps }: SealedRoot, now: Date): BatchHealth {
  const stamps = timestamps.map(({ authority, genTime, until }, index) => ({
    file: stampName(index),
    authority,
    at: genTime,
    until,
    covers: [],
    weak: false,
  }))
  const health = healthOfStamps(stamps, now)
  if (health === null) throw new Error('a seal without time stamps')
  return health
}

/** `document.tsr`, `document-2.tsr`, and the certificates of their issuers. */
export const stampName = (index: number): string => `${baseName(index)}.tsr`
export const stampCaName = (index: number): string => `${baseName(index)}-ca.pem`
const baseName = (index: number): string => (index === 0 ? 'document' : `document-${String(index + 1)}`)

/** A token and its issuers, as files of a batch. */
export function stampFiles(index: number, { response, ca }: { readonly response: Uint8Array; readonly ca: string }): BatchFile[] {
  return [
    { name: stampName(index), mediaType: 'application/timestamp-reply', data: response },
    { name: stampCaName(index), mediaType: 'application/x-pem-file', data: Buffer.from(ca, 'utf8') },
  ]
}

/** What a seal says of a token. */
export function stampSummary(
  index: number,
  { authority, genTime, serial, embedded }: Pick<Timestamp, 'authority' | 'genTime' | 'serial' | 'embedded'>,
): BatchSummary['timestamps'][number] {
  const gen_time = genTime.toISOString()
  return { file: stampName(index), ca_file: stampCaName(index), authority, gen_time, serial, embedded }
}

/** What is kept of a seal: files by their names, and what it says of itself. */
function filesOf({ signature, signerCa, signedAt, signer, timestamps, log }: SealedRoot): {
  readonly summary: BatchSummary
  readonly files: readonly BatchFile[]
} {
  return {
    files: [
      { name: 'signature.p7s', mediaType: 'application/pkcs7-signature', data: signature },
      { name: 'platform-ca.pem', mediaType: 'application/x-pem-file', data: Buffer.from(signerCa, 'utf8') },
      ...timestamps.flatMap((stamp, index) => stampFiles(index, stamp)),
      ...(log === null ? [] : [{ name: 'log-proof.txt', mediaType: 'text/plain; charset=utf-8', data: log.proof }]),
    ],
    summary: {
      signed_at: signedAt.toISOString(),
      signer,
      timestamps: timestamps.map((stamp, index) => stampSummary(index, stamp)),
      log: log?.facts ?? null,
    },
  }
}
