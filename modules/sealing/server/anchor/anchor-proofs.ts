/** The proofs that an anchor gives to whatever its checkpoint covers: files for packages, sidecars for checkpoints. */
import { toHex, utf8 } from '../../../../kernel/bytes.ts'
import {
  anchorPath,
  attestationsOf,
  buildChainpoint,
  buildOts,
  checkpointAnchorPath,
  type Operation,
  type TimestampTree,
} from '../../../verification/server/index.ts'
import type { SealedFile } from '../../domain/seal.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import type { PublicLog } from '../log/public-log.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { findAnchorOf, findAnchorsOf, listAnchorsOfSize, listCheckpointStamps } from './anchor-store.ts'
import type { AnchorBlock, AnchorRecord } from './anchor-store.ts'
import { storedTree } from './finding.ts'

export type AnchorProofDeps = { readonly db: Db | Tx; readonly publicLog: Pick<PublicLog, 'find' | 'inclusionPath'> }

/** A root that stands in the chain, deep enough. */
export type Anchored = {
  readonly anchorId: string
  /** Leaves of the checkpoint that was anchored. */
  readonly size: number
  readonly block: AnchorBlock
  readonly files: readonly SealedFile[]
}

export const anchorFilePaths = ['seal/anchor.ots', 'seal/anchor.chainpoint.json', 'seal/anchor-header.json'] as const

/** The way from something else to what the log was given: proofs then begin at its digest. */
export type WayToRoot = { readonly digest: Uint8Array; readonly operations: readonly Operation[] }

/**
 * What proves that `root` (32 octets) was in the Bitcoin chain; null while no confirmed anchor covers it.
 * @param before of what leads to the root; absent: the proofs are of the root itself
 */
export async function findAnchored(deps: AnchorProofDeps, root: Uint8Array, before?: WayToRoot): Promise<Anchored | null> {
  return (await openAnchored(deps, root))?.(before) ?? null
}

/** The same, found once for all that leads to the root. */
export async function openAnchored(deps: AnchorProofDeps, root: Uint8Array): Promise<((before?: WayToRoot) => Anchored) | null> {
  const logged = await deps.publicLog.find(root)
  const anchor = logged === null ? null : await findAnchorOf(deps.db, logged.index, { confirmed: true })
  if (logged === null || anchor?.block == null) return null
  const tree = storedTree(anchor, anchor.proof)
  if (tree === null) return null
  const onward = await pathTo(deps, anchor, logged)
  const { block } = anchor
  return (before) => {
    const digest = before?.digest ?? root
    const operations = [...(before?.operations ?? []), ...onward]
    const chainpoint = chainpointOf(digest, operations, tree, { height: block.height, receivedAt: logged.loggedAt })
    const files: SealedFile[] = [
      { path: 'seal/anchor.ots', media_type: otsType, bytes: buildOts({ digest, operations, end: tree }) },
      ...(chainpoint === null
        ? []
        : [{ path: 'seal/anchor.chainpoint.json', media_type: 'application/vnd.chainpoint.json+json', bytes: chainpoint }]),
      { path: 'seal/anchor-header.json', media_type: 'application/json', bytes: headerFile(block) },
    ]
    return { anchorId: anchor.id, size: anchor.size, block, files }
  }
}

const otsType = 'application/vnd.opentimestamps.v1'

export type CurrentOts = { readonly state: 'pending' | 'anchored'; readonly bytes: Uint8Array }

/** The `.ots` of a root as far as it has come: a promise of calendars, or a way to a block. Null while there is neither. */
export async function currentOts(deps: AnchorProofDeps, root: Uint8Array, before?: WayToRoot): Promise<CurrentOts | null> {
  return (await openCurrentOts(deps, root))?.(before) ?? null
}

/** The same, found once for all that leads to the root. */
export async function openCurrentOts(
  deps: AnchorProofDeps,
  root: Uint8Array,
): Promise<((before?: WayToRoot) => CurrentOts) | null> {
  const logged = await deps.publicLog.find(root)
  const anchor = logged === null ? null : await findAnchorOf(deps.db, logged.index, { confirmed: false })
  const tree = anchor === null ? null : bestTree(anchor)
  if (logged === null || anchor === null || tree === null) return null
  const onward = await pathTo(deps, anchor, logged)
  return (before) => {
    const operations = [...(before?.operations ?? []), ...onward]
    const bytes = buildOts({ digest: before?.digest ?? root, operations, end: tree })
    return { state: anchor.status === 'confirmed' ? 'anchored' : 'pending', bytes }
  }
}

export type AnchorProgress = {
  readonly place: 'none' | 'handed_over' | 'in_block'
  readonly hasOts: boolean
  readonly anchorId: string | null
  /** When it is looked at again. */
  readonly nextTryAt: Date | null
}

/** How far the anchor of a leaf has come that is not confirmed, and whether there is an `.ots` of it to show. */
export async function progressOfAnchor(db: Db | Tx, index: number): Promise<AnchorProgress> {
  return progressOf(await findAnchorOf(db, index, { confirmed: false }))
}

/** The same of leaves that are shown together, by index. */
export async function progressOfAnchors(db: Db | Tx, indexes: readonly number[]): Promise<ReadonlyMap<number, AnchorProgress>> {
  const found = await findAnchorsOf(db, indexes, { confirmed: false })
  return new Map(indexes.map((index) => [index, progressOf(found.get(index) ?? null)]))
}

function progressOf(anchor: AnchorRecord | null): AnchorProgress {
  if (anchor === null) return { place: 'none', hasOts: false, anchorId: null, nextTryAt: null }
  const hasOts = bestTree(anchor) !== null
  const { id: anchorId, nextTryAt } = anchor
  if (anchor.status !== 'pending') return { place: 'in_block', hasOts, anchorId, nextTryAt }
  const place = hasOts || anchor.transactions.some(({ sent }) => sent) ? 'handed_over' : 'none'
  return { place, hasOts, anchorId, nextTryAt }
}

/** The `.ots` of a checkpoint note, and its RFC 3161 responses; null and none for a checkpoint that was not anchored. */
export async function checkpointSidecars(
  db: Db | Tx,
  size: number,
): Promise<{
  readonly ots: Uint8Array | null
  readonly stamps: readonly { readonly response: Uint8Array; readonly authority: string; readonly genTime: Date }[]
  readonly block: AnchorBlock | null
}> {
  const anchors = await listAnchorsOfSize(db, size)
  const stamps = await listCheckpointStamps(db, size)
  for (const anchor of anchors) {
    const tree = bestTree(anchor)
    if (tree === null) continue
    const ots = buildOts({ digest: anchor.noteHash, operations: checkpointAnchorPath(anchor.rootHash), end: tree })
    return { ots, stamps, block: anchor.status === 'confirmed' ? anchor.block : null }
  }
  return { ots: null, stamps, block: null }
}

/** A confirmed way speaks alone; before, what was promised can still be asked for by anyone. */
function bestTree(anchor: AnchorRecord): TimestampTree | null {
  return storedTree(anchor, anchor.status === 'confirmed' ? anchor.proof : (anchor.promise ?? anchor.proof))
}

async function pathTo(
  { publicLog }: AnchorProofDeps,
  { size, noteHash }: AnchorRecord,
  logged: { readonly index: number; readonly salt: Uint8Array },
) {
  const path = await publicLog.inclusionPath(logged.index, size)
  return anchorPath({ salt: logged.salt, index: logged.index, size, path, noteHash })
}

function headerFile({ height, hash, header, time, sources }: AnchorBlock): Uint8Array {
  return canonicalJson({
    format: 'probant-anchor-header/1',
    height,
    hash,
    header: toHex(header),
    time: time.toISOString(),
    sources: [...sources],
  })
}

/**
 * Version 4, the one that the readers still kept up take. Null when the way holds an operation that Chainpoint has none for: calendars
 * choose theirs. @param at.receivedAt when the root was logged: the anchor of its checkpoint began later
 */
function chainpointOf(
  root: Uint8Array,
  operations: readonly Operation[],
  tree: TimestampTree,
  at: { readonly height: number; readonly receivedAt: Date },
): Uint8Array | null {
  const [attested] = attestationsOf(tree)
  if (attested === undefined) throw new RangeError('the proof ends in no block')
  const whole = [...operations, ...attested.operations]
  if (!whole.every(({ op }) => op === 'append' || op === 'prepend' || op === 'sha256')) return null
  return utf8(buildChainpoint(4, { hash: root, operations: whole, ...at }))
}
