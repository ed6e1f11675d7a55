/** Inputs one after the other, in the order in which they came; of movements that wait, the last counts. */
export type InputQueue = {
  /** @returns false when too many wait */
  push(kind: string, run: () => Promise<void>): boolean
  /** Settles when nothing waits. */
  idle(): Promise<void>
}

export function createInputQueue(deps: { readonly most: number; readonly failed: (error: unknown) => void }): InputQueue {
  const queue: { readonly kind: string; readonly run: () => Promise<void> }[] = []
  let working: Promise<void> | null = null
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        await next.run()
      } catch (error) {
        deps.failed(error)
      }
    }
    working = null
  }
  return {
    push: (kind, run) => {
      if (kind === 'move' && queue.at(-1)?.kind === 'move') queue.pop()
      if (queue.length >= deps.most) return false
      queue.push({ kind, run })
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
