import { hash } from 'node:crypto'
import { concatBytes } from '../../../../kernel/bytes.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import {
  consistencyFolds,
  formatTlogProof,
  hashFolds,
  inclusionFolds,
  signatureLine,
  tilesOf,
  type Fold,
} from '../../../verification/server/index.ts'
import { bestCosignedSize, findCheckpoint, findRoots, readCosignatures, readTiles } from './log-store.ts'
import type { Checkpoint, LoggedRoot } from './public-log.ts'

const nodePrefix = Uint8Array.of(1)

/** As `nodeHash` of the verification core, by the host's SHA-256. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash('sha256', concatBytes(nodePrefix, left, right), 'buffer')
}

async function computeFolds(db: Db | Tx, folds: readonly Fold[], size: number): Promise<Uint8Array[]> {
  return hashFolds(folds, await readTiles(db, tilesOf(folds, size)), nodeHash)
}

/** RFC 9162 §2.1.3, nearest first. @throws RangeError for a leaf that the log does not have */
export async function inclusionPath(db: Db | Tx, index: number, size: number): Promise<Uint8Array[]> {
  return await computeFolds(db, inclusionFolds(index, size), size)
}

/** RFC 9162 §2.1.4. @throws RangeError for sizes that the log does not have */
export async function consistencyProof(db: Db | Tx, from: number, to: number): Promise<Uint8Array[]> {
  return await computeFolds(db, consistencyFolds(from, to), to)
}

/** The signed note with the lines of every witness that has cosigned it by now. */
export async function cosignedNote(db: Db | Tx, checkpoint: Checkpoint): Promise<Uint8Array<ArrayBuffer>> {
  const lines = (await readCosignatures(db, [checkpoint.size])).map(signatureLine)
  return concatBytes(checkpoint.note, new TextEncoder().encode(lines.join('')))
}

/** The tlog-proof of a leaf under a checkpoint that holds it. */
export async function writeProof(db: Db | Tx, logged: LoggedRoot, checkpoint: Checkpoint): Promise<Uint8Array<ArrayBuffer>> {
  return formatTlogProof({
    extra: logged.salt,
    index: logged.index,
    path: await inclusionPath(db, logged.index, checkpoint.size),
    checkpoint: await cosignedNote(db, checkpoint),
  })
}

/** Under the checkpoint that most witnesses cosigned, or else the newest; null when the root is not in the log. */
export async function proofOf(db: Db | Tx, root: Uint8Array): Promise<Uint8Array<ArrayBuffer> | null> {
  const [logged] = await findRoots(db, [root])
  if (logged === undefined) return null
  const cosigned = await bestCosignedSize(db, logged.index)
  const checkpoint = await findCheckpoint(db, cosigned ?? undefined)
  if (checkpoint === null) throw new Error('the log has leaves and no checkpoint')
  return await writeProof(db, logged, checkpoint)
}
