import { DomainError } from '../../../../kernel/errors.ts'

/** How much of this process uploads may take: files are rendered few at a time, and one person does not take all of it. */
export type Turns = {
  /** @throws DomainError `review.busy` with `seconds` */
  forPerson<T>(userId: string, run: () => Promise<T>): Promise<T>
  /** Waits for its turn. @throws DomainError `review.busy` when too many wait */
  toRender<T>(run: () => Promise<T>): Promise<T>
}

const busy = () => new DomainError('limited', 'review.busy', { seconds: 10 })

export function createTurns(bounds: { perPerson: number; rendering: number; waiting: number }): Turns {
  const people = new Map<string, number>()
  let rendering = 0
  const queue: (() => void)[] = []
  return {
    async forPerson(userId, run) {
      const held = people.get(userId) ?? 0
      if (held >= bounds.perPerson) throw busy()
      people.set(userId, held + 1)
      try {
        return await run()
      } finally {
        const left = (people.get(userId) ?? 1) - 1
        if (left === 0) people.delete(userId)
        else people.set(userId, left)
      }
    },
    async toRender(run) {
      if (rendering >= bounds.rendering) {
        if (queue.length >= bounds.waiting) throw busy()
        // Whoever ends hands his place over.
        await new Promise<void>((resolve) => queue.push(resolve))
      } else rendering += 1
      try {
        return await run()
      } finally {
        const next = queue.shift()
        if (next === undefined) rendering -= 1
        else next()
      }
    },
  }
}
