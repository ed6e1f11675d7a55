/** A process that pays out, and is killed meanwhile: it says how far it came, and goes no further than it was told to. */
import { tmpdir } from 'node:os'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createVault } from '../../../../platform/vault/vault.ts'
import type { Outcome } from '../../../billing/server/index.ts'
import { runPayouts } from '../handlers.ts'
import { secret } from '../payouts.test-data.ts'
import { openProvider, seller } from './paying.test-data.ts'

export type Order = {
  readonly url: string
  readonly origin: string
  readonly shop: { readonly user: string; readonly wallet: string }
  readonly now: string
  /** Where it stands still: before the provider is asked, once he has answered, or nowhere. */
  readonly stop: 'before grant' | 'after grant' | 'before payout' | 'after payout' | 'nowhere'
}

const forever = new Promise<never>(() => undefined)

async function obey({ url, origin, shop, now, stop }: Order): Promise<void> {
  const clock = { now: () => new Date(now) }
  const real = openProvider({ origin }, shop, clock)
  const { payouts } = real
  if (payouts === undefined) throw new Error('no payouts')
  const standing =
    <Asked extends unknown[]>(step: 'grant' | 'payout', ask: (...asked: Asked) => Promise<Outcome>) =>
    async (...asked: Asked): Promise<Outcome> => {
      process.send?.(`before ${step}`)
      if (stop === `before ${step}`) await forever
      const outcome = await ask(...asked)
      process.send?.(`after ${step}`)
      return stop === `after ${step}` ? await forever : outcome
    }
  const held = {
    ...payouts,
    grant: standing('grant', async (...asked: Parameters<typeof payouts.grant>) => await payouts.grant(...asked)),
    payOut: standing('payout', async (...asked: Parameters<typeof payouts.payOut>) => await payouts.payOut(...asked)),
  }
  await runPayouts(
    {
      db: openDatabase(url, { max: 2, log: silentLog }),
      blobs: createFolderBlobStore(tmpdir()),
      clock,
      log: silentLog,
      rules: { by: 'provider', delayDays: 0, minimumCents: 2000 },
      secret,
      vault: createVault(Buffer.alloc(32, 1)),
      provider: { ...real, payouts: held },
      publicUrl: 'https://probant.example',
      seller,
    },
    new AbortController().signal,
  )
  process.send?.('done')
}

process.once('message', (order: Order) => void obey(order))
process.once('disconnect', () => process.exit(1))
process.send?.('ready')
