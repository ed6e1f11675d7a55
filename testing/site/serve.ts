import { startFixtureSite } from './start-fixture-site.ts'

const site = await startFixtureSite()
const { origin, otherOrigin, addresses, secure } = site
process.stdout.write(`${JSON.stringify({ origin, otherOrigin, secure, PROBANT_ALLOW_ADDRESSES: addresses.join() })}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void site.close().then(() => process.exit(0)))
