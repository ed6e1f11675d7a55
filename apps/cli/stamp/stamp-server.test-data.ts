import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocumentChanges, documentRoutes } from '../../../modules/document/server/index.ts'
import { haveAccount } from '../../../testing/accounts.ts'
import { openDepositWorld, waitingBatches } from '../../../modules/document/server/deposits.test-data.ts'
import { confirmAnchor } from '../../../modules/document/server/confirm-anchor.test-data.ts'
import { compareCopy } from '../../../modules/document/server/copy/compare-copy.ts'
import { spreadAnchor } from '../../../modules/document/server/anchor/spread-anchor.ts'
import { sealBatch } from '../../../modules/document/server/seal/seal-batch.ts'
import { createAuthenticate, findKeyInForce } from '../../../modules/identity/server/index.ts'
import { makeApiKey, revokeApiKey } from '../../../modules/identity/server/api-keys/manage-api-keys.ts'
import { findUser } from '../../../modules/identity/server/people/user-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { HandlerInput, Route } from '../../../platform/http/route.ts'
import type { Endpoint } from '../../../kernel/endpoint.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { ApiScope } from '../../../kernel/actor.ts'
import { randomBytes } from 'node:crypto'

export type Called = { readonly call: string; readonly input: HandlerInput<Endpoint> }

/**
 * The calls of deposits and keys, as the product answers them, on a port of this machine; sealed by the same code as in the worker, whenever a deposit
 * was read that is not.
 */
export async function openStampServer(db: Db) {
  const copyLimits = { largestBytes: 20 * 1024 * 1024, accountBytes: 40 * 1024 * 1024, days: 30, spareBytes: 0 }
  const world = { ...(await openDepositWorld(db)), anchoring: true, copyLimits }
  const folder = await mkdtemp(join(tmpdir(), 'probant-stamp-'))
  const clock = { now: () => new Date() }
  /** Before a call is answered, when it was done. */
  let onDone: (called: Called) => Promise<void> | void = () => undefined
  let [seals, compares] = [true, true]
  const calls: string[] = []
  const observed = (route: Route): Route => ({
    endpoint: route.endpoint,
    handler: async (input) => {
      const call = `${route.endpoint.method} ${route.endpoint.path}`
      calls.push(call)
      const answer = await route.handler(input)
      if (seals && call === 'GET /documents/:id/') for (const id of await waitingBatches(db)) await sealBatch(world, id)
      if (compares && call === 'POST /documents/:id/copy/complete/') {
        const { upload } = input.body as { upload: string }
        await compareCopy(world, upload, new AbortController().signal)
      }
      await onDone({ call, input })
      return answer
    },
  })
  let server: HttpServer
  let port = 0
  const open = async () => {
    server = await createHttpServer({
      config: { ...loadConfig({}), environment: 'production' },
      log: silentLog,
      clock,
      secret: world.secret,
      routes: documentRoutes(
        { ...world, findKey: async (id, userId, now) => await findKeyInForce(db, id, userId, now) },
        createDocumentChanges(),
      ).map(observed),
      health: {},
      authenticate: createAuthenticate({ db, clock }),
    })
    await server.listen({ host: '127.0.0.1', port })
    port = (server.server.address() as AddressInfo).port
  }
  await open()
  return {
    world,
    folder,
    calls,
    /** With a slash at the end. */
    get address(): string {
      return `http://127.0.0.1:${String(port)}/`
    },
    whenDone(does: (called: Called) => Promise<void> | void): void {
      onDone = does
    },
    sealing(on: boolean): void {
      seals = on
    },
    comparing(on: boolean): void {
      compares = on
    },
    copyLimits,
    async stop(): Promise<void> {
      await server.close()
    },
    async start(): Promise<void> {
      await open()
    },
    /** Somebody with a key. */
    async person(scopes: readonly ApiScope[] = ['documents:create', 'documents:read'], perMinute = 600) {
      const userId = await haveAccount(db)
      const user = await findUser(db, userId)
      if (user === null) throw new Error('nobody was made')
      const actor = {
        userId,
        accountId: userId,
        delegation: null,
        sessionId: randomUUID(),
        roles: new Set<never>(),
        secondFactor: false,
        proven: true,
        locale: 'en' as const,
      }
      const wanted = { name: 'Backup', scopes, days: 1, per_minute: perMinute }
      const { key, entry } = await makeApiKey({ db, clock, random: randomBytes }, actor, wanted)
      return { userId, key, revoke: async () => await revokeApiKey({ db, clock }, actor, entry.id) }
    },
    async depositsOf(userId: string) {
      return await db
        .selectFrom('document')
        .selectAll()
        .where('owner_id', '=', userId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    },
    /** The newest checkpoint of the log, and whatever is below it, stands in a block. */
    async anchor(): Promise<Buffer> {
      const { size, header } = await confirmAnchor(world)
      await spreadAnchor(world, { size })
      return header
    },
    async close(): Promise<void> {
      await server.close()
      await world.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
