import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { formatNote } from './note.ts'
import { formatTilePath } from './tile-path.ts'
import { formatTlogProof, parseTlogProof } from './tlog-proof.ts'
import { consistencyFolds, hashFolds, inclusionFolds, tileKey, tilesOf } from './tree.ts'
import type { Fold } from './tree.ts'
import { verifyCheckpoint } from './verify-checkpoint.ts'
import { verifyLogProof } from './verify-log-proof.ts'

/** The files of a log, by their path below its prefix; null for one that it does not have. May throw what the network throws. */
export type LogFiles = (path: string) => Promise<Uint8Array | null>

export type LiveComparison =
  | {
      readonly outcome: 'compared'
      /** The checkpoint of now, and whether the log only grew to it from the one in the proof. */
      readonly grown: ProofReport
      /** The same entry in the tree of now; null when the log of now is the shorter one. */
      readonly now: ProofReport | null
    }
  | { readonly outcome: 'unreadable' | 'empty' | 'other_log' | 'missing_tile' }

/**
 * Holds a proof against the log as it stands: from its files alone, whoever serves them. What is fetched names tiles, never the
 * entry: a log does not learn which of 256 neighbours is asked about.
 */
export async function compareWithLog(
  { proof, root }: { proof: Uint8Array; root: Uint8Array },
  files: LogFiles,
  deps: VerifyDeps,
): Promise<LiveComparison> {
  const own = parseTlogProof(proof)
  if (typeof own === 'string') return { outcome: 'unreadable' }
  const note = await files('checkpoint')
  const live = note === null ? null : parseCheckpoint(note)
  if (note === null || live === null) return { outcome: note === null ? 'empty' : 'unreadable' }
  const { checkpoint } = own
  if (live.origin !== checkpoint.origin) return { outcome: 'other_log' }
  const earlier = { note: formatNote(checkpoint.note.text, checkpoint.note.signatures) }
  if (live.size < checkpoint.size || own.index >= live.size) {
    const grown = await verifyCheckpoint({ note, earlier: { ...earlier, proof: [] } }, deps)
    return { outcome: 'compared', grown, now: null }
  }
  const consistency = consistencyFolds(checkpoint.size, live.size)
  const inclusion = inclusionFolds(own.index, live.size)
  const hashes = await compute([...consistency, ...inclusion], live.size, files)
  if (hashes === null) return { outcome: 'missing_tile' }
  const path = hashes.slice(consistency.length)
  return {
    outcome: 'compared',
    grown: await verifyCheckpoint({ note, earlier: { ...earlier, proof: hashes.slice(0, consistency.length) } }, deps),
    now: await verifyLogProof(
      { proof: formatTlogProof({ extra: own.extra, index: own.index, path, checkpoint: note }), root },
      deps,
    ),
  }
}

/** A partial tile may be gone once it is whole (tlog-tiles, "Partial Tiles"): then the whole one is read. */
async function compute(folds: readonly Fold[], size: number, files: LogFiles): Promise<Uint8Array[] | null> {
  const tiles = new Map<string, Uint8Array>()
  for (const tile of tilesOf(folds, size)) {
    const octets = (await files(formatTilePath(tile))) ?? (await files(formatTilePath({ ...tile, width: 256 })))
    if (octets === null || octets.length < tile.width * 32 || octets.length > 8192) return null
    tiles.set(tileKey(tile), octets.subarray(0, tile.width * 32))
  }
  return hashFolds(folds, tiles)
}
