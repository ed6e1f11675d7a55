import type { Document } from '../../contract/document.ts'
import { progressOfAnchors } from '../../../sealing/server/index.ts'
import { findAnchorBlocks } from './anchor-store.ts'
import type { BatchRecord } from '../deposit/batch-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'

type Place = { readonly place: 'none' | 'handed_over' | 'in_block'; readonly hasOts: boolean }

/** How far the anchors of batches have come that are shown together. */
export type AnchorProgress = {
  /** Height of the block, by id of anchor. */
  readonly blocks: ReadonlyMap<string, number>
  /** Of those that are not anchored, by id of batch. */
  readonly places: ReadonlyMap<string, Place>
}

export async function readAnchorProgress(deps: DocumentWebDeps, batches: readonly BatchRecord[]): Promise<AnchorProgress> {
  const blocks = await findAnchorBlocks(
    deps.db,
    batches.flatMap(({ anchorId }) => anchorId ?? []),
  )
  const places = new Map<string, Place>()
  if (deps.anchoring !== true) return { blocks, places }
  const waiting = batches.flatMap(({ id, anchoredAt, summary }) =>
    anchoredAt === null && summary?.log != null ? [{ id, leaf: summary.log.index }] : [],
  )
  const progress = await progressOfAnchors(
    deps.db,
    waiting.map(({ leaf }) => leaf),
  )
  for (const { id, leaf } of waiting) places.set(id, progress.get(leaf) ?? { place: 'none', hasOts: false })
  return { blocks, places }
}

/** Nothing is said to be in the chain before the proof of it can be given. */
export function presentAnchor(
  deps: DocumentWebDeps,
  { id, anchorId, anchoredAt, summary, chainpoint }: BatchRecord,
  { blocks, places }: AnchorProgress,
): { readonly anchor: Document['anchor']; readonly hasOts: boolean; readonly hasChainpoint: boolean } {
  if (anchoredAt !== null && anchorId !== null)
    return {
      anchor: { state: 'anchored', block_height: blocks.get(anchorId) ?? null, anchored_at: anchoredAt.toISOString() },
      hasOts: true,
      hasChainpoint: chainpoint,
    }
  if (deps.anchoring !== true || summary?.log == null) return { anchor: null, hasOts: false, hasChainpoint: false }
  const { place, hasOts } = places.get(id) ?? { place: 'none', hasOts: false }
  return {
    anchor: { state: place === 'none' ? 'waiting' : place, block_height: null, anchored_at: null },
    hasOts,
    hasChainpoint: false,
  }
}
