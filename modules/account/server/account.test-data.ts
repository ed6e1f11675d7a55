import { findPageRoute } from '../../../apps/web/page-routes.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { createVault } from '../../../platform/vault/vault.ts'
import { addAddress, keepMails, signIn, workThrough, type Someone } from '../../../testing/signed-in.ts'
import { createAuthenticate } from '../../identity/server/index.ts'
import { findDelegation } from './sharing/delegate-access.ts'
import type { AccountJobDeps, AccountWebDeps } from './people/deps.ts'
import { accountHandlers } from './handlers.ts'
import { accountRoutes } from './routes.ts'

export type { Someone } from '../../../testing/signed-in.ts'
export type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly text: string }

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
  const { mails, mailer } = keepMails()
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
    mailer,
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

  return {
    server,
    web,
    jobs,
    mails,
    /** Does what waits in the queue, as the worker would. @returns the mails that were sent */
    work: async () => await workThrough(db, handlers, mails),
    addAddress: async (userId: string, email: string, confirmed = true) =>
      await addAddress(db, now, userId, email, { confirmed }),
    now: () => new Date(now),
    later(hours: number): void {
      now = new Date(now.getTime() + hours * 3_600_000)
    },
    /** Somebody with a confirmed address, signed in. */
    async person(email: string, name: readonly [string, string] = ['Claire', 'Dupont'], locale = 'en'): Promise<Someone> {
      return await signIn(db, now, { name, email, locale, proven: true })
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
