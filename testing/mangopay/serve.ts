import { parseArgs } from 'node:util'
import { startMangopay } from './start-mangopay.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    file: { type: 'string' },
    client: { type: 'string' },
    key: { type: 'string' },
    selling: { type: 'boolean' },
  },
})
const { port, file, client, key, selling = false } = values
const simulator = await startMangopay({
  port: Number(port ?? 0),
  file,
  selling,
  ...(client === undefined ? {} : { client }),
  ...(key === undefined ? {} : { key }),
})
const { origin, seller } = simulator
process.stdout.write(`${JSON.stringify({ origin, seller })}\n`)
const end = () => void simulator.close().then(() => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
// Whoever started it is gone, however he went.
process.once('disconnect', () => process.exit(0))
