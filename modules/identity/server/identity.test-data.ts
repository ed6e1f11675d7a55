import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { generate } from 'otplib'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { FindDelegation } from '../../../kernel/actor.ts'
import type { IdentityDeps, PasswordHasher } from './people/deps.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { FindMailBrand } from '../../../platform/mail/mail-brand.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { createVault } from '../../../platform/vault/vault.ts'
import { createAuthenticate } from './sign-in/authenticate.ts'
import { identityHandlers } from './handlers.ts'
import { createPasswordHasher } from './passwords/password-hash.ts'
import { identityRoutes } from './routes.ts'
import type { Route } from '../../../platform/http/route.ts'

/** Cheapest that argon2 allows: what is tested is who is let in, not how long it takes. */
export const cheapCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export const password = 'Correct-horse 7'

export type Answer = {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Record<string, unknown>
}

export type Caller = {
  readonly token?: string
  readonly from?: string
  readonly agent?: string
  readonly delegation?: string
  /** By which name the installation was reached. */
  readonly host?: string
  /** As a browser tells it (RFC 9110 §12.5.4). */
  readonly language?: string
}

/** The calls of the module on a real database, with a clock that is set by hand and a mailbox that keeps what is sent. */
export async function openIdentity(
  db: Db,
  more: Partial<IdentityDeps> & {
    readonly findDelegation?: FindDelegation
    readonly mailBrand?: FindMailBrand
    readonly routes?: (deps: IdentityDeps) => readonly Route[]
  } = {},
) {
  let now = new Date('2026-03-01T10:00:00.000Z')
  const mails: Mail[] = []
  const hashed = { hash: 0, verify: 0 }
  const hasher = createPasswordHasher(cheapCost)
  const passwords: PasswordHasher = {
    ...hasher,
    async hash(typed) {
      hashed.hash += 1
      return await hasher.hash(typed)
    },
    async verify(phc, typed) {
      hashed.verify += 1
      return await hasher.verify(phc, typed)
    },
  }
  const clock = { now: () => new Date(now) }
  const secret = 's'.repeat(32)
  const deps: IdentityDeps = {
    db,
    clock,
    log: silentLog,
    secret,
    vault: createVault(Buffer.alloc(32, 1)),
    passwords,
    random: randomBytes,
    registrations: 'open',
    ...more,
  }
  const server: HttpServer = await createHttpServer({
    config: { ...loadConfig({}), trustedProxies: ['127.0.0.1'] },
    log: deps.log,
    secret,
    clock,
    routes: [...identityRoutes({ ...deps, trustLoopback: false }), ...(more.routes?.(deps) ?? [])],
    authenticate: createAuthenticate({
      db,
      clock,
      ...(more.findDelegation === undefined ? {} : { findDelegation: more.findDelegation }),
    }),
    health: {},
  })
  const handlers = identityHandlers({
    db,
    clock,
    log: silentLog,
    secret,
    publicUrl: 'https://probant.example',
    ...(more.mailBrand === undefined ? {} : { mailBrand: more.mailBrand }),
    mailer: {
      async send(mail) {
        await Promise.resolve(mails.push(mail))
      },
      close: () => undefined,
    },
  })
  let network = 0

  /** Does what waits in the queue, as the worker would; each job twice, as delivery is at least once, kept once. */
  async function work(): Promise<Mail[]> {
    const before = mails.length
    while ((await workOnce()) > 0);
    return mails.slice(before)
  }

  async function workOnce(): Promise<number> {
    const { rows } = await sql<{ id: string; task_identifier: string; payload: unknown }>`
      delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id
      returning j.id::text, t.identifier as task_identifier, j.payload`.execute(db)
    for (const row of rows.toSorted((a, b) => Number(a.id) - Number(b.id))) {
      const handler = handlers.find(({ job }) => job.name === row.task_identifier)
      if (handler === undefined) throw new Error(`no handler of ${row.task_identifier}`)
      await handler.run(row.payload, { log: silentLog, attempt: 1, maxAttempts: 1, signal: new AbortController().signal })
    }
    return rows.length
  }

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, caller: Caller = {}): Promise<Answer> {
    network += 1
    const response = await server.inject({
      method,
      url: path,
      remoteAddress: '127.0.0.1',
      headers: {
        // Another network each time, unless one is named: what counts by network is tested by itself.
        'x-forwarded-for': caller.from ?? `10.${String((network >> 8) & 255)}.${String(network & 255)}.7`,
        'user-agent': caller.agent ?? 'test',
        ...(caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
        ...(caller.host === undefined ? {} : { host: caller.host }),
        ...(caller.language === undefined ? {} : { 'accept-language': caller.language }),
        ...(caller.delegation === undefined ? {} : { 'x-delegation': caller.delegation }),
      },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: response.statusCode, body: JSON.parse(response.body) as Record<string, unknown>, headers: response.headers }
  }

  const registration = (email: string, changes: Record<string, unknown> = {}) => ({
    email,
    password,
    password_confirmation: password,
    first_name: 'Claire',
    last_name: 'Dupont',
    terms: true,
    locale: 'en',
    ...changes,
  })

  async function signIn(email: string, changes: Record<string, unknown> = {}, caller: Caller = {}): Promise<Answer> {
    // From where he always does, unless told: a place that is new to an account is told its owner.
    const from = `172.16.${String(createHash('sha256').update(email.toLowerCase()).digest()[0])}.7`
    return await call('POST', '/rest-auth/login/', { email, password, ...changes }, { from, ...caller })
  }

  return {
    deps,
    server,
    mails,
    hashed,
    work,
    call,
    signIn,
    registration,
    /** Seconds from now on. */
    later(seconds: number): void {
      now = new Date(now.getTime() + seconds * 1000)
    },
    now: () => new Date(now),
    async register(email: string, changes: Record<string, unknown> = {}, caller: Caller = {}): Promise<Answer> {
      return await call('POST', '/rest-auth/registration/', registration(email, changes), caller)
    },
    /** Somebody with a confirmed address, signed in. */
    async person(email: string, changes: Record<string, unknown> = {}): Promise<{ token: string; id: string; email: string }> {
      await call('POST', '/rest-auth/registration/', registration(email, changes))
      const mail = (await work()).findLast(({ to }) => to === email)
      await call('POST', '/rest-auth/registration/verify-email/', { key: keyOf(mail) })
      const { body } = await signIn(email, { password: changes['password'] ?? password, remember_me: true })
      return { token: String(body['access_token']), id: (body['user'] as { pk: string }).pk, email }
    },
    async close(): Promise<void> {
      await server.close()
    },
  }
}

/** Of the link of a mail. */
export function keyOf(mail: Mail | undefined): string {
  const key = /\/confirm-email\/([\w-]{43})\//.exec(mail?.text ?? '')?.[1]
  if (key === undefined) throw new Error('the mail confirms nothing')
  return key
}

export function codeOf(mail: Mail | undefined): string {
  const code = /^ {4}(\d{6})$/m.exec(mail?.text ?? '')?.[1]
  if (code === undefined) throw new Error('the mail holds no code')
  return code
}

export function resetOf(mail: Mail | undefined): { uid: string; token: string } {
  const [, uid, token] = /\/reset-password\/([\w-]{36})\/([\w-]{43})\//.exec(mail?.text ?? '') ?? []
  if (uid === undefined || token === undefined) throw new Error('the mail resets nothing')
  return { uid, token }
}

/** Another code than that one. */
export function wrongCode(code: string): string {
  return code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))
}

export async function totp(secret: string, at: Date): Promise<string> {
  return await generate({ secret, epoch: Math.floor(at.getTime() / 1000) })
}
