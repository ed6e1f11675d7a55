import { useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'

/** The server's time, renewed at each interval; for countdowns and elapsed seconds. */
export function useServerTime(interval: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}
