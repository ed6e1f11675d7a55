import { ask } from './ask.ts'
import { unheardAt } from './notices.ts'
import { answerWithin, type AccountSettings } from './open-provider.ts'
import { openSdk } from './sdk.ts'

/** What keeps the account of the installation at the provider from being of use. */
export type AccountFault =
  | 'keys_refused'
  | 'unreachable'
  | 'user_unknown'
  | 'wallet_unknown'
  | 'wallet_of_another'
  | 'wallet_currency'

/**
 * Asks the provider with the keys, and changes nothing there.
 * @param hooks where it is to tell what happens; null: not looked at
 */
export async function examineAccount(
  settings: AccountSettings,
  hooks: string | null,
): Promise<{ readonly faults: readonly AccountFault[]; readonly unheard: readonly string[] }> {
  const sdk = openSdk({ ...settings, timeout: answerWithin })
  const { user, wallet } = settings.seller
  const asked = await ask(sdk, (options) => sdk.Users.get(user, options))
  if (asked.said === 'unsent') return { faults: [asked.refused ? 'keys_refused' : 'unreachable'], unheard: [] }
  if (asked.said === 'no' && (asked.status === 401 || asked.status === 403)) return { faults: ['keys_refused'], unheard: [] }
  const kept = await ask(sdk, (options) => sdk.Wallets.get(wallet, options))
  const unheard = hooks === null ? [] : await unheardAt(sdk, hooks)
  // Whoever breaks off in the midst told nothing of what was asked.
  if (isSilent(asked) || isSilent(kept) || unheard === 'unknown') return { faults: ['unreachable'], unheard: [] }
  const faults: AccountFault[] = []
  if (asked.said !== 'yes') faults.push('user_unknown')
  if (kept.said !== 'yes') faults.push('wallet_unknown')
  else {
    if (!kept.body.Owners.includes(user)) faults.push('wallet_of_another')
    if (kept.body.Currency !== 'EUR') faults.push('wallet_currency')
  }
  return { faults, unheard }
}

const isSilent = (answer: { readonly said: string; readonly status?: number }): boolean =>
  answer.said === 'nothing' || answer.said === 'unsent' || (answer.status ?? 0) >= 500
