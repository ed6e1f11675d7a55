import { useEffect, useState } from 'react'
import { onServerTime, serverNow } from './server-clock.ts'

/**
 * The server's time, renewed at each interval, for countdowns and elapsed seconds; and as soon as an answer tells that it is another.
 * @param interval null: of the moment when the page began, and stays
 */
export function useServerTime(interval: number | null): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const look = () => setNow(serverNow())
    const end = onServerTime(look)
    const timer = interval === null ? undefined : setInterval(look, interval)
    return () => {
      end()
      clearInterval(timer)
    }
  }, [interval])
  return now
}
