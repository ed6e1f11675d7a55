/** Looks after the anchors of a database once, with an own node; to be killed in the middle. */
import { z } from 'zod'
import { systemClock } from '../../../../kernel/clock.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { logReader } from '../log/open-public-log.ts'
import { createBitcoinRpc } from './bitcoin-rpc.ts'
import { nodeSource } from './block-sources.ts'
import { upgradeAnchors } from './upgrade-anchors.ts'

const { database, rpc, cookie } = z
  .object({ database: z.string(), rpc: z.string(), cookie: z.string() })
  .parse(JSON.parse(process.argv[2] ?? ''))
const db = openDatabase(database, { max: 2, log: silentLog })
const node = createBitcoinRpc({ url: rpc, walletUrl: rpc, credentialsFile: cookie, timeoutMs: 600_000 })
await upgradeAnchors({
  db,
  clock: systemClock,
  log: silentLog,
  publicLog: logReader(db),
  timestampers: [],
  settings: { everyMs: 1, confirmations: 3, giveUpDays: 7, maxFee: 10_000, replaceAfterMs: 3_600_000 },
  calendars: null,
  payer: node,
  sources: { network: 'regtest', node: nodeSource(node), explorers: [] },
  onConfirmed: async () => undefined,
})
await db.destroy()
