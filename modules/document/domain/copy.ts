/** How a copy of a file comes: in pieces of one length, the last one shorter; each by itself, in any order, again if need be. */
export const copyPartBytes = 8 * 1024 * 1024
/** No installation takes a larger file (PROBANT_DOCUMENT_COPY_BYTES). */
export const largestCopyBytes = 10 * 1024 * 1024 * 1024

/**
 * `waiting`: one is wished and none has begun to come. `comparing`: it is whole, and its fingerprint is being computed. `stored`: it is that
 * of the deposit. `refused`: it is another, and the copy was deleted.
 */
export const copyStates = ['waiting', 'receiving', 'comparing', 'stored', 'refused', 'deleted'] as const
export type CopyState = (typeof copyStates)[number]

/** Why there is no copy any more. */
export const copyEnds = ['differs', 'owner', 'retention', 'trash', 'closing', 'abandoned', 'anew'] as const
export type CopyEnd = (typeof copyEnds)[number]

/** Of an upload that nothing was added to. */
export const abandonedAfterMs = 7 * 24 * 60 * 60 * 1000

/** How many pieces a file of so many bytes comes in; none for an empty one. */
export function countParts(bytes: number): number {
  return Math.ceil(bytes / copyPartBytes)
}

/** Bytes of the piece, counted from 0; 0 when there is no such piece. */
export function lengthOfPart(bytes: number, part: number): number {
  return Math.max(0, Math.min(copyPartBytes, bytes - part * copyPartBytes))
}
