import { randomBytes } from 'node:crypto'
import { utf8 } from '../kernel/bytes.ts'
import type { Checkpoint, Keyring, LoggedRoot, PublicLog } from '../modules/sealing/server/index.ts'
import { merkleRoot } from '../modules/verification/domain/hash/merkle.ts'
import { formatCheckpoint, formatNote, formatTlogProof, leafHash, logEntryOf } from '../modules/verification/server/index.ts'

/** A log of its own for one package: its tree is the platform's, its leaves are kept nowhere. */
export function logInMemory(keyring: Keyring, origin = 'proofs.example/log'): PublicLog {
  const leaves: LoggedRoot[] = []
  const hashes = (): Uint8Array[] => leaves.map(({ salt, root }) => leafHash(logEntryOf(salt, root)))
  const find = async (root: Uint8Array) => leaves.find((leaf) => Buffer.from(leaf.root).equals(root)) ?? null
  const checkpoint = async (): Promise<Checkpoint> => {
    const rootHash = merkleRoot(hashes())
    const signer = await keyring.logSigner(origin)
    const text = formatCheckpoint({ origin, size: leaves.length, rootHash, extensions: [] })
    const { name, keyId } = signer
    const note = formatNote(text, [{ name, keyId, signature: await signer.sign(utf8(text)) }])
    return { size: leaves.length, rootHash, note, at: new Date() }
  }
  const proofOf = async (root: Uint8Array): Promise<Uint8Array | null> => {
    const leaf = await find(root)
    if (leaf === null) return null
    const { note } = await checkpoint()
    return formatTlogProof({ extra: leaf.salt, index: leaf.index, path: pathOf(leaf.index, hashes()), checkpoint: note })
  }
  return {
    include: async (root) => {
      const salt = new Uint8Array(randomBytes(32))
      const logged = (await find(root)) ?? { root, salt, index: leaves.length, loggedAt: new Date() }
      if (logged.index === leaves.length) leaves.push(logged)
      return { logged, proof: (await proofOf(root)) ?? new Uint8Array() }
    },
    find,
    checkpoint,
    checkpointAt: async (size) => (size === leaves.length ? await checkpoint() : null),
    inclusionPath: async (index, size) => pathOf(index, hashes().slice(0, size)),
    proofOf,
  }
}

/** RFC 9162 §2.1.3.1, as it is written there. */
function pathOf(index: number, hashes: readonly Uint8Array[]): Uint8Array[] {
  if (hashes.length < 2) return []
  let half = 1
  while (half * 2 < hashes.length) half *= 2
  const [left, right] = [hashes.slice(0, half), hashes.slice(half)]
  return index < half ? [...pathOf(index, left), merkleRoot(right)] : [...pathOf(index - half, right), merkleRoot(left)]
}
