import { DomainError } from '../../../../kernel/errors.ts'

/** How many pieces this process takes at a time, and of them one person: what is on its way stands on disk and in no allowance. */
export type Places = {
  /** @returns what gives the place back. @throws DomainError `document.copy_busy` with `seconds` */
  take(userId: string): () => void
}

export function createPlaces({ most, ofOne }: { readonly most: number; readonly ofOne: number }): Places {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(userId) {
      const own = taken.get(userId) ?? 0
      if (all >= most || own >= ofOne) throw new DomainError('limited', 'document.copy_busy', { seconds: 5 })
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
