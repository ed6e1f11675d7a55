import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { locales } from '../../../../kernel/locale.ts'
import type { typeset } from '../../../../platform/print/typeset/typeset.ts'
import { createEvidenceSource, signPdf } from '../../../sealing/server/index.ts'
import { findBatches } from '../deposit/batch-store.ts'
import { certificateFactsOf, type FactsDeps } from './certificate-facts-of.ts'
import { dropSuperseded, holdCertifiable, insertCertificate, listCertificates } from '../deposit/certificate-store.ts'
import type { KeptCertificate } from '../deposit/certificate-store.ts'
import { makeCertificate } from './make-certificate.ts'
import type { DocumentSealDeps } from '../deposit/deps.ts'
import type { SealedDeposit } from '../proofs/sealed-deposit.ts'
import { proofEntriesOf } from '../proofs/download-proofs.ts'
import { timestampersFor } from '../seal/seal-batch.ts'
import { findDocument } from '../deposit/store.ts'

export type CertificateJobDeps = DocumentSealDeps &
  FactsDeps & {
    /** Holds the folders of jobs that are running. */
    readonly workFolder: string
    /** `probant/<version>` */
    readonly software: string
    readonly typeset: typeof typeset
  }

const longestMs = 5 * 60 * 1000
/** A promise of calendars, which the next edition has in full. */
const notAttached = new Set(['document.pending.ots'])

/**
 * The certificates of a deposit that is final, in both languages: the first ones, or anew once something else is to be said, as that
 * it is anchored or where it is shared; the first stays, and the last of before the anchor. May be repeated after a crash. Nothing happens
 * when the newest say all there is to say.
 */
export async function makeCertificates(deps: CertificateJobDeps, documentId: string, stop: AbortSignal): Promise<void> {
  const record = await findDocument(deps.db, documentId)
  if (record?.status !== 'final' || record.batchId === null || record.contentDeletedAt !== null) return
  const { batchId } = record
  const batch = (await findBatches(deps.db, [batchId])).get(batchId)
  if (batch?.root == null || batch.summary === null) throw new Error(`${documentId} is final without a seal`)
  const sealed: SealedDeposit = { record: { ...record, batchId }, batch: { ...batch, root: batch.root, summary: batch.summary } }
  const anchored = batch.anchoredAt !== null
  const kept = await listCertificates(deps.db, documentId)
  const now = deps.clock.now()
  const facts = await certificateFactsOf(deps, sealed, now)
  const says = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  const wanted = locales.filter((locale) => !kept.some((one) => one.locale === locale && one.says === says))
  if (wanted.length === 0) return
  const proofs = (await proofEntriesOf(deps, sealed))
    .filter(({ name }) => !notAttached.has(name))
    .map(({ name, mediaType, data }) => ({ name, mediaType, bytes: data }))
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  const evidence = createEvidenceSource({ keyring: deps.keyring, clock: deps.clock })
  for (const locale of wanted) {
    const edition = (kept.find((one) => one.locale === locale)?.edition ?? 0) + 1
    const pdf = await makeCertificate(
      { facts, edition: { edition, madeAt: now.toISOString(), software: deps.software }, proofs },
      locale,
      {
        // Of this attempt alone: another job may be making the same.
        typeset: async (document) =>
          await deps.typeset(document, { folder: join(deps.workFolder, `certificate-${documentId}-${randomUUID()}`), signal }),
        signPdf: async (bytes, reason) =>
          await signPdf(bytes, {
            keyring: deps.keyring,
            timestampers: timestampersFor(deps, batch),
            clock: deps.clock,
            reason,
            signal,
            evidence,
          }),
        signal,
      },
    )
    const superseded = await keep(deps, documentId, pdf, { locale, edition, anchored, says, madeAt: now })
    for (const sha256 of superseded) await deps.blobs.scope(documentId).remove(sha256)
  }
}

/**
 * Bytes first, then the row while the deposit is held: of one whose words went meanwhile nothing is kept.
 * @returns bytes that no row names any more. @throws when another job made that edition: this one looks again what there is to say
 */
async function keep(
  { db, blobs }: Pick<CertificateJobDeps, 'db' | 'blobs'>,
  documentId: string,
  pdf: Uint8Array,
  made: Omit<KeptCertificate, 'bytes' | 'sha256'>,
): Promise<readonly string[]> {
  const stored = await blobs.scope(documentId).putBytes(pdf)
  const kept = await db.transaction().execute(async (tx) => {
    if (!(await holdCertifiable(tx, documentId))) return { superseded: [stored.sha256] }
    if (!(await insertCertificate(tx, documentId, { ...made, ...stored }))) return null
    return { superseded: await dropSuperseded(tx, documentId, made.locale) }
  })
  if (kept !== null) return kept.superseded
  await blobs.scope(documentId).remove(stored.sha256)
  throw new Error(`certificate ${String(made.edition)} of ${documentId} was made by another job`)
}
