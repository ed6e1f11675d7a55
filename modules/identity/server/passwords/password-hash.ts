import { hash, parseOptions, verify } from '@node-rs/argon2'
import { DomainError } from '../../../../kernel/errors.ts'
import type { PasswordHasher } from '../people/deps.ts'

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. */
export const argonCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
export type ArgonCost = { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number }

/** argon2id, as the library numbers it. */
const argon2id = 2
/** Each holds 19 MiB and a thread for some tens of milliseconds: beyond this many waiting, more would only wait in vain. */
const mostWaiting = 200

/** One password typed on two systems is one password (NIST SP 800-63B §3.1.1.2, RFC 8265 §4.2.2). */
const normal = (password: string) => password.normalize('NFKC')

export function createPasswordHasher(cost: ArgonCost): PasswordHasher {
  const nobodys = hash('nobody has this password', { ...cost, algorithm: argon2id })
  let waiting = 0
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= mostWaiting) throw new DomainError('unavailable', 'http.unavailable')
    waiting += 1
    try {
      return await work()
    } finally {
      waiting -= 1
    }
  }
  return {
    hash: async (password) => await bounded(async () => await hash(normal(password), { ...cost, algorithm: argon2id })),
    verify: async (phc, password) =>
      await bounded(async () => (await verify(phc ?? (await nobodys), normal(password))) && phc !== null),
    isOutdated(phc) {
      const { memoryCost, timeCost, parallelism } = parseOptions(phc)
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost || parallelism !== cost.parallelism
    },
  }
}
