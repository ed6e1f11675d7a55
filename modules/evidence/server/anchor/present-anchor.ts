import {
  anchorHistories,
  anchorHistory,
  anchorNetwork,
  progressOfAnchor,
  type AnchorEvent,
} from '../../../sealing/server/index.ts'
import type { EvidenceAnchor } from '../../contract/evidence.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import type { SealRecord } from '../seal/seal-store.ts'
import type { LinkTo } from '../own/link-to.ts'
import { findEvidenceAnchors, type AnchorInBlock } from './anchor-store.ts'
import type { EvidenceRecord } from '../record/store.ts'

const waitsFor = { none: 'anchor', handed_over: 'block', in_block: 'confirmations' } as const

/** Of evidences that are shown together: their anchors by id of evidence, what happened to those by id of anchor. */
export type Anchors = {
  readonly anchors: ReadonlyMap<string, AnchorInBlock>
  readonly histories: ReadonlyMap<string, readonly AnchorEvent[]>
}

export async function readAnchors({ db }: EvidenceWebDeps, records: readonly EvidenceRecord[]): Promise<Anchors> {
  const anchors = await findEvidenceAnchors(
    db,
    records.filter(({ status }) => status === 'final').map(({ id }) => id),
  )
  return { anchors, histories: await anchorHistories(db, [...new Set([...anchors.values()].map(({ anchorId }) => anchorId))]) }
}

/** What of the anchor is known: nothing is said to be in the chain before a package proves it. */
export async function presentAnchor(
  deps: EvidenceWebDeps,
  record: EvidenceRecord,
  { summary }: SealRecord,
  linkTo: LinkTo,
  { anchors, histories }: Anchors,
): Promise<EvidenceAnchor | null> {
  if (record.status !== 'final') return null
  const otsUrl = linkTo(`/files/${record.id}/anchor/`)
  const anchor = anchors.get(record.id)
  if (anchor !== undefined) {
    return {
      state: 'anchored',
      network: anchorNetwork(anchor, deps.bitcoinNetwork),
      waits_for: null,
      block: {
        height: anchor.height,
        hash: anchor.blockHash,
        time: anchor.blockTime.toISOString(),
        header_sources: [...anchor.headerSources],
      },
      history: presentHistory(histories.get(anchor.anchorId) ?? []),
      anchored_at: record.anchoredAt?.toISOString() ?? null,
      ots_url: otsUrl,
    }
  }
  if (deps.anchoring !== true || summary.log == null) return null
  const { place, hasOts, anchorId } = await progressOfAnchor(deps.db, summary.log.index)
  return {
    state: 'pending',
    network: anchorNetwork(null, deps.bitcoinNetwork),
    waits_for: waitsFor[place],
    block: null,
    history: anchorId === null ? [] : presentHistory(await anchorHistory(deps.db, anchorId)),
    anchored_at: null,
    ots_url: hasOts ? otsUrl : null,
  }
}

function presentHistory(events: readonly AnchorEvent[]): EvidenceAnchor['history'] {
  return events.flatMap(({ at, kind, data }) => {
    if (kind === 'failed') return []
    const { height, calendar, txid } = data
    const to = calendar ?? txid
    return [
      {
        at: at.toISOString(),
        kind,
        height: typeof height === 'number' ? height : null,
        to: typeof to === 'string' ? to : null,
      },
    ]
  })
}
