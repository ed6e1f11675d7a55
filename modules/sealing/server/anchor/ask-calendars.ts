import { DomainError } from '../../../../kernel/errors.ts'
import { attestationsOf, graft, mergeTrees, type TimestampTree } from '../../../verification/server/index.ts'
import type { AnchorDeps } from './anchor-deps.ts'
import type { AnchorRecord } from './anchor-store.ts'
import { askUpgrade, submitDigest, withoutSlash } from './calendar-client.ts'
import { hostOf } from '../connections/exchange.ts'
import { nothingFound, oneWay, storedTree, type Finding } from './finding.ts'

/** Calendars that an anchor is left with: one may vanish with its promise. */
const wanted = 2

/**
 * Hands the commitment to calendars until two have promised it, and asks those that did what became of it. What a calendar says goes
 * into no proof before a block's header agrees with it: the promise alone is kept.
 */
export async function askCalendars(deps: AnchorDeps, anchor: AnchorRecord, signal: AbortSignal | undefined): Promise<Finding> {
  const { calendars: rules } = deps
  // Switched off since: what calendars promised before can no longer be asked for.
  if (rules === null) return nothingFound
  const asked = { ...rules, signal }
  const failures: DomainError[] = []
  const events: Finding['events'][number][] = []
  let answered = false
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      const answer = await work()
      answered = true
      return answer
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      failures.push(error)
      return undefined
    }
  }

  let promise = storedTree(anchor, anchor.promise)
  const promised = promise === null ? [] : promisesOf(promise).map(({ uri }) => uri)
  const others = rules.calendars.filter((calendar) => !promised.includes(calendar))
  let missing = wanted - promised.length
  while (missing > 0 && others.length > 0) {
    // As many at once as are missing: one that hangs costs its time-out once.
    const answers = await Promise.all(
      others.splice(0, missing).map(async (calendar) => ({
        calendar,
        tree: await attempt(async () => await submitDigest(calendar, anchor.commitment, asked)),
      })),
    )
    for (const { calendar, tree } of answers) {
      if (tree === undefined) continue
      promise = promise === null ? tree : mergeTrees(promise, tree)
      missing -= 1
      events.push({ kind: 'submitted', data: { calendar: hostOf(calendar) } })
    }
  }
  if (promise === null) return { blocks: [], events, failures, answered }

  const blocks: TimestampTree[] = []
  const known = promisesOf(promise).filter(({ uri }) => rules.calendars.includes(uri))
  const upgrades = await Promise.all(
    known.map(async ({ uri, message }) => await attempt(async () => await askUpgrade(uri, message, asked))),
  )
  for (const found of upgrades) {
    if (found == null) continue
    const whole = graft(promise, found)
    for (const attested of attestationsOf(whole))
      if (attested.attestation.kind === 'bitcoin') blocks.push(oneWay(whole, attested))
  }
  return { promise, blocks: earliestFirst(blocks), events, failures, answered }
}

function promisesOf(tree: TimestampTree): { uri: string; message: Uint8Array }[] {
  return attestationsOf(tree).flatMap(({ attestation, message }) =>
    attestation.kind === 'pending' ? [{ uri: withoutSlash(attestation.uri), message }] : [],
  )
}

function earliestFirst(trees: readonly TimestampTree[]): TimestampTree[] {
  const heightOf = (tree: TimestampTree): number => {
    const [attested] = attestationsOf(tree)
    return attested?.attestation.kind === 'bitcoin' ? attested.attestation.height : 0
  }
  return trees.toSorted((a, b) => heightOf(a) - heightOf(b))
}
