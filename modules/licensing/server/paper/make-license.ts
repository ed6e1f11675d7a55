import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { locales } from '../../../../kernel/locale.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { typeset } from '../../../../platform/print/typeset/typeset.ts'
import { paidByTest } from '../../../billing/server/index.ts'
import { createEvidenceSource, signPdf, type Keyring, type Timestamper } from '../../../sealing/server/index.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { mailLicenseJob } from '../keep/jobs.ts'
import { changeLicenseStatus, findLicense, insertDocument, lockLicense, type LicenseDocument } from '../keep/license-store.ts'
import { licensorOf } from '../keep/seller-name.ts'
import { licenseCodeOf } from '../keep/tokens.ts'
import { composeLicense } from './compose-license.ts'
import { licenseWords } from './license-words.ts'

export type PaperDeps = Pick<LicensingDeps, 'db' | 'blobs' | 'clock' | 'secret'> & {
  readonly keyring: Keyring
  readonly timestampers: readonly Timestamper[]
  /** Holds the folders of jobs that are running. */
  readonly workFolder: string
  readonly software: string
  readonly publicUrl: string
  readonly typeset: typeof typeset
}

const longestMs = 5 * 60 * 1000

/** The document of a licence that was paid, signed, in both languages; then it is active, and both are written to. May be repeated. */
export async function makeLicense(deps: PaperDeps, id: string, stop: AbortSignal): Promise<void> {
  const license = await findLicense(deps.db, id)
  if (license?.status !== 'paid' || license.number === null || license.paidAt === null) return
  const { number, paidAt } = license
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  const { keyring, timestampers, clock } = deps
  const evidence = createEvidenceSource({ keyring, clock })
  const now = clock.now()
  const test = await paidByTest(deps.db, license.invoiceId)
  const documents: LicenseDocument[] = []
  for (const locale of locales) {
    const words = licenseWords(locale)
    const document = composeLicense(words, {
      ...license,
      number,
      test,
      licensor: await licensorOf(deps.db, license),
      grantedAt: paidAt.toISOString(),
      verifyUrl: `${deps.publicUrl}/${locale}/licence/${licenseCodeOf(deps.secret, license)}/`,
      madeAt: now.toISOString(),
      software: deps.software,
    })
    // Of this attempt alone: another job may be making the same.
    const pdf = await deps.typeset(document, { folder: join(deps.workFolder, `license-${id}-${randomUUID()}`), signal })
    const reason = words.t('licensing.document.sign_reason', { number })
    const signed = await signPdf(pdf, { keyring, timestampers, clock, reason, signal, evidence })
    documents.push({ locale, ...(await deps.blobs.scope(id).putBytes(signed)) })
  }
  await deps.db.transaction().execute(async (tx) => {
    const held = await lockLicense(tx, id)
    if (held?.status !== 'paid') return
    for (const document of documents) await insertDocument(tx, id, document, now)
    await changeLicenseStatus(tx, held, 'active', now)
    for (const to of ['seller', 'buyer'] as const)
      await enqueue(tx, mailLicenseJob, { license_id: id, to, occasion: 'granted' }, { key: `license-granted:${id}:${to}` })
  })
}
