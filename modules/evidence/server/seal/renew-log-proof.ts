import { fromHex } from '../../../../kernel/bytes.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { logProofPath, newerProof, type PublicLog } from '../../../sealing/server/index.ts'
import type { FileRecord } from '../files/file-store.ts'
import { storeBytes } from '../files/store-files.ts'

type SealedBytes = { readonly path: string; readonly media_type: string; readonly bytes: Uint8Array }

/**
 * At the seal no witness has seen the leaf yet; by the time that the package is made some have. The proof is of the same leaf:
 * only the signatures under it are more. @param anchored leaves of the checkpoint that was anchored already, if one was
 */
export async function renewLogProof(
  { publicLog, scope }: { publicLog: Pick<PublicLog, 'proofOf'> | undefined; scope: BlobStore },
  rootHex: string,
  sealed: readonly SealedBytes[],
  anchored?: number,
): Promise<{ sealedFiles: readonly SealedBytes[]; renewed: FileRecord | null }> {
  const unchanged = { sealedFiles: sealed, renewed: null }
  const present = sealed.find(({ path }) => path === logProofPath)
  if (publicLog === undefined || present === undefined) return unchanged
  const newer = await newerProof(publicLog, fromHex(rootHex), present.bytes, anchored)
  if (newer === null) return unchanged
  return {
    sealedFiles: sealed.map((file) => (file.path === logProofPath ? newer : file)),
    renewed: await storeBytes(scope, { path: newer.path, section: 'seal', role: null, mediaType: newer.media_type }, newer.bytes),
  }
}
