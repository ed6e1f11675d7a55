import { join } from 'node:path'
import { defaultLocale, locales } from '../../../kernel/locale.ts'
import { openPrinter } from '../../../platform/browser/print-pdf.ts'
import { createEvidenceSource, signPdf } from '../../sealing/server/index.ts'
import { findBatches } from './batch-store.ts'
import { certificateFactsOf, type FactsDeps } from './certificate-facts-of.ts'
import { insertCertificate, listCertificates } from './certificate-store.ts'
import { makeCertificate, type CertificateDeps } from './certificate/make-certificate.ts'
import type { DocumentSealDeps } from './deps.ts'
import { proofEntriesOf, type SealedDeposit } from './download-proofs.ts'
import { timestampersFor } from './seal-batch.ts'
import { findDocument } from './store.ts'

export type CertificateJobDeps = DocumentSealDeps &
  FactsDeps & {
    /** Holds the folders of jobs that are running. */
    readonly workFolder: string
    readonly isolation: 'required' | 'override'
    /** `probant/<version>` */
    readonly software: string
    /** Absent: a browser of its own, for both languages. */
    readonly print?: CertificateDeps['printPdf']
  }

const longestMs = 5 * 60 * 1000
/** A promise of calendars, which the next edition has in full. */
const notAttached = new Set(['document.pending.ots'])

/**
 * The certificates of a deposit that is final, in both languages: the first ones, or anew once it is anchored; those of before stay. May be
 * repeated after a crash. Nothing happens when the newest say all there is to say.
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
  const wanted = locales.filter((locale) => !kept.some((one) => one.locale === locale && (one.anchored || !anchored)))
  if (wanted.length === 0) return

  const now = deps.clock.now()
  const facts = await certificateFactsOf(deps, sealed, now)
  const proofs = (await proofEntriesOf(deps, sealed))
    .filter(({ name }) => !notAttached.has(name))
    .map(({ name, mediaType, data }) => ({ name, mediaType, bytes: data }))
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  const evidence = createEvidenceSource({ keyring: deps.keyring, clock: deps.clock })
  const printer =
    deps.print === undefined ? await openPrinter({ language: defaultLocale, isolation: deps.isolation, signal }) : null
  try {
    for (const locale of wanted) {
      const edition = (kept.find((one) => one.locale === locale)?.edition ?? 0) + 1
      const pdf = await makeCertificate(
        { facts, edition: { edition, madeAt: now.toISOString(), software: deps.software }, proofs },
        locale,
        {
          printPdf: deps.print ?? (async (job) => await (printer as NonNullable<typeof printer>).print(job)),
          signPdf: async (bytes, reason) =>
            await signPdf(bytes, {
              keyring: deps.keyring,
              timestampers: timestampersFor(deps, batch),
              clock: deps.clock,
              reason,
              signal,
              evidence,
            }),
          workDir: join(deps.workFolder, `certificate-${documentId}`),
          signal,
        },
      )
      const stored = await deps.blobs.scope(documentId).putStream(once(pdf))
      await deps.db.transaction().execute(async (tx) => {
        const { bytes, sha256 } = stored
        await insertCertificate(tx, documentId, { locale, edition, anchored, bytes, sha256, madeAt: now })
      })
    }
  } finally {
    await printer?.close()
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
