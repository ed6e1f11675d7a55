import { join } from 'node:path'
import { systemClock } from '../../../../kernel/clock.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { typesetAll } from '../../../../platform/print/typeset/typeset.ts'
import { temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import { createTimestampers, signPdf } from '../../../sealing/server/index.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { makeDocuments, type DocumentDeps } from './make-documents.ts'

/** Where documents are made, signed and kept, as a worker does it. */
export async function openPress(): Promise<{
  readonly folder: string
  readonly blobs: BlobStore
  deps(billing: Pick<BillingDeps, 'db' | 'clock'>, other?: Partial<DocumentDeps>): DocumentDeps
  make(billing: Pick<BillingDeps, 'db' | 'clock'>, other?: Partial<DocumentDeps>): Promise<number>
  remove(): Promise<void>
}> {
  const temporary = await temporaryFolder()
  const { dir } = temporary
  const outside = await startOutsideTsa()
  const keyring = await temporaryKeyring(dir)
  const timestampers = createTimestampers({ urls: [outside.url], keyring, clock: systemClock, log: silentLog })
  const blobs = createFolderBlobStore(join(dir, 'blobs'))
  const deps = ({ db, clock }: Pick<BillingDeps, 'db' | 'clock'>, other: Partial<DocumentDeps> = {}): DocumentDeps => ({
    db,
    clock,
    blobs,
    log: silentLog,
    workFolder: join(dir, 'work'),
    typesetAll,
    signPdf: async (pdf, reason, signal) => await signPdf(pdf, { keyring, timestampers, clock: systemClock, reason, signal }),
    testPayments: false,
    ...other,
  })
  return {
    folder: dir,
    blobs,
    deps,
    make: async (billing, other) => await makeDocuments(deps(billing, other), AbortSignal.timeout(170_000)),
    async remove() {
      await outside.close()
      await temporary.remove()
    },
  }
}
