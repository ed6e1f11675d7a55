import { payingProvider, type PayoutDeps } from '../keep/deps.ts'
import { findKnownPayee, listRenewed, listWaiting } from '../keep/payee-store.ts'
import { followIdentity, handOverRenewed } from './hand-over.ts'
import { noteAccount } from './prepare-payee.ts'

const batch = 100

/** What was renewed is handed in; and what the provider has said meanwhile of accounts that were to be confirmed, and of what was handed to him. @returns of how many he was asked */
export async function followPayees(deps: PayoutDeps, signal: AbortSignal): Promise<number> {
  const provider = payingProvider(deps)
  if (provider === null) return 0
  const { db, publicUrl } = deps
  for (const userId of await listRenewed(db, provider.realm, batch)) {
    if (signal.aborted) return 0
    const known = await findKnownPayee(db, userId, provider.realm)
    if (known !== null) await handOverRenewed(deps, provider, known)
  }
  let asked = 0
  for (let after: string | null = null; !signal.aborted;) {
    const waiting = await listWaiting(db, provider.realm, { after, limit: batch })
    for (const userId of waiting) {
      if (signal.aborted) break
      const known = await findKnownPayee(db, userId, provider.realm)
      if (known === null) continue
      if (known.accountState === 'customer_needed' && known.accountReference !== null)
        await noteAccount(
          deps,
          known,
          await provider.payouts.readPayee(known.accountReference, `${publicUrl}/en/account/payout/`),
        )
      await followIdentity(deps, provider, known)
      asked += 1
    }
    after = waiting.at(-1) ?? null
    if (waiting.length < batch || after === null) break
  }
  return asked
}
