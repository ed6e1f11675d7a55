import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { makeCertificatesJob } from './jobs.ts'

/** Asked for while it waits is asked for once. */
export async function askCertificates(db: Db | Tx, documentId: string): Promise<void> {
  await enqueue(db, makeCertificatesJob, { document_id: documentId }, { key: `certificates:${documentId}` })
}
