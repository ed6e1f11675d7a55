import type { IdentityDeps } from '../people/deps.ts'
import { keyedHash } from './keyed-hash.ts'
import { takeAttempts } from '../../../../platform/guard/throttle.ts'
import { forgetAttempts, giveAttemptBack, type ThrottlePolicy } from '../../../../platform/guard/throttle-store.ts'

/** What attempts are counted by; each kind with its own patience. */
const policies = {
  /** Passwords and codes tried on one address, whether it has an account or not. */
  account: { free: 5, firstSeconds: 1, mostSeconds: 900 },
  /** Passwords and codes tried from one network. */
  network: { free: 60, firstSeconds: 1, mostSeconds: 900 },
  /** Mails asked for one address: nobody's mailbox is filled by strangers. */
  mailbox: { free: 4, firstSeconds: 60, mostSeconds: 3600 },
  /** Accounts and mails asked for from one network. */
  requests: { free: 20, firstSeconds: 10, mostSeconds: 3600 },
} as const satisfies Record<string, ThrottlePolicy>

export type Counted = { readonly kind: keyof typeof policies; readonly of: string }

export type Attempt = {
  /** All of it was right: the account starts anew, the network is not blamed. */
  succeed(): Promise<void>
  /** Nothing was tried that could have been guessed. */
  giveBack(): Promise<void>
}

type ThrottleDeps = Pick<IdentityDeps, 'db' | 'clock' | 'secret'>

/**
 * Counts one attempt under each of the keys.
 * @throws DomainError `identity.throttled` with `seconds`; the same for whatever the keys stand for
 */
export async function attempt(deps: ThrottleDeps, ...counted: readonly Counted[]): Promise<Attempt> {
  const { db } = deps
  const keyOf = ({ kind, of }: Counted) => keyedHash(deps.secret, `throttle_${kind}`, of)
  const throttled = counted.map((each) => ({ key: keyOf(each), policy: policies[each.kind] }))
  await takeAttempts(deps, 'identity.throttled', throttled)
  return {
    async succeed() {
      for (const each of counted) {
        if (each.kind === 'account') await forgetAttempts(db, keyOf(each))
        else await giveAttemptBack(db, keyOf(each), deps.clock.now())
      }
    },
    async giveBack() {
      for (const each of counted) await giveAttemptBack(db, keyOf(each), deps.clock.now())
    },
  }
}

/** A network counts only where it is known whose it is. */
export function ofNetwork(kind: 'network' | 'requests', block: string | null): readonly Counted[] {
  return block === null ? [] : [{ kind, of: block }]
}
