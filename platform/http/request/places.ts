import { DomainError } from '../../../kernel/errors.ts'

/** How many of something dear this process does at a time, and of them for one person. */
export type Places = {
  /** @returns what gives the place back. @throws DomainError what `busy` names, with `seconds` */
  take(userId: string): () => void
}

export function createPlaces({
  most,
  ofOne,
  busy,
}: {
  readonly most: number
  readonly ofOne: number
  /** Code of what is said to whom there is no place for. */
  readonly busy: string
}): Places {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(userId) {
      const own = taken.get(userId) ?? 0
      if (all >= most || own >= ofOne) throw new DomainError('limited', busy, { seconds: 5 })
      all += 1
      taken.set(userId, own + 1)
      return () => {
        all -= 1
        const left = (taken.get(userId) ?? 1) - 1
        if (left === 0) taken.delete(userId)
        else taken.set(userId, left)
      }
    },
  }
}
