import { listFiles } from '../files/file-store.ts'
import type { EvidenceDeps } from '../record/deps.ts'

export type SealedPiece = { readonly path: string; readonly bytes: number; readonly sha256: string }

const largestManifest = 64 * 1024 * 1024

/** The pieces as the manifest names them, which is what was sealed; null: it is not sealed, or its content is gone. */
export async function sealedPiecesOf(
  deps: Pick<EvidenceDeps, 'db' | 'blobs'>,
  id: string,
): Promise<readonly SealedPiece[] | null> {
  const manifest = (await listFiles(deps.db, id)).find(({ path }) => path === 'manifest.json')
  if (manifest === undefined) return null
  const bytes = await deps.blobs.scope(id).read(manifest.sha256, { maxBytes: largestManifest })
  const { pieces } = JSON.parse(bytes.toString()) as { readonly pieces: readonly SealedPiece[] }
  return pieces.map(({ path, bytes: size, sha256 }) => ({ path, bytes: size, sha256 }))
}
