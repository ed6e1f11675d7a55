import type { Clock } from '../../kernel/clock.ts'
import { DomainError } from '../../kernel/errors.ts'
import { listen } from '../db/listen.ts'
import type { Log } from '../log/log.ts'

/** What something that is open hangs on. */
export type Ground = {
  /** Of session or key, user, account, delegation, evidence, witness …: a notice that names one of them has it asked again. */
  readonly ids: readonly string[]
  /**
   * What was asked when it was let in, asked again. @returns until when that holds at most; null: until a notice
   * @throws DomainError why it holds no more
   */
  readonly ask: () => Promise<Date | null>
}

/** Something that is open: a stream, a socket, an upload. */
export type Admission = {
  /** Aborted, with the DomainError that says why, once what admitted it has ended. */
  readonly signal: AbortSignal
  /** From now on it hangs on this too. */
  readonly hangOn: (ground: Ground) => void
  /** It is over by itself. */
  readonly release: () => void
}

/** All that is open in this process, each with what admitted it (decision 0330). */
export type Admissions = {
  /** Each ground is asked once more as soon as it is held: what ended since it was asked first was announced to nobody. */
  hold(...grounds: readonly Ground[]): Admission
  /** Something ended that concerns that id. */
  announce(id: string): void
  /** Whether notices may be missed: until they are heard again, and once more then, everything is asked again and again. */
  setDeaf(deaf: boolean): void
  /** How much is held. */
  count(): number
}

type Entry = {
  readonly grounds: Ground[]
  readonly ending: AbortController
  until: number | null
  asking: boolean
  /** Since when nobody answers; null: the last question was answered. On the monotonic clock, milliseconds. */
  unansweredSince: number | null
}

/** How often ends that were known in advance are looked for. */
const tickMs = 250
/** A database that does not answer ends nothing at once: the process may have lost it for a moment only. */
const unansweredMs = 15_000
/** Others use the connections to the database, too. */
const mostQuestions = 4

const answers = ({ kind }: DomainError) => kind !== 'unavailable' && kind !== 'limited'

export function createAdmissions({
  clock,
  log,
  most = mostQuestions,
}: {
  readonly clock: Clock
  readonly log: Log
  readonly most?: number
}): Admissions {
  const all = new Set<Entry>()
  const byId = new Map<string, Set<Entry>>()
  const doubted = new Set<Entry>()
  let questions = 0
  let deaf = false
  let ticking: NodeJS.Timeout | undefined

  function index(entry: Entry, { ids }: Ground): void {
    for (const id of ids) byId.set(id, (byId.get(id) ?? new Set()).add(entry))
  }

  function release(entry: Entry): void {
    if (!all.delete(entry)) return
    doubted.delete(entry)
    for (const id of entry.grounds.flatMap(({ ids }) => ids)) {
      const set = byId.get(id)
      set?.delete(entry)
      if (set?.size === 0) byId.delete(id)
    }
    if (all.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  function end(entry: Entry, why: DomainError): void {
    if (!all.has(entry)) return
    release(entry)
    entry.ending.abort(why)
  }

  function doubt(entry: Entry): void {
    doubted.add(entry)
    askNext()
  }

  function askNext(): void {
    for (const entry of doubted) {
      if (questions >= most) return
      if (entry.asking) continue
      doubted.delete(entry)
      entry.asking = true
      questions += 1
      void ask(entry).finally(() => {
        entry.asking = false
        questions -= 1
        askNext()
      })
    }
  }

  async function ask(entry: Entry): Promise<void> {
    try {
      let until: number | null = null
      // One may be added meanwhile: it is asked too.
      for (const ground of entry.grounds) {
        const at = (await ground.ask())?.getTime() ?? null
        until = at === null || until === null ? (until ?? at) : Math.min(until, at)
      }
      entry.until = until
      entry.unansweredSince = null
    } catch (error) {
      if (error instanceof DomainError && answers(error)) return end(entry, error)
      log.warn({ err: error }, 'whether something that is open may stay so could not be asked')
      entry.unansweredSince ??= performance.now()
    }
  }

  function tick(): void {
    const [now, monotonic] = [clock.now().getTime(), performance.now()]
    for (const entry of all) {
      const { until, unansweredSince } = entry
      if (unansweredSince !== null && monotonic - unansweredSince > unansweredMs)
        end(entry, new DomainError('unavailable', 'http.unavailable'))
      else if (deaf || unansweredSince !== null || (until !== null && until <= now)) doubt(entry)
    }
  }

  return {
    hold(...grounds) {
      const ending = new AbortController()
      const entry: Entry = { grounds: [], ending, until: null, asking: false, unansweredSince: null }
      all.add(entry)
      ticking ??= setInterval(tick, tickMs).unref()
      const hangOn = (ground: Ground) => {
        if (!all.has(entry)) return
        entry.grounds.push(ground)
        index(entry, ground)
        doubt(entry)
      }
      for (const ground of grounds) hangOn(ground)
      return { signal: ending.signal, hangOn, release: () => release(entry) }
    },
    announce(id) {
      for (const entry of byId.get(id) ?? []) doubt(entry)
    },
    setDeaf(now) {
      deaf = now
      for (const entry of all) doubt(entry)
    },
    count: () => all.size,
  }
}

/** Hears of every right that ends, in whatever process (`db/migrations/0041_rights.sql`), until closed. */
export async function openAdmissions({
  databaseUrl,
  ...deps
}: {
  readonly databaseUrl: string
  readonly clock: Clock
  readonly log: Log
}): Promise<Admissions & { close(): Promise<void> }> {
  const admissions = createAdmissions(deps)
  const listener = await listen(databaseUrl, 'rights', (id) => admissions.announce(id), {
    log: deps.log,
    onLost: () => admissions.setDeaf(true),
    onReconnect: () => admissions.setDeaf(false),
  })
  return { ...admissions, close: async () => await listener.close() }
}
