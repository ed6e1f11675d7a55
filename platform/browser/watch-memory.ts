import { processTree } from './process-tree.ts'

export type MemoryWatch = { peakBytes(): number; stop(): void }

/**
 * Adds up the memory of a browser's processes at each `intervalMs` and calls `onExceeded` once when it passes `limitBytes`.
 * Works for an ordinary user, who may write to no control group.
 */
export function watchMemory(
  root: number,
  limitBytes: number,
  onExceeded: (bytes: number) => void,
  intervalMs = 250,
): MemoryWatch {
  let peak = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const bytes = (await processTree(root)).reduce((sum, entry) => sum + entry.bytes, 0)
    peak = Math.max(peak, bytes)
    if (stopped) return
    if (bytes > limitBytes) {
      stopped = true
      onExceeded(bytes)
    } else timer = setTimeout(() => void look(), intervalMs)
  }
  timer = setTimeout(() => void look(), intervalMs)
  return {
    peakBytes: () => peak,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
