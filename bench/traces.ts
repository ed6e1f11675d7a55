/**
 * What a request costs where spans are off, and where they are on: processor time of an empty call through every hook, in turns, beside the
 * same with a collector on this machine. Only ratios mean anything. Run: `node bench/traces.ts [calls] [rounds]`.
 */
import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { loadConfig } from '../platform/config/config.ts'
import { route } from '../platform/http/route.ts'
import { createHttpServer } from '../platform/http/server.ts'
import { silentLog } from '../platform/log/log.ts'
import { openTraces } from '../apps/server/watch/open-traces.ts'
import { openCollector } from '../testing/traces/open-collector.ts'
import { median } from './measure.ts'

const calls = Number(process.argv[2] ?? 5_000)
const rounds = Number(process.argv[3] ?? 9)
const empty = endpoint({
  method: 'GET',
  path: '/empty/',
  summary: 'Nothing',
  access: ['open'],
  response: z.object({ ok: z.boolean() }),
})
const routes = [route(empty, async () => await Promise.resolve({ ok: true }))]
const server = await createHttpServer({ config: loadConfig({}), log: silentLog, secret: 'x', health: {}, routes })
const collector = await openCollector()

/** Microseconds of processor time a call. */
async function turn(): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call += 1) await server.inject({ url: '/empty/' })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

const taken = { off: [] as number[], on: [] as number[] }
await turn()
for (let round = 0; round < rounds; round += 1) {
  taken.off.push(await turn())
  const end = openTraces({ url: collector.url, role: 'web', version: '0', log: silentLog })
  taken.on.push(await turn())
  await end()
}
const [off, on] = [median(taken.off), median(taken.on)]
process.stdout.write(
  `off ${off.toFixed(1)} µs a call, on ${on.toFixed(1)} µs (×${(on / off).toFixed(2)}), reading of the collector on the same processor included; ${String(collector.spans.length)} spans arrived\n`,
)
await server.close()
await collector.close()
