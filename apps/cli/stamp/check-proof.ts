import { hostSha256, nodeHashes, verifyDossier } from '../../../modules/verification/server/index.ts'
import type { ProofKind } from './journal-lines.ts'
import type { Told } from './find-proofs.ts'
import { endings } from './write-proof.ts'

const kindOf = { tsr: 'timestamp', ers: 'evidence_record', ots: 'opentimestamps', chainpoint: 'chainpoint' } as const

/**
 * Whether what the server gave is a proof of that kind, about that very content, with nothing wrong in it: by the product's verifier, on
 * this machine. Whether its authority is to be trusted is for `probant verify`.
 */
export async function isProofOf(
  kind: ProofKind,
  bytes: Uint8Array,
  sha256: string,
  told: Told,
  signal: AbortSignal,
): Promise<boolean> {
  const { root } = told
  // A token covers the root of its batch, which the evidence record binds to the file; of a batch of one, it is the file's fingerprint.
  if (told.sha256 !== sha256 || (told.isAlone && root !== sha256)) return false
  const file = { path: `proof${endings[kind]}`, size: bytes.length, read: readerOf(bytes) }
  const dossier = await verifyDossier([file], {
    now: () => new Date(),
    sha256: hostSha256,
    hashes: nodeHashes,
    signal,
    fields: { digest: kind === 'tsr' ? root : sha256 },
  })
  const [item] = dossier.items
  return item !== undefined && item.kind === kindOf[kind] && dossier.verdict !== null && dossier.verdict !== 'TOTAL-FAILED'
}

const readerOf = (bytes: Uint8Array) => async (at: number, length: number) => await Promise.resolve(bytes.slice(at, at + length))
