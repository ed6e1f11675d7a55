import { toHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { attestationsOf, readBlockHeader, writeTimestamp, type TimestampTree } from '../../../verification/server/index.ts'
import { isGivenUp, nextTry } from '../../domain/anchor.ts'
import type { AnchorEventKind } from '../../domain/anchor.ts'
import type { AnchorDeps } from './anchor-deps.ts'
import { changeAnchor, insertAnchorEvent, listDueAnchors } from './anchor-store.ts'
import type { AnchorBlock, AnchorChange, AnchorEvent, AnchorRecord } from './anchor-store.ts'
import { askCalendars } from './ask-calendars.ts'
import { vouchedBlock } from './block-sources.ts'
import { anchorFailure } from '../connections/exchange.ts'
import { workTransaction } from './work-transaction.ts'

const batch = 20
/**
 * Operations from a commitment to a block: calendars take about a hundred. With those from a root to the commitment they stay below the
 * 256 that readers of OpenTimestamps allow.
 */
const longestWay = 150
/** An anchor may have several steps to take at once; more than these wait for the next time. */
const mostRounds = 4

/** Looks after every anchor that is due: outside calls first, then one transaction for what they found. @returns how many looks */
export async function upgradeAnchors(deps: AnchorDeps, signal?: AbortSignal): Promise<number> {
  let looks = 0
  for (let round = 0; round < mostRounds; round += 1) {
    const due = await listDueAnchors(deps.db, deps.clock.now(), batch)
    for (const anchor of due) {
      if (signal?.aborted === true) return looks
      await (anchor.status === 'mined' ? watchBlock(deps, anchor) : pursue(deps, anchor, signal))
      looks += 1
    }
    if (due.length === 0) break
  }
  return looks
}

/** Hands it over, asks what became of it, and takes it into a block when a header that is vouched for says so. */
async function pursue(deps: AnchorDeps, anchor: AnchorRecord, signal: AbortSignal | undefined): Promise<void> {
  const finding = await (anchor.way === 'calendar' ? askCalendars(deps, anchor, signal) : workTransaction(deps, anchor))
  const failures = [...finding.failures]
  let mined: { tree: TimestampTree; block: AnchorBlock } | undefined
  for (const tree of finding.blocks) {
    try {
      mined ??= { tree, block: await blockOf(deps, tree) }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      failures.push(error)
    }
  }
  for (const { code, data } of failures) deps.log.warn({ anchor: anchor.id, ...data, code }, 'an anchor did not get on')
  const now = deps.clock.now()
  const events: [AnchorEventKind, AnchorEvent['data']][] = [
    ...finding.events.map(({ kind, data }): [AnchorEventKind, AnchorEvent['data']] => [kind, data]),
    ...failures.map(({ code, data }): [AnchorEventKind, AnchorEvent['data']] => ['failed', { ...data, code }]),
  ]
  const kept = {
    ...(finding.promise === undefined ? {} : { promise: writeTimestamp(finding.promise) }),
    ...(finding.transactions === undefined ? {} : { transactions: finding.transactions }),
  }
  if (mined !== undefined) {
    const { height, hash } = mined.block
    await write(deps, anchor, {
      change: {
        ...kept,
        status: 'mined',
        failures: 0,
        // Looked at again at once: it may be deep already.
        nextTryAt: now,
        mined: { proof: writeTimestamp(mined.tree), block: mined.block, at: now },
      },
      events: [...events, ['mined', { height, hash, sources: mined.block.sources.join(', ') }]],
    })
    return
  }
  if (isGivenUp(now, anchor.createdAt, deps.settings.giveUpDays)) {
    await write(deps, anchor, {
      change: { ...kept, status: 'given_up', failures: anchor.failures, nextTryAt: null },
      events: [...events, ['given_up', { days: deps.settings.giveUpDays }]],
    })
    return
  }
  const count = finding.failures.length > 0 && !finding.answered ? anchor.failures + 1 : 0
  const next = finding.goesOn === true ? now : nextTry(now, 'pending', count)
  await write(deps, anchor, { change: { ...kept, failures: count, nextTryAt: next }, events })
}

/** The block that the tree's end names must be known, and have that very Merkle root. @throws DomainError */
async function blockOf(deps: AnchorDeps, tree: TimestampTree): Promise<AnchorBlock> {
  const attested = attestationsOf(tree).find(({ attestation }) => attestation.kind === 'bitcoin')
  if (attested?.attestation.kind !== 'bitcoin') throw new RangeError('the tree ends in no block')
  const { height } = attested.attestation
  if (attested.operations.length > longestWay) throw anchorFailure('malformed', { host: 'calendar', reason: 'too_deep' })
  const block = await vouchedBlock(deps.sources, height)
  if (toHex(readBlockHeader(block.header).merkleRoot) !== toHex(attested.message))
    throw anchorFailure('wrong_block', { height, source: block.sources.join(', ') })
  return block
}

/** Waits until the block is deep enough, or has left the main chain. */
async function watchBlock(deps: AnchorDeps, anchor: AnchorRecord): Promise<void> {
  const { block } = anchor
  if (block === null) throw new Error(`anchor ${anchor.id} is mined without a block`)
  const now = deps.clock.now()
  try {
    const current = await vouchedBlock(deps.sources, block.height)
    if (current.hash !== block.hash) {
      deps.log.warn({ anchor: anchor.id, height: block.height }, 'the block of an anchor left the main chain')
      await write(deps, anchor, {
        change: { status: 'pending', failures: 0, nextTryAt: now, mined: null },
        events: [['reorganised', { height: block.height, hash: block.hash, instead: current.hash }]],
      })
      return
    }
    if (current.confirmations < deps.settings.confirmations) {
      await write(deps, anchor, { change: { failures: 0, nextTryAt: nextTry(now, 'mined', 0) }, events: [] })
      return
    }
    await write(deps, anchor, {
      change: { status: 'confirmed', failures: 0, nextTryAt: null, confirmedAt: now },
      events: [['confirmed', { height: block.height, hash: block.hash, confirmations: current.confirmations }]],
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const failures = anchor.failures + 1
    await write(deps, anchor, {
      change: { failures, nextTryAt: nextTry(now, 'mined', failures) },
      events: [['failed', { ...error.data, code: error.code }]],
    })
  }
}

async function write(
  deps: AnchorDeps,
  anchor: AnchorRecord,
  { change, events }: { change: AnchorChange; events: readonly (readonly [AnchorEventKind, AnchorEvent['data']])[] },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await changeAnchor(tx, anchor, change))) return
    const now = deps.clock.now()
    for (const [kind, data] of events) await insertAnchorEvent(tx, anchor.id, now, kind, data)
    if (events.length > 0) await deps.onProgress?.(tx)
    if (change.status === 'confirmed') await deps.onConfirmed(tx, anchor)
  })
}
