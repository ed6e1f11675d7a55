import { createHash, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { writeEnvelope } from '../../../../kernel/envelope.ts'
import { framesOf, scrubMessage, scrubName, type ErrorFrame } from '../../../../kernel/reported-error.ts'

/** One error is told once an hour, and no more than so many in a minute; the log has them all. */
const quietMs = 3_600_000
const mostPerMinute = 20
const mostKinds = 1000
const patienceMs = 5000

const frame = z.object({ file: z.string(), name: z.string(), line: z.int(), column: z.int() })
/** Of a line of the log, what is told further. */
const entry = z.object({
  level: z.number(),
  time: z.number(),
  role: z.string().optional(),
  msg: z.string().optional(),
  err: z.object({ type: z.string().optional(), message: z.string().optional(), stack: z.string().optional() }).optional(),
  page_error: z
    .object({ name: z.string(), message: z.string(), page: z.string(), browser: z.string(), frames: z.array(frame) })
    .optional(),
})
type Entry = z.infer<typeof entry>

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A file of this program, below its folder; where the folder is says nothing to anybody. */
function ownFile(address: string): string | null {
  const path = address.startsWith('file://') ? fileURLToPath(address) : address
  if (path.startsWith('node:')) return path
  return path.startsWith(root) ? path.slice(root.length) : null
}

/** As develop.sentry.dev/sdk/foundations/data-model/event-payloads has it: the frame that failed comes last. */
function eventOf(said: Entry, id: string, release: string, environment: string): object {
  const { err, page_error: page } = said
  const frames: readonly ErrorFrame[] = page?.frames ?? framesOf(err?.stack ?? '', ownFile)
  const stacktrace = {
    frames: frames.toReversed().map(({ file, name, line, column }) => ({
      filename: file,
      ...(name === '' ? {} : { function: name }),
      lineno: line,
      colno: column,
      in_app: !file.startsWith('node'),
    })),
  }
  const what = page ?? { name: scrubName(err?.type ?? 'Error'), message: scrubMessage(err?.message ?? '') }
  return {
    event_id: id,
    timestamp: said.time / 1000,
    platform: page === undefined ? 'node' : 'javascript',
    level: said.level >= 60 ? 'fatal' : 'error',
    release,
    environment,
    logger: said.role ?? '',
    ...(page === undefined ? {} : { transaction: page.page, tags: { browser: page.browser } }),
    logentry: { formatted: scrubMessage(said.msg ?? '') },
    ...(page === undefined && err === undefined
      ? {}
      : {
          exception: { values: [{ type: what.name, value: what.message, stacktrace: frames.length === 0 ? null : stacktrace }] },
        }),
  }
}

/** What makes one error the same as another. */
function kindOf(event: object): string {
  const { exception, logentry } = event as { exception?: unknown; logentry: unknown }
  return createHash('sha256')
    .update(JSON.stringify([exception, logentry]))
    .digest('base64url')
}

export type ErrorReports = {
  /** @param line of the log, as JSON */
  take(line: string): void
  /** What was taken is told, or could not be. */
  settled(): Promise<void>
}

/**
 * T-05: tells whoever the operator has set up of each error in the log, scrubbed. What cannot be told is in the log all the same: nothing
 * waits for it, and nothing fails with it.
 */
export function openErrorReports(options: {
  readonly address: string
  readonly release: string
  readonly environment: string
  readonly clock: Clock
}): ErrorReports {
  const told = new Map<string, number>()
  const underway = new Set<Promise<void>>()
  let minute = { from: 0, count: 0 }
  const mayTell = (kind: string, now: number): boolean => {
    const last = told.get(kind)
    if (last !== undefined && now - last < quietMs) return false
    if (now - minute.from >= 60_000) minute = { from: now, count: 0 }
    if (minute.count >= mostPerMinute) return false
    minute = { from: minute.from, count: minute.count + 1 }
    told.delete(kind)
    if (told.size >= mostKinds) for (const oldest of [...told.keys()].slice(0, mostKinds / 10)) told.delete(oldest)
    told.set(kind, now)
    return true
  }
  const send = async (body: string): Promise<void> => {
    try {
      const answer = await fetch(options.address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-sentry-envelope' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      })
      await answer.body?.cancel()
    } catch {
      // It stands in the log.
    }
  }
  return {
    take(line) {
      const said = entry.safeParse(JSON.parse(line))
      if (!said.success || said.data.level < 50) return
      const now = options.clock.now()
      const id = randomUUID().replaceAll('-', '')
      const event = eventOf(said.data, id, options.release, options.environment)
      if (!mayTell(kindOf(event), now.getTime())) return
      const sending = send(writeEnvelope(id, now, [{ type: 'event', payload: JSON.stringify(event) }]))
      underway.add(sending)
      void sending.finally(() => underway.delete(sending))
    },
    async settled() {
      await Promise.all(underway)
    },
  }
}
