import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { JobHandler } from '../platform/jobs/jobs.ts'
import { silentLog } from '../platform/log/log.ts'
import type { Mail, Mailer } from '../platform/mail/mailer.ts'
import { drawCode } from './accounts.ts'

/** Who calls: the token is his session's. */
export type Someone = { readonly id: string; readonly token: string; readonly email: string }

const month = 30 * 86_400_000

export async function addAddress(
  db: Db,
  now: Date,
  userId: string,
  email: string,
  { confirmed = true, primary = false }: { readonly confirmed?: boolean; readonly primary?: boolean } = {},
): Promise<void> {
  await db
    .insertInto('email_address')
    .values({
      id: randomUUIDv7(),
      user_id: userId,
      address: email,
      address_key: email.toLowerCase(),
      is_primary: primary,
      verified_at: confirmed ? now : null,
      created_at: now,
    })
    .execute()
}

/**
 * A session of thirty days. @param how.proven for as long as clocks are moved: what it takes to prove anew is tried elsewhere
 * @returns its token
 */
export async function openSession(
  db: Db,
  now: Date,
  userId: string,
  { secondFactor = false, proven = false }: { readonly secondFactor?: boolean; readonly proven?: boolean } = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('user_session')
    .values({
      id: randomUUIDv7(),
      user_id: userId,
      token_hash: createHash('sha256').update(token).digest(),
      created_at: now,
      seen_at: now,
      ...(proven ? { proven_at: new Date(now.getTime() + month) } : {}),
      expires_at: new Date(now.getTime() + month),
      remembered: true,
      browser: 'Firefox on Linux',
      network: '192.0.2.0/24',
      second_factor: secondFactor,
    })
    .execute()
  return token
}

/** Somebody with a confirmed address, signed in. @param who.email of his id, unless told */
export async function signIn(
  db: Db,
  now: Date,
  who: {
    readonly name: readonly [first: string, last: string]
    readonly email: string | ((id: string) => string)
    readonly locale: string
    readonly secondFactor?: boolean
    readonly proven?: boolean
  },
): Promise<Someone> {
  const id = randomUUIDv7()
  const email = typeof who.email === 'string' ? who.email : who.email(id)
  await db
    .insertInto('account_user')
    .values({
      id,
      status: 'active',
      password_hash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA',
      password_changed_at: now,
      first_name: who.name[0],
      last_name: who.name[1],
      locale: who.locale,
      referral_code: drawCode(),
      terms_accepted_at: now,
      created_at: now,
      confirmed_at: now,
    })
    .execute()
  await addAddress(db, now, id, email, { primary: true })
  return { id, email, token: await openSession(db, now, id, who) }
}

/** A mailbox that keeps what is sent. */
export function keepMails(): { readonly mails: Mail[]; readonly mailer: Mailer } {
  const mails: Mail[] = []
  const mailer: Mailer = {
    async send(mail) {
      await Promise.resolve(mails.push(mail))
    },
    close: () => undefined,
  }
  return { mails, mailer }
}

/**
 * Does what waits in the queue, as the worker would.
 * @param how.dueBy absent: whatever is due when; `twice`: each job twice, as delivery is at least once
 * @returns the mails that were sent, the first time
 */
export async function workThrough(
  db: Db,
  handlers: readonly JobHandler[],
  mails: Mail[],
  { dueBy, twice = false }: { readonly dueBy?: Date; readonly twice?: boolean } = {},
): Promise<Mail[]> {
  const before = mails.length
  const due = dueBy === undefined ? sql`true` : sql`j.run_at <= greatest(${dueBy}::timestamptz, now())`
  const { rows } = await sql<{ id: string; name: string; payload: unknown }>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and ${due}
    returning j.id::text, t.identifier as name, j.payload`.execute(db)
  for (const { name, payload } of rows.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const handler = handlers.find(({ job }) => job.name === name)
    if (handler === undefined) throw new Error(`no handler of ${name}`)
    const context = { log: silentLog, attempt: 1, maxAttempts: 1, signal: new AbortController().signal }
    await handler.run(payload, context)
    if (!twice) continue
    const first = mails.length
    await handler.run(payload, context)
    mails.length = first
  }
  return mails.slice(before)
}
