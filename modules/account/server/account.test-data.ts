import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { findPageRoute } from '../../../apps/web/page-routes.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { createVault } from '../../../platform/vault/vault.ts'
import { createAuthenticate } from '../../identity/server/index.ts'
import { findDelegation } from './delegate-access.ts'
import type { AccountJobDeps, AccountWebDeps } from './deps.ts'
import { accountHandlers } from './handlers.ts'
import { accountRoutes } from './routes.ts'

export type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly text: string }
export type Someone = { readonly id: string; readonly token: string; readonly email: string }

/** The calls of the module on a real database, with a clock that is set by hand and a mailbox that keeps what is sent. */
export async function openAccounts(
  db: Db,
  more: {
    readonly heldElsewhere?: AccountWebDeps['heldElsewhere']
    readonly eraseElsewhere?: AccountJobDeps['eraseElsewhere']
  } = {},
) {
  let now = new Date('2026-03-01T10:00:00.000Z')
  const clock = { now: () => new Date(now) }
  const mails: Mail[] = []
  const secret = 's'.repeat(32)
  const web: AccountWebDeps = {
    db,
    clock,
    secret,
    vault: createVault(Buffer.alloc(32, 1)),
    heldElsewhere: more.heldElsewhere ?? {},
  }
  const jobs: AccountJobDeps = {
    db,
    clock,
    secret,
    log: silentLog,
    publicUrl: 'https://probant.example',
    mailer: {
      async send(mail) {
        await Promise.resolve(mails.push(mail))
      },
      close: () => undefined,
    },
    eraseElsewhere: more.eraseElsewhere ?? (async () => await Promise.resolve()),
  }
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret,
    clock,
    routes: accountRoutes(web),
    authenticate: createAuthenticate({
      db,
      clock,
      findDelegation: async (id, userId, at) => await findDelegation(db, id, userId, at),
    }),
    health: {},
  })
  const handlers = accountHandlers(jobs)

  /** Does what waits in the queue, as the worker would. @returns the mails that were sent */
  async function work(): Promise<Mail[]> {
    const before = mails.length
    const { rows } = await sql<{ id: string; name: string; payload: unknown }>`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id
      returning j.id::text, t.identifier as name, j.payload`.execute(db)
    for (const { name, payload } of rows.toSorted((a, b) => Number(a.id) - Number(b.id))) {
      const handler = handlers.find(({ job }) => job.name === name)
      if (handler === undefined) throw new Error(`no handler of ${name}`)
      await handler.run(payload, { log: silentLog, attempt: 1, maxAttempts: 1, signal: new AbortController().signal })
    }
    return mails.slice(before)
  }

  async function addAddress(userId: string, email: string, confirmed = true): Promise<void> {
    await db
      .insertInto('email_address')
      .values({
        id: randomUUIDv7(),
        user_id: userId,
        address: email,
        address_key: email.toLowerCase(),
        is_primary: false,
        verified_at: confirmed ? now : null,
        created_at: now,
      })
      .execute()
  }

  return {
    server,
    web,
    jobs,
    mails,
    work,
    addAddress,
    now: () => new Date(now),
    later(hours: number): void {
      now = new Date(now.getTime() + hours * 3_600_000)
    },
    /** Somebody with a confirmed address, signed in. */
    async person(email: string, name: readonly [string, string] = ['Claire', 'Dupont'], locale = 'en'): Promise<Someone> {
      const id = randomUUIDv7()
      const token = randomBytes(32).toString('base64url')
      await db
        .insertInto('account_user')
        .values({
          id,
          status: 'active',
          password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
          password_changed_at: now,
          first_name: name[0],
          last_name: name[1],
          locale,
          referral_code: Array.from(randomBytes(8), (byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte & 31]).join(''),
          terms_accepted_at: now,
          created_at: now,
          confirmed_at: now,
        })
        .execute()
      await addAddress(id, email)
      await db.updateTable('email_address').set({ is_primary: true }).where('user_id', '=', id).execute()
      await db
        .insertInto('user_session')
        .values({
          id: randomUUIDv7(),
          user_id: id,
          token_hash: createHash('sha256').update(token).digest(),
          created_at: now,
          seen_at: now,
          // For as long as clocks are moved: what it takes to prove anew is tried elsewhere.
          proven_at: new Date(now.getTime() + 30 * 86_400_000),
          expires_at: new Date(now.getTime() + 30 * 86_400_000),
          remembered: true,
          browser: 'Firefox on Linux',
          network: '192.0.2.0/24',
        })
        .execute()
      return { id, token, email }
    },
    async call(
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      who: Someone | null,
      body?: unknown,
      delegation?: string,
    ): Promise<Answer> {
      const response = await server.inject({
        method,
        url: path,
        headers: {
          ...(who === null ? {} : { authorization: `Bearer ${who.token}` }),
          ...(delegation === undefined ? {} : { 'x-delegation': delegation }),
        },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: response.statusCode, body: JSON.parse(response.body) as Record<string, unknown>, text: response.body }
    },
    /** What the record of acts holds of somebody, oldest first. */
    async acts(actorId: string) {
      const rows = await db
        .selectFrom('act')
        .select(['action', 'on_behalf_of', 'data'])
        .where('actor_id', '=', actorId)
        .orderBy('number')
        .execute()
      return rows.map((row) => ({ action: row.action, for: row.on_behalf_of, data: row.data as Record<string, unknown> }))
    },
    async close(): Promise<void> {
      await server.close()
    },
  }
}

export type Accounts = Awaited<ReturnType<typeof openAccounts>>

/** The link of a mail, from its path on. */
export function linkOf(mail: Mail | undefined): URL {
  const link = /^https:\/\/\S+$/m.exec(mail?.text ?? '')?.[0]
  if (link === undefined) throw new Error('the mail holds no link')
  const url = new URL(link)
  if (findPageRoute(url.pathname.slice(3)) === null) throw new Error(`no page is at ${url.pathname}`)
  return url
}
