import { parseArgs } from 'node:util'
import { startMangopay } from './start-mangopay.ts'

const { values } = parseArgs({
  options: { port: { type: 'string' }, file: { type: 'string' }, client: { type: 'string' }, key: { type: 'string' } },
})
const { port, file, client, key } = values
const simulator = await startMangopay({
  port: Number(port ?? 0),
  file,
  ...(client === undefined ? {} : { client }),
  ...(key === undefined ? {} : { key }),
})
process.stdout.write(`${JSON.stringify({ origin: simulator.origin })}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void simulator.close().then(() => process.exit(0)))
