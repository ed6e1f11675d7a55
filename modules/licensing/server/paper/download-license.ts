import { Readable } from 'node:stream'
import { locales, type Locale } from '../../../../kernel/locale.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { downloadPackage, packageStream, type Download, type PackageEntry } from '../../../evidence/server/index.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import type { LicensingDeps } from '../keep/deps.ts'
import { listDocuments, type LicenseRow } from '../keep/license-store.ts'
import { licenseFileName } from './compose-license.ts'

type Deps = Pick<LicensingDeps, 'db' | 'blobs' | 'clock'>

/** @throws DomainError `licensing.not_active`, `licensing.revoked` */
function numberOf({ status, number }: LicenseRow): string {
  if (status === 'revoked') throw new DomainError('gone', 'licensing.revoked')
  if (status !== 'active' || number === null) throw new DomainError('conflict', 'licensing.not_active')
  return number
}

/** C-48. @throws DomainError `licensing.not_active`, `licensing.revoked` */
export async function documentOf(deps: Deps, license: LicenseRow, locale: Locale): Promise<Download> {
  const number = numberOf(license)
  const document = (await listDocuments(deps.db, license.id)).find((each) => each.locale === locale)
  if (document === undefined) throw new DomainError('conflict', 'licensing.not_active')
  const { sha256, bytes } = document
  return {
    bytes,
    mediaType: 'application/pdf',
    fileName: licenseFileName(number, locale),
    etag: sha256,
    open: async (start, end) =>
      start >= end ? Readable.from([]) : await deps.blobs.scope(license.id).open(sha256, { start, end: end - 1 }),
  }
}

/**
 * The licence as an outer cover: its document in both languages, and beside it the package of each report to the byte as it is, with whatever
 * it has gained since. @throws DomainError `licensing.not_active`, `licensing.revoked`
 */
export async function packageOf(deps: Deps, license: LicenseRow): Promise<Download> {
  const number = numberOf(license)
  const entries: PackageEntry[] = []
  const add = (file: Download) =>
    entries.push({
      path: file.fileName,
      bytes: file.bytes,
      open: async () => await file.open(0, file.bytes),
      openAt: async (start) => await file.open(start, file.bytes),
    })
  for (const locale of locales) add(await documentOf(deps, license, locale))
  const etags = []
  for (const { evidenceId } of license.reports) {
    const report = await downloadPackage({ ...deps, log: silentLog }, evidenceId, true)
    etags.push(report.etag)
    add(report)
  }
  const whole = packageStream(entries, { start: 0, end: 0 })
  whole.stream.destroy()
  return {
    bytes: whole.totalBytes,
    mediaType: 'application/zip',
    fileName: `licence-${number}.zip`,
    etag: `${number}-${etags.join('-')}`,
    open: async (start, end) => await Promise.resolve(packageStream(entries, { start, end }).stream),
  }
}
