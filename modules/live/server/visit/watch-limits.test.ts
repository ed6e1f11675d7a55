import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import type { TunnelEvents } from '../../../capture/server/network/tunnel-events.ts'
import type { Timeline } from '../session/timeline/timeline.ts'
import { watchLimits } from './watch-limits.ts'

test('C-30: that a session has nearly carried what it may is said once, and that it has, by what was cut', () => {
  vi.useFakeTimers()
  try {
    const events = new EventEmitter<TunnelEvents>()
    let bytes = 0
    const told: unknown[] = []
    const lines: unknown[] = []
    const stop = watchLimits({
      tunnel: { events, totals: () => ({ bytes_sent: 0, bytes_received: bytes }) as never },
      limitBytes: 1_000,
      timeline: { add: (_type: string, { code }: { code: string }) => void lines.push(code) } as unknown as Timeline,
      tell: (code, data) => void told.push([code, data]),
    })
    vi.advanceTimersByTime(5_000)
    bytes = 900
    vi.advanceTimersByTime(5_000)
    events.emit('closed', { cut: 'bytes_per_connection', refusal: null } as never)
    expect(told).toEqual([['limit_bytes_near', { bytes: 900, limit_bytes: 1_000 }]])
    events.emit('closed', { cut: 'bytes_total', refusal: null } as never)
    events.emit('refused', { cut: null, refusal: { reason: 'bytes_total' } } as never)
    expect(lines).toEqual(['limit_bytes_near', 'limit_bytes'])
    stop()
    expect([vi.getTimerCount(), events.listenerCount('closed'), events.listenerCount('refused')]).toEqual([0, 0, 0])
  } finally {
    vi.useRealTimers()
  }
})
