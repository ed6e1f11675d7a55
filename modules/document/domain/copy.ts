/** How a copy of a file comes: in pieces of one length, the last one shorter; each by itself, in any order, again if need be. */
export const copyPartBytes = 8 * 1024 * 1024
/** For slow lines, a piece may come in slices of this length, the last one shorter; each counts from a multiple of it. */
export const copySliceBytes = 512 * 1024
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

/** What came of a piece: `bytes` of it from `at` on. Those of one piece never overlap. */
export type PieceExtent = { readonly part: number; readonly at: number; readonly bytes: number }

export type MissingPieces = {
  /** Numbers of the pieces that are not whole. */
  readonly missing: readonly number[]
  /** Of those of which slices came: where the slices begin that did not. */
  readonly begun: readonly { readonly part: number; readonly from: readonly number[] }[]
}

/** What still has to come of a file of so many bytes. */
export function findMissing(bytes: number, held: readonly PieceExtent[]): MissingPieces {
  const byPart = Map.groupBy(held, ({ part }) => part)
  const missing: number[] = []
  const begun: { part: number; from: number[] }[] = []
  for (let part = 0; part < countParts(bytes); part += 1) {
    const length = lengthOfPart(bytes, part)
    const extents = byPart.get(part) ?? []
    if (extents.reduce((sum, extent) => sum + extent.bytes, 0) === length) continue
    missing.push(part)
    if (extents.length === 0) continue
    const there = new Set(extents.map(({ at }) => at))
    const from: number[] = []
    for (let at = 0; at < length; at += copySliceBytes) if (!there.has(at)) from.push(at)
    begun.push({ part, from })
  }
  return { missing, begun }
}

/** Bytes of the slice of a piece of that length; 0 when there is no such slice. */
export function lengthOfSlice(pieceLength: number, from: number): number {
  return from % copySliceBytes === 0 ? Math.max(0, Math.min(copySliceBytes, pieceLength - from)) : 0
}

/** How many days before a copy ends its people are told of it. */
export const copyReminderDays = [30, 7] as const
