/**
 * The peer of `bench/api.ts`: Fastify with nothing but routes. `node bench/serve-bare.ts`, then one line of JSON on its standard input:
 * what each path answers. `POST /login` verifies a password by argon2id at our cost, and does nothing else.
 */
import { createInterface } from 'node:readline'
import { hash, verify } from '@node-rs/argon2'
import Fastify from 'fastify'
import { argonCost } from '../modules/identity/server/index.ts'

const answers = await new Promise<Record<string, unknown>>((resolve) => {
  createInterface({ input: process.stdin }).once('line', (line) => resolve(JSON.parse(line) as Record<string, unknown>))
})
const phc = await hash('correct horse battery', { ...argonCost, algorithm: 2 })
const app = Fastify()
for (const [path, answer] of Object.entries(answers)) app.get(path, () => answer)
app.post<{ Body: { password: string } }>('/login', async ({ body }) => ({ right: await verify(phc, body.password) }))
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${new URL(address).port}\n`)
process.once('SIGTERM', () => void app.close())
