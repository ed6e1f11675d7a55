import { DomainError } from '../../../../kernel/errors.ts'

/** How much of this process printing may take. */
export type Places = {
  /** @throws DomainError `dispute.busy` when all are taken */
  take<T>(run: () => Promise<T>): Promise<T>
}

export function createPlaces(most: number): Places {
  let taken = 0
  return {
    async take(run) {
      if (taken >= most) throw new DomainError('limited', 'dispute.busy', { seconds: 5 })
      taken += 1
      try {
        return await run()
      } finally {
        taken -= 1
      }
    },
  }
}
