/** `/service_status/` and what the status page is filled with: only what was measured, at most some seconds ago. */
import type { Clock } from '../../../kernel/clock.ts'
import { defaultLocale, type Locale } from '../../../kernel/locale.ts'
import { statusParts, statusWords, type PageStatus, type StatusPart } from '../../../kernel/page-status.ts'
import { utcInstant } from '../../../kernel/utc-instant.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { PageFacts } from '../../../platform/http/pages/web-app.ts'
import { route, type Route } from '../../../platform/http/route.ts'
import { readQueue, type QueuedJobs } from '../../../platform/jobs/queue-store.ts'
import { readRetried } from '../../../platform/jobs/retried-store.ts'
import { createMessages } from '../../../platform/messages/messages.ts'
import { countServers } from '../../capture/server/index.ts'
import { listAuthorities, readPublication } from '../../sealing/server/index.ts'
import { readServiceStatus, type ServiceStatus } from '../contract/status.ts'
import { stateOf, type StatusFacts } from '../domain/status.ts'

export type StatusDeps = { readonly db: Db; readonly clock: Clock; readonly isAnchoring: boolean }

/** However many ask, the installation is looked at once meanwhile. */
const keptMs = 10_000

type Measured = { readonly at: Date; readonly facts: StatusFacts | null }

const longer = (longest: number | null, { oldestSeconds }: QueuedJobs): number | null =>
  oldestSeconds === null ? longest : Math.max(longest ?? 0, oldestSeconds)

async function measure({ db, clock, isAnchoring }: StatusDeps): Promise<Measured> {
  const at = clock.now()
  try {
    const [queue, mail, capture, authorities, published] = await Promise.all([
      readQueue(db),
      readRetried(db, '%mail%'),
      countServers(db),
      listAuthorities(db),
      readPublication(db),
    ])
    const { head, enteredAt, uncovered, anchors } = published
    const asked = authorities.map(({ checkedAt }) => checkedAt.getTime())
    return {
      at,
      facts: {
        queue: { waiting: queue.reduce((sum, { waiting }) => sum + waiting, 0), oldestSeconds: queue.reduce(longer, null) },
        capture,
        authorities: {
          known: authorities.length,
          answered: authorities.filter(({ state }) => state !== 'silent').length,
          at: asked.length === 0 ? null : new Date(Math.min(...asked)),
        },
        log: { size: head?.size ?? 0, headAt: head?.at ?? null, uncovered, enteredAt },
        anchoring: { on: isAnchoring, ...anchors },
        mail: { failed: mail.count, oldestSeconds: mail.oldestSeconds },
      },
    }
  } catch {
    // Whoever asks is told that it does not work; why is the operator's, in his log of the database.
    return { at, facts: null }
  }
}

const seconds = (value: number | null) => (value === null ? null : Math.round(value))
const iso = (at: Date | null) => at?.toISOString() ?? null

function factsOf(part: StatusPart, facts: StatusFacts): Record<string, number | string | null> {
  switch (part) {
    case 'web':
      return {}
    case 'queue':
      return { waiting: facts.queue.waiting, oldest_seconds: seconds(facts.queue.oldestSeconds) }
    case 'capture':
      return { servers: facts.capture.alive, ready: facts.capture.ready }
    case 'authorities':
      return { asked: facts.authorities.known, answered: facts.authorities.answered, asked_at: iso(facts.authorities.at) }
    case 'log':
      return { entries: facts.log.size, published_at: iso(facts.log.headAt), unpublished: facts.log.uncovered }
    case 'anchoring':
      return { waiting: facts.anchoring.waiting, confirmed_at: iso(facts.anchoring.confirmedAt) }
    // Of mail.
    default:
      return { failed: facts.mail.failed, oldest_seconds: seconds(facts.mail.oldestSeconds) }
  }
}

/** In the time of nobody in particular: UTC, and said so. */
const instant = (at: Date, locale: Locale) => utcInstant(at.toISOString(), locale)

function present({ at, facts }: Measured, locale: Locale): ServiceStatus {
  const messages = createMessages(locale)
  const parts = statusParts.map((part) => {
    const state = stateOf(part, facts, at)
    const measured = facts === null ? {} : factsOf(part, facts)
    const values = Object.fromEntries(
      Object.entries(measured).map(([name, value]) => [
        name === 'oldest_seconds' ? 'minutes' : name,
        typeof value === 'string'
          ? instant(new Date(value), locale)
          : name === 'oldest_seconds'
            ? Math.ceil((value ?? 0) / 60)
            : (value ?? 'none'),
      ]),
    )
    return {
      part,
      state,
      word: messages.format(`site.status.state.${state}`),
      measured: facts === null || state === 'off' ? '' : messages.format(`site.status.${part}.measured`, values),
      facts: measured,
    }
  })
  return {
    looked_at: at.toISOString(),
    text: messages.format('site.status.looked_at', { at: instant(at, locale) }),
    parts,
  }
}

export type ReadStatus = (locale: Locale) => Promise<ServiceStatus>

export function createStatus(deps: StatusDeps): ReadStatus {
  let kept: { readonly until: number; readonly measured: Promise<Measured> } | null = null
  return async (locale) => {
    const now = deps.clock.now().getTime()
    if (kept === null || kept.until <= now) kept = { until: now + keptMs, measured: measure(deps) }
    return present(await kept.measured, locale)
  }
}

/** What its page is sent with. */
export const tellStatus = (status: PageStatus): PageFacts => ({ data: status, words: statusWords(status) })

export function statusRoutes(read: ReadStatus): Route[] {
  return [
    route(readServiceStatus, async ({ query, reply }) => {
      reply.header('cache-control', 'public, max-age=10')
      return await read(query.language ?? defaultLocale)
    }),
  ]
}
