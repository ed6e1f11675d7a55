/**
 * What proves to a buyer, before he buys, that a report is sealed: everything that is over the root, and of what is under it the subject alone
 * (docs/package-format.md, *Root*: leaf 0), with the path from it to the root. Which pieces there are, and their
 * fingerprints, stays withheld.
 */
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { logProofPath } from '../../../sealing/server/index.ts'
import {
  canonicalJson,
  leafHash,
  manifestFormat,
  merkleRoot,
  rootOfInclusion,
  type Subject,
} from '../../../verification/server/index.ts'
import { listFiles } from '../files/file-store.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { findEvidence } from '../record/store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { tellSeal, type SealTold } from './tell-seal.ts'

export type SealedProof = SealTold & {
  /** Leaf 0 as it was sealed: canonical JSON of format and subject. */
  readonly subject: string
  /** RFC 9162 §2.1.3 of leaf 0 in the tree of so many leaves, nearest first, in hexadecimal. */
  readonly leaves: number
  readonly path: readonly string[]
  /** Files of the seal that say nothing but the root: by their path in the package. */
  readonly files: readonly { readonly path: string; readonly base64: string }[]
}

const largest = 1024 * 1024
/** Of the seal; the rest of it names pieces, or repeats. */
const shown = /^seal\/(?:root\.bin|signature\.p7s|platform-ca\.pem|timestamp-\d+(?:-ca\.pem|\.tsr)|log-proof\.txt)$/

/** @throws DomainError not_found `evidence.not_found`: it is not sealed, or not any more */
export async function sealedProofOf(deps: Pick<EvidenceDeps, 'db' | 'blobs'>, id: string): Promise<SealedProof> {
  const [evidence, seal] = [await findEvidence(deps.db, id), await findSeal(deps.db, id)]
  if (evidence?.facts == null || seal === null) throw new DomainError('not_found', 'evidence.not_found')
  const blobs = deps.blobs.scope(id)
  const files = await listFiles(deps.db, id)
  const manifest = files.find(({ path }) => path === 'manifest.json')
  if (manifest === undefined) throw new DomainError('not_found', 'evidence.not_found')
  const read = JSON.parse((await blobs.read(manifest.sha256, { maxBytes: 64 * largest })).toString()) as {
    readonly subject: Subject
    readonly pieces: readonly unknown[]
  }
  const leaves = [{ format: manifestFormat, subject: read.subject }, ...read.pieces].map((leaf) => utf8(canonicalJson(leaf)))
  const hashes = leaves.map(leafHash)
  const path = pathOfFirst(hashes)
  const first = leaves[0] ?? new Uint8Array()
  const led = rootOfInclusion({ index: 0, size: hashes.length, leafHash: leafHash(first), path })
  if (led === null || toHex(led) !== seal.root) throw new Error(`the subject of ${id} does not lead to its root`)
  const open = files.filter((file) => shown.test(file.path) || file.path === logProofPath)
  const given = []
  for (const file of open)
    given.push({ path: file.path, base64: (await blobs.read(file.sha256, { maxBytes: largest })).toString('base64') })
  return {
    ...tellSeal(seal),
    subject: Buffer.from(first).toString(),
    leaves: hashes.length,
    path: path.map(toHex),
    files: given,
  }
}

/** Of leaf 0, nearest first: the roots of the halves to its right, each the largest complete tree below what is left. */
function pathOfFirst(hashes: readonly Uint8Array[]): Uint8Array[] {
  const path: Uint8Array[] = []
  for (let size = hashes.length; size > 1;) {
    let half = 1
    while (half * 2 < size) half *= 2
    path.push(merkleRoot(hashes.slice(half, size)))
    size = half
  }
  return path.toReversed()
}
