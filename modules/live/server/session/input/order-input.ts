/** Inputs one after the other, in the order in which they came; of movements that wait, the last counts. */
export type InputQueue = {
  /**
   * @param bytes what it holds while it waits, when that may be much
   * @returns false when too many wait, or too much
   */
  push(kind: string, run: () => Promise<void>, bytes?: number): boolean
  /** Settles when nothing waits. */
  idle(): Promise<void>
}

export function createInputQueue(deps: {
  readonly most: number
  readonly mostBytes?: number
  readonly failed: (error: unknown) => void
}): InputQueue {
  const { most, mostBytes = Infinity } = deps
  const queue: { readonly kind: string; readonly run: () => Promise<void>; readonly bytes: number }[] = []
  let waiting = 0
  let working: Promise<void> | null = null
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      waiting -= next.bytes
      try {
        await next.run()
      } catch (error) {
        deps.failed(error)
      }
    }
    working = null
  }
  return {
    push: (kind, run, bytes = 0) => {
      if (kind === 'move' && queue.at(-1)?.kind === 'move') queue.pop()
      if (queue.length >= most || waiting + bytes > mostBytes) return false
      waiting += bytes
      queue.push({ kind, run, bytes })
      working ??= work()
      return true
    },
    idle: async () => {
      await working
      // What was pushed in between is being worked on.
      await working
    },
  }
}
