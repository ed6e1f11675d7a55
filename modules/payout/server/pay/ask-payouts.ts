import { payingProvider, type PayoutDeps } from '../keep/deps.ts'
import { findKnownPayee } from '../keep/payee-store.ts'
import { findPayout, listToAsk, type Payout } from '../keep/payout-store.ts'
import { noteAccount } from '../payee/prepare-payee.ts'
import { askProvider } from './ask-provider.ts'
import { noteOutcome } from './note-outcome.ts'

const atATime = 100
/** Where one does not hear anything of so many in a row, the provider is down: the rest is left for later. */
const patience = 5
/** Granted, then paid out. */
const steps = 2

/** Whether the account that was refused may be used at all any more: where it may not, he is asked for another before anything is sent again. */
async function lookAtAccount(deps: PayoutDeps, { userId, realm }: Payout): Promise<void> {
  const known = await findKnownPayee(deps.db, userId, realm)
  const provider = payingProvider(deps)
  if (provider?.realm !== realm || known?.accountState !== 'usable' || known.accountReference === null) return
  const reading = await provider.payouts.readPayee(known.accountReference, `${deps.publicUrl}/en/account/payout/`)
  if (reading.state === 'ended' || reading.state === 'refused') await noteAccount(deps, known, reading)
}

/** @returns whether something was heard */
export async function askAfterPayout(deps: PayoutDeps, id: string): Promise<boolean> {
  for (let step = 0; step < steps; step += 1) {
    const payout = await findPayout(deps.db, id)
    if (payout === null || payout.status === 'failed' || payout.status === 'returned') return true
    const heard = await askProvider(deps, payout)
    await noteOutcome(deps, id, heard)
    const { state } = heard.outcome
    if (heard.outcome.state === 'refused' && heard.outcome.reason === 'account_refused') await lookAtAccount(deps, payout)
    if (state === 'unsent' || state === 'unknown') return false
    if (heard.step === 'payout' || state !== 'succeeded') return true
  }
  return true
}

/** Whatever nobody has heard the end of, or what a bank may yet send back. @returns how many were asked after */
export async function askPayouts(deps: PayoutDeps, signal: AbortSignal): Promise<number> {
  const provider = payingProvider(deps)
  if (provider === null) return 0
  let [asked, silent] = [0, 0]
  for (const id of await listToAsk(deps.db, provider.realm, deps.clock.now(), atATime)) {
    if (signal.aborted || silent >= patience) break
    silent = (await askAfterPayout(deps, id)) ? 0 : silent + 1
    asked += 1
  }
  return asked
}
