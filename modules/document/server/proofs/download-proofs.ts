import { Readable } from 'node:stream'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { packageStream, type PackageEntry } from '../../../evidence/server/index.ts'
import { anchorFilesOf, openAnchorFiles } from './anchor-files.ts'
import { downloadOf, etagOf, storedDownload, type ProofDownload } from './proof-download.ts'
import { findSealed, type SealedDeposit } from './sealed-deposit.ts'
import { findBatchFile, findPath, listBatchFiles } from '../deposit/batch-store.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { findCertificate, listCertificates, type KeptCertificate } from '../deposit/certificate-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { proofsReadme } from './proofs-readme.ts'
import { listRenewals, type ChainRenewal } from '../stamps/health-store.ts'
import { readStampChains, recordName, recordOf, renewalCaName, type StampChain } from '../stamps/stamp-chains.ts'

/** Of tokens, signatures, certificates: many times what one has. */
const maxProofBytes = 16 * 1024 * 1024

async function tokenOf(deps: Pick<DocumentWebDeps, 'db'>, { batch }: SealedDeposit) {
  const file = await findBatchFile(deps.db, batch.id, 'document.tsr')
  if (file === null) throw new Error(`batch ${batch.id} is sealed without a token`)
  return file
}

/** C-75: the token, over the fingerprint itself or the root of its batch. @throws DomainError as {@link findSealed} */
export async function downloadToken(deps: DocumentWebDeps, id: string): Promise<ProofDownload> {
  const sealed = await findSealed(deps, id)
  const file = await tokenOf(deps, sealed)
  return downloadOf(file.data, file.mediaType, 'document.tsr')
}

/**
 * RFC 4998: of each time stamp the fingerprint, its way to the root, the token, and all that renewed the token since; beside them the
 * certificates of whoever stamped the renewals.
 */
function evidenceRecordsOf(chains: readonly StampChain[], digest: Uint8Array, path: readonly Uint8Array[]): ProofEntry[] {
  return chains.flatMap((chain) => [
    { name: recordName(chain), mediaType: 'application/octet-stream', data: recordOf(chain, digest, path) },
    ...chain.renewals.map((renewal) => ({ name: renewalCaName(renewal), mediaType: 'application/x-pem-file', data: renewal.ca })),
  ])
}

/** @throws DomainError as {@link findSealed} */
export async function downloadEvidenceRecord(deps: DocumentWebDeps, id: string): Promise<ProofDownload> {
  const { record, batch } = await findSealed(deps, id)
  const chains = await readStampChains(deps.db, batch)
  const [first] = evidenceRecordsOf(chains, record.sha256, await findPath(deps.db, record.id))
  if (first === undefined) throw new Error(`deposit ${id} is sealed without a token`)
  return downloadOf(first.data, first.mediaType, first.name)
}

/** The `.ots` as far as it has come, whose name says when it is only a promise; or the Chainpoint proof. @throws DomainError `document.not_found` when there is none, or as {@link findSealed} */
export async function downloadAnchor(deps: DocumentWebDeps, id: string, kind: 'ots' | 'chainpoint'): Promise<ProofDownload> {
  const { files } = await anchorFilesOf(deps, await findSealed(deps, id))
  const file = files.find(({ name }) => name.endsWith(kind === 'ots' ? '.ots' : '.chainpoint.json'))
  if (file === undefined) throw new DomainError('not_found', 'document.not_found')
  return downloadOf(file.data, file.mediaType, file.name)
}

/** Both languages take a second or two; a browser that has to be started, as long again. */
const askAgainSeconds = 3

/** C-76: the newest edition; asked for when there is none yet. @throws DomainError unavailable `document.certificate_not_ready`, or as {@link findSealed} */
export async function downloadCertificate(deps: DocumentWebDeps, id: string, locale: Locale): Promise<ProofDownload> {
  await findSealed(deps, id)
  const kept = await findCertificate(deps.db, id, locale)
  if (kept === null) {
    await askCertificates(deps.db, id)
    throw new DomainError('unavailable', 'document.certificate_not_ready', { seconds: askAgainSeconds })
  }
  return storedDownload(deps, id, kept, { mediaType: 'application/pdf', fileName: `deposit_${id}.pdf` })
}

export type ProofEntry = { readonly name: string; readonly mediaType: string; readonly data: Uint8Array }

export type BatchProofs = {
  /** Of its time stamps. */
  readonly renewals: readonly ChainRenewal[]
  /** Of the deposit with that fingerprint and way to the root. */
  of(digest: Uint8Array, path: readonly Uint8Array[]): ProofEntry[]
}

/**
 * Every proof of a deposit but its certificates, each by its name: of the certificate's attachments, and of archives. What all deposits of
 * a batch have is read once.
 */
export async function openProofs(
  deps: Pick<DocumentWebDeps, 'db' | 'publicLog'>,
  batch: SealedDeposit['batch'],
): Promise<BatchProofs> {
  const files = await listBatchFiles(deps.db, batch.id)
  const chains = await readStampChains(deps.db, batch, files)
  const anchorFiles = await openAnchorFiles(deps, batch)
  const bin = 'application/octet-stream'
  return {
    renewals: chains.flatMap(({ renewals }) => renewals),
    of: (leaf, path) => [
      ...files,
      ...evidenceRecordsOf(chains, leaf, path),
      { name: 'root.bin', mediaType: bin, data: batch.root },
      // What the log was given is the SHA-256 of these 64 octets (decision 0282).
      ...(batch.summary.log === null
        ? []
        : [{ name: 'logged.bin', mediaType: bin, data: Buffer.concat([batch.root, batch.blind]) }]),
      ...anchorFiles(leaf, path).files,
    ],
  }
}

/** The same of one deposit. */
export async function proofEntriesOf(
  deps: Pick<DocumentWebDeps, 'db' | 'publicLog'>,
  { record, batch }: SealedDeposit,
): Promise<ProofEntry[]> {
  return (await openProofs(deps, batch)).of(record.sha256, await findPath(deps.db, record.id))
}

export async function readCertificateFile(
  deps: Pick<DocumentWebDeps, 'blobs'>,
  id: string,
  { locale, sha256 }: Pick<KeptCertificate, 'locale' | 'sha256'>,
): Promise<ProofEntry> {
  const data = await deps.blobs.scope(id).read(sha256, { maxBytes: maxProofBytes })
  return { name: `deposit_${id}.${locale}.pdf`, mediaType: 'application/pdf', data }
}

/** All proofs and certificates in one archive, of known length. @throws DomainError as {@link findSealed} */
export async function downloadProofs(deps: DocumentWebDeps, id: string): Promise<ProofDownload> {
  const sealed = await findSealed(deps, id)
  const proofs = await proofEntriesOf(deps, sealed)
  const certificates: ProofEntry[] = []
  for (const kept of await listCertificates(deps.db, id)) certificates.push(await readCertificateFile(deps, id, kept))
  const contents = [...certificates, ...proofs]
  const readme = proofsReadme(
    sealed,
    contents.map(({ name }) => name),
    await listRenewals(deps.db, sealed.batch.id),
  )
  const all = [{ name: 'README.txt', data: readme }, ...contents]
  const entries = all.map(({ name, data }): PackageEntry => ({
    path: name,
    bytes: data.length,
    open: async () => await Promise.resolve(Readable.from([data], { objectMode: false })),
    openAt: async (start) => await Promise.resolve(Readable.from([data.subarray(start)], { objectMode: false })),
  }))
  const whole = packageStream(entries, { start: 0, end: 0 })
  whole.stream.destroy()
  return {
    bytes: whole.totalBytes,
    mediaType: 'application/zip',
    fileName: `proofs_${id}.zip`,
    etag: etagOf(Buffer.from(all.map(({ name, data }) => `${name} ${etagOf(data)}`).join('\n'))),
    open: async (start, end) => await Promise.resolve(packageStream(entries, { start, end }).stream),
  }
}
