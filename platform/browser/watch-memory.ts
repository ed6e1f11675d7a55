import { followMemory } from './process-tree.ts'

export type MemoryWatch = {
  peakBytes(): number
  /** From now on at this interval, beginning now. */
  every(intervalMs: number): void
  stop(): void
}

export const memoryIntervalMs = 250

/**
 * Adds up the memory of a browser's processes at each interval and calls `onExceeded` once when it passes `limitBytes`.
 * Works for an ordinary user, who may write to no control group.
 */
export function watchMemory(
  root: number,
  limitBytes: number,
  onExceeded: (bytes: number) => void,
  intervalMs = memoryIntervalMs,
): MemoryWatch {
  const memory = followMemory(root)
  let peak = 0
  let interval = intervalMs
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(), interval)
  }
  const look = async () => {
    const bytes = await memory()
    peak = Math.max(peak, bytes)
    if (stopped) return
    if (bytes > limitBytes) {
      stopped = true
      clearTimeout(timer)
      onExceeded(bytes)
    } else later()
  }
  later()
  return {
    peakBytes: () => peak,
    every: (next) => {
      interval = next
      if (!stopped) later()
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
