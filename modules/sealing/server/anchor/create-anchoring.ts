/** The jobs and the questions of anchoring, made from the settings by a composition root. */
import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { AnchorConfig } from '../../../../platform/config/parts/sealing.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { defineJob, handle, type JobHandler } from '../../../../platform/jobs/jobs.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import type { KnownHeader } from '../../../verification/server/index.ts'
import type { AnchorDeps } from './anchor-deps.ts'
import { anchorLog } from './anchor-log.ts'
import { insertHeader, listHeaders } from './anchor-store.ts'
import { createBitcoinRpc, type BitcoinRpc } from './bitcoin-rpc.ts'
import { esploraSource, nodeSource, type BlockSource, type BlockSources } from './block-sources.ts'
import { upgradeAnchors } from './upgrade-anchors.ts'

const nothing = z.object({}).loose()
/** Every minute: whether there is anything to anchor, and the hour for it. */
export const anchorLogJob = defineJob('sealing.anchor_log', nothing)
/** Every minute: the anchors that are due. */
export const upgradeAnchorsJob = defineJob('sealing.upgrade_anchors', nothing)
export const anchorJobs = [anchorLogJob, upgradeAnchorsJob]
export const anchorCrontab = `* * * * * ${anchorLogJob.name}\n* * * * * ${upgradeAnchorsJob.name}`

const minute = 60_000
/** A worker has other things to do than to wait for strangers. */
const calendarTimeoutMs = 15_000
const replaceAfterMs = 6 * 60 * minute

export type AnchoringDeps = {
  readonly config: AnchorConfig
  /** `ip:port` of private addresses that may be called (PROBANT_ALLOW_ADDRESSES). */
  readonly allowAddresses: readonly string[]
}

type Callers = { readonly rpc: BitcoinRpc | null; readonly sources: BlockSources }

function callersOf({ config, allowAddresses }: AnchoringDeps): Callers {
  const rpc = config.node === null ? null : createBitcoinRpc(config.node)
  const rules = { allowAddresses, timeoutMs: calendarTimeoutMs }
  return {
    rpc,
    sources: {
      network: config.network,
      node: rpc === null ? null : nodeSource(rpc),
      explorers: config.explorers.map((url) => esploraSource(url, rules)),
    },
  }
}

export function anchorHandlers(
  deps: AnchoringDeps &
    Pick<AnchorDeps, 'db' | 'clock' | 'publicLog' | 'timestampers' | 'onConfirmed' | 'onProgress'> & { readonly log: Notes },
): JobHandler[] {
  const { config } = deps
  const { rpc, sources } = callersOf(deps)
  const anchoring: AnchorDeps = {
    ...deps,
    settings: {
      everyMs: config.everyMinutes * minute,
      confirmations: config.confirmations,
      giveUpDays: config.giveUpDays,
      maxFee: config.node?.maxFee ?? 0,
      replaceAfterMs,
    },
    calendars: { calendars: config.calendars, allowAddresses: deps.allowAddresses, timeoutMs: calendarTimeoutMs },
    payer: config.node?.pays === true ? rpc : null,
    sources,
  }
  return [
    handle(
      anchorLogJob,
      oneAtATime(async (signal) => {
        const begun = await anchorLog(anchoring, signal)
        if (begun > 0) deps.log.info({ begun }, 'a checkpoint of the public log is on its way into the Bitcoin chain')
      }),
    ),
    handle(
      upgradeAnchorsJob,
      oneAtATime(async (signal) => {
        await upgradeAnchors(anchoring, signal)
      }),
    ),
  ]
}

/** Calendars that hang must not take, minute after minute, all the places that seals and reports need. */
function oneAtATime(work: (signal: AbortSignal) => Promise<void>) {
  let isBusy = false
  return async (_payload: unknown, { signal }: { readonly signal: AbortSignal }): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      await work(signal)
    } finally {
      isBusy = false
    }
  }
}

/** Whether anything is anchored at all: else nothing is ever said to be pending. */
export function isAnchoring({ calendars, node }: AnchorConfig): boolean {
  return calendars.length > 0 || node?.pays === true
}

/** Whoever may have proofs verified here could have us ask explorers without end: so many heights a minute, for all of them together. */
const mostLookUps = 60

/** Blocks on one, itself included, from which no re-organisation has ever taken it: its header is kept. */
const settledDepth = 100

/**
 * Headers at a height by who gives them: those kept, else what each source answers now. A source that fails is left out; none that is
 * not of enough work is told.
 */
export function createBlockHeaders(
  deps: AnchoringDeps & { readonly db: Db; readonly clock: Clock; readonly log: Notes },
): (height: number) => Promise<readonly KnownHeader[]> {
  const { sources } = callersOf(deps)
  const all = [...(sources.node === null ? [] : [sources.node]), ...sources.explorers]
  let since = 0
  let lookUps = 0
  return async (height) => {
    if (!Number.isSafeInteger(height) || height < 0 || height > 0x7fffffff) return []
    const kept = (await listHeaders(deps.db, height)).filter(({ source }) => all.some(({ name }) => name === source))
    if (kept.length > 0) return kept.map(({ source, header }) => ({ height, header, source }))
    const at = deps.clock.now().getTime()
    if (at - since >= minute) [since, lookUps] = [at, 0]
    lookUps += 1
    if (lookUps > mostLookUps) return []
    const found = await Promise.all(all.map(async (source) => await askOne(deps, source, height)))
    return found.flatMap((each) => (each === null ? [] : [each]))
  }
}

async function askOne(
  { db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Notes },
  source: BlockSource,
  height: number,
): Promise<KnownHeader | null> {
  try {
    const tip = await source.tip()
    const header = height > tip ? null : await source.header(height)
    if (header === null) return null
    if (tip - height + 1 >= settledDepth) await insertHeader(db, { height, source: source.name, header }, clock.now())
    return { height, header, source: source.name }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    log.warn({ source: source.name, height, code: error.code }, 'a block header was not given')
    return null
  }
}
