import { Readable } from 'node:stream'
import { createHash } from 'node:crypto'
import { fromHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { currentOts } from '../../../sealing/server/index.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { findShown, packageName, type Download } from './download-files.ts'
import { findSeal } from '../seal/seal-store.ts'

/** The `.ots` of the root as far as it has come; its name says when it is only a promise. @throws DomainError not_found, gone or conflict */
export async function downloadAnchor(deps: EvidenceWebDeps, id: string): Promise<Download> {
  const evidence = await findShown(deps, id, ['final'])
  const seal = await findSeal(deps.db, id)
  const { db, publicLog } = deps
  const ots = seal === null || publicLog === undefined ? null : await currentOts({ db, publicLog }, fromHex(seal.root))
  if (ots === null) throw new DomainError('not_found', 'evidence.not_found')
  return {
    bytes: ots.bytes.length,
    mediaType: 'application/vnd.opentimestamps.v1',
    fileName: `${packageName(evidence)}${ots.state === 'pending' ? '.pending' : ''}.ots`,
    etag: createHash('sha256').update(ots.bytes).digest('hex'),
    open: (start, end) => Promise.resolve(Readable.from([ots.bytes.subarray(start, end)], { objectMode: false })),
  }
}
