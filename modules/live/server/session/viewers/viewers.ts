/** Who looks at a live session, and who steers it: one controller at a time, any number of watchers and invited witnesses. */
import type { InteractiveFacts } from '../../../../capture/server/index.ts'
import { liveClose, type LiveOutput, type LiveRole } from '../../../contract/live.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Leaving, Viewer } from './viewer.ts'

export type Viewers = {
  join(viewer: Viewer): LiveRole
  leave(viewer: Viewer, how?: Leaving): void
  roleOf(viewer: Viewer): LiveRole | null
  /** As the timeline names it; null for witnesses. */
  numberOf(viewer: Viewer): number | null
  /** A watcher takes over; the controller becomes a watcher. False for witnesses. */
  takeControl(viewer: Viewer): boolean
  /** Somebody steered, and nobody does. */
  isAway(): boolean
  controller(): Viewer | null
  all(): readonly Viewer[]
  send(viewer: Viewer, message: LiveOutput): void
  broadcast(message: LiveOutput): void
  countersign(viewer: Viewer, name: string, statement: string): { readonly name: string; readonly at: string } | null
  close(code: number, reason: string): void
  facts(): Pick<InteractiveFacts, 'absences' | 'hand_overs' | 'witnesses'>
}

/** More than this many look at no session. */
export const mostViewers = 20
const mostListed = 500
/** One that is well says something every four seconds (evidence: live/connection.ts). */
const aliveMs = 6_000

type Watched = {
  label: string
  watched: { from_ms: number; to_ms: number }[]
  since: number | null
  connections: Set<string>
  countersigned: { ms: number; at: string; name: string; statement: string } | null
}

export function createViewers(deps: {
  readonly timeline: Timeline
  /** The one who steers is another one, or nobody: whatever is held down goes up. */
  readonly controllerChanged: (controller: Viewer | null) => void
}): Viewers {
  const { timeline } = deps
  const viewers = new Map<string, { readonly viewer: Viewer; role: LiveRole; readonly number: number | null }>()
  const numbers = new Map<string, number>()
  const witnesses = new Map<string, Watched>()
  const absences: { from_ms: number; to_ms: number }[] = []
  const handOvers: { ms: number; viewer: number }[] = []
  let absentSince: number | null = null
  let steering: string | null = null
  let signatures = 0

  const broadcast = (message: LiveOutput) => {
    for (const { viewer } of viewers.values()) viewer.send(message)
  }
  const tellWho = () => {
    const roles = [...viewers.values()]
    broadcast({
      type: 'viewers',
      controllers: roles.filter(({ role }) => role === 'controller').length,
      watchers: roles.filter(({ role }) => role === 'watcher').length,
      witnesses: [...new Set(roles.flatMap(({ viewer }) => viewer.witness?.label ?? []))].slice(0, 50),
    })
  }
  const steer = (
    next: { readonly viewer: Viewer; role: LiveRole; readonly number: number | null } | null,
    ms = timeline.ms(),
  ) => {
    const before = steering === null ? undefined : viewers.get(steering)
    if (before !== undefined && before !== next) {
      before.role = 'watcher'
      before.viewer.send({ type: 'role', role: 'watcher' })
    }
    steering = next?.viewer.id ?? null
    if (next === null) absentSince ??= ms
    else {
      next.role = 'controller'
      if (absentSince !== null && absences.length < mostListed) absences.push({ from_ms: absentSince, to_ms: ms })
      absentSince = null
      const number = next.number ?? 0
      if (handOvers.at(-1)?.viewer !== number && handOvers.length < mostListed) handOvers.push({ ms, viewer: number })
      timeline.add('viewer', { act: 'controls', viewer: number })
    }
    deps.controllerChanged(next?.viewer ?? null)
  }
  /** Of those present. */
  const lastToSteer = () => {
    const present = new Map([...viewers.values()].map((entry) => [entry.number, entry]))
    const last = handOvers.findLast(({ viewer }) => present.has(viewer))
    return last === undefined ? null : (present.get(last.viewer) ?? null)
  }
  absentSince = 0

  return {
    join: (viewer) => {
      const known = viewers.get(viewer.id)
      if (known !== undefined) return known.role
      if (viewers.size >= mostViewers) {
        viewer.close(liveClose.refused, 'too many viewers')
        return 'watcher'
      }
      if (viewer.witness !== null) {
        viewers.set(viewer.id, { viewer, role: 'witness', number: null })
        const { id, label } = viewer.witness
        const watched = witnesses.get(id) ?? { label, watched: [], since: null, connections: new Set(), countersigned: null }
        watched.connections.add(viewer.id)
        watched.since ??= timeline.ms()
        witnesses.set(id, watched)
        timeline.add('witness', { act: 'joins', witness: label })
        tellWho()
        return 'witness'
      }
      numbers.set(viewer.id, numbers.size + 1)
      const entry = { viewer, role: 'watcher' as LiveRole, number: numbers.size }
      viewers.set(viewer.id, entry)
      timeline.add('viewer', { act: 'joins', viewer: numbers.size, wants: viewer.role })
      // Whoever opens the session steers it, unless it asked to look on.
      if (viewer.role === 'controller') steer(entry)
      tellWho()
      return entry.role
    },
    leave: (viewer, how = { silentMs: 0 }) => {
      const entry = viewers.get(viewer.id)
      if (entry === undefined || !viewers.delete(viewer.id)) return
      // Somebody whose connection died without a word was there no longer than it was heard of.
      const shutOut = 'shutOut' in how
      const last = !shutOut && how.silentMs > aliveMs ? Math.max(0, timeline.ms() - how.silentMs) : null
      const act = shutOut ? 'shut_out' : 'leaves'
      const ms = last ?? timeline.ms()
      const said = last === null ? {} : { last_sign_ms: last }
      if (viewer.witness !== null) {
        const watched = witnesses.get(viewer.witness.id)
        watched?.connections.delete(viewer.id)
        if (watched !== undefined && watched.connections.size === 0 && watched.since !== null) {
          if (watched.watched.length < mostListed)
            watched.watched.push({ from_ms: watched.since, to_ms: Math.max(watched.since, ms) })
          watched.since = null
        }
        timeline.add('witness', { act, witness: viewer.witness.label, ...said })
      } else timeline.add('viewer', { act, viewer: entry.number, ...said })
      if (steering === viewer.id) {
        // Whoever steered before has it back: he did not give it to somebody who may not have it.
        const before = shutOut ? lastToSteer() : null
        steer(before, ms)
        before?.viewer.send({ type: 'role', role: 'controller' })
      }
      tellWho()
    },
    numberOf: (viewer) => viewers.get(viewer.id)?.number ?? null,
    roleOf: (viewer) => viewers.get(viewer.id)?.role ?? null,
    takeControl: (viewer) => {
      const entry = viewers.get(viewer.id)
      if (entry === undefined || entry.role === 'witness') return false
      if (entry.role !== 'controller') {
        steer(entry)
        viewer.send({ type: 'role', role: 'controller' })
        tellWho()
      }
      return true
    },
    isAway: () => absentSince !== null && handOvers.length > 0,
    controller: () => (steering === null ? null : (viewers.get(steering)?.viewer ?? null)),
    all: () => [...viewers.values()].map(({ viewer }) => viewer),
    send: (viewer, message) => {
      if (viewers.has(viewer.id)) viewer.send(message)
    },
    broadcast,
    countersign: (viewer, name, statement) => {
      const watched = viewer.witness === null ? undefined : witnesses.get(viewer.witness.id)
      if (watched === undefined || signatures >= mostListed) return null
      signatures += 1
      const ms = timeline.ms()
      watched.countersigned = { ms, at: timeline.at(ms), name, statement }
      timeline.add('witness', { act: 'countersigns', witness: watched.label, name, statement })
      return { name, at: watched.countersigned.at }
    },
    close: (code, reason) => {
      for (const { viewer } of viewers.values()) viewer.close(code, reason)
    },
    facts: () => {
      const ms = timeline.ms()
      return {
        absences: absentSince !== null && ms > absentSince ? [...absences, { from_ms: absentSince, to_ms: ms }] : absences,
        hand_overs: handOvers,
        witnesses: [...witnesses.values()].map(({ label, watched, since, countersigned }) => ({
          label,
          watched: since === null ? watched : [...watched, { from_ms: since, to_ms: ms }],
          countersigned,
        })),
      }
    },
  }
}
