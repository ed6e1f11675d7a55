import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LiveSession } from './live-session.ts'
import type { LiveView } from './live-view.ts'

export function useLiveView(session: LiveSession): LiveView {
  return useSyncExternalStore(session.subscribe, session.get)
}

/** Milliseconds until `endsAt` (of `performance.now()`), renewed often enough that no second is skipped; null while nothing runs. */
export function useTimeLeft(endsAt: number | null): number | null {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (endsAt === null) return undefined
    const timer = setInterval(() => setNow(performance.now()), 250)
    return () => clearInterval(timer)
  }, [endsAt])
  return endsAt === null ? null : Math.max(0, endsAt - now)
}
