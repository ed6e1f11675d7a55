import type { StaffRole } from '../../../kernel/actor.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { createVault } from '../../../platform/vault/vault.ts'
import { keepMails, openSession, signIn, workThrough, type Someone } from '../../../testing/signed-in.ts'
import { createAuthenticate } from '../../identity/server/index.ts'
import type { AdminUser, IdentityDocument, IdentityVerification } from '../contract/review.ts'
import type { DocumentKind } from '../domain/identity-document.ts'
import type { ReviewJobDeps, ReviewWebDeps } from './documents/deps.ts'
import { reviewHandlers } from './handlers.ts'
import type { Rendered } from './render/render-file.ts'
import { reviewRoutes } from './routes.ts'

export type { Someone } from '../../../testing/signed-in.ts'
export type Answer = {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, unknown>>
}

/** In place of the jail where what is tried is what becomes of a file, not how it is rendered: any bytes are one page, which holds them. */
export async function renderAsIs(file: Buffer): Promise<Rendered> {
  return await Promise.resolve(
    file.length === 0
      ? { fault: 'type' }
      : { mediaType: 'image/jpeg', pages: [{ mediaType: 'image/jpeg', width: 8, height: 8, bytes: file }] },
  )
}

/** The calls of the module on a real database and a real blob store, with a clock that is set by hand and a mailbox that keeps what is sent. */
export async function openReview(
  db: Db,
  blobs: BlobStore,
  more: Partial<Pick<ReviewWebDeps, 'render' | 'fourEyes' | 'documentsDays'>> & { readonly uploadsFolder: string },
) {
  let now = new Date('2026-03-01T10:00:00.000Z')
  const clock = { now: () => new Date(now) }
  const { mails, mailer } = keepMails()
  const secret = 's'.repeat(32)
  const web: ReviewWebDeps = {
    db,
    blobs,
    clock,
    log: silentLog,
    secret,
    vault: createVault(Buffer.alloc(32, 1)),
    documentsDays: 30,
    fourEyes: false,
    render: renderAsIs,
    ...more,
  }
  const jobs: ReviewJobDeps = {
    ...web,
    publicUrl: 'https://probant.example',
    mailer,
  }
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret,
    clock,
    routes: reviewRoutes(web),
    authenticate: createAuthenticate({ db, clock }),
    health: {},
  })
  const handlers = reviewHandlers(jobs)

  /** Does what waits in the queue and is due, as the worker would, each job twice: delivery is at least once. @returns the mails of the first time */
  const work = async () => await workThrough(db, handlers, mails, { dueBy: now, twice: true })

  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    who: Someone | null,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await server.inject({
      method,
      url: path,
      headers: { ...(who === null ? {} : { authorization: `Bearer ${who.token}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const read = isJson ? (JSON.parse(response.body) as Record<string, unknown>) : {}
    const code = typeof read['code'] === 'string' ? read['code'] : ''
    return { status: response.statusCode, code, body: read, bytes: response.rawPayload, headers: response.headers }
  }

  const upload = async (who: Someone, kind: DocumentKind, file: Uint8Array, type = 'application/octet-stream') =>
    await call('POST', `/identity_documents/?kind=${kind}`, who, file, { 'content-type': type })

  return {
    web,
    jobs,
    server,
    work,
    call,
    upload,
    now: () => new Date(now),
    later(hours: number): void {
      now = new Date(now.getTime() + hours * 3_600_000)
    },
    async verification(who: Someone): Promise<IdentityVerification> {
      return (await call('GET', '/identity_documents/', who)).body as IdentityVerification
    },
    async uploaded(who: Someone, kind: DocumentKind, file: Uint8Array = Buffer.from(`a ${kind}`)): Promise<IdentityDocument> {
      const answer = await upload(who, kind, file)
      if (answer.status !== 201) throw new Error(`${kind} was answered with ${answer.status} ${answer.code}`)
      return answer.body as IdentityDocument
    },
    async user(staff: Someone, id: string): Promise<AdminUser> {
      return (await call('GET', `/admin/users/${id}/`, staff)).body as AdminUser
    },
    /** Somebody with a confirmed address, signed in; of staff with a second factor. */
    async person(
      name: string,
      {
        roles = [],
        locale = 'en',
        profile = {},
      }: { roles?: readonly StaffRole[]; locale?: string; profile?: Record<string, string> | null } = {},
    ): Promise<Someone> {
      const who = await signIn(db, now, {
        name: ['Claire', name],
        email: (id) => `${name.toLowerCase()}.${id}@people.example`,
        locale,
        secondFactor: roles.length > 0,
      })
      const { id } = who
      for (const role of roles) await db.insertInto('user_role').values({ user_id: id, role, granted_at: now }).execute()
      if (profile !== null)
        await db
          .insertInto('profile')
          .values({
            user_id: id,
            user_type: 'natural',
            birth_date: '1980-02-29',
            nationality: 'FR',
            updated_at: now,
            ...profile,
          })
          .execute()
      return who
    },
    /** Signed in again, once the session is over. */
    async again(who: Someone, secondFactor = false): Promise<Someone> {
      return { ...who, token: await openSession(db, now, who.id, { secondFactor }) }
    },
    /** What the record of acts holds of somebody's deeds, oldest first. */
    async acts(actorId: string) {
      const rows = await db
        .selectFrom('act')
        .select(['action', 'subject_id', 'data'])
        .where('actor_id', '=', actorId)
        .orderBy('number')
        .execute()
      return rows.map((row) => ({ action: row.action, of: row.subject_id, data: row.data as Record<string, unknown> }))
    },
    async close(): Promise<void> {
      await server.close()
    },
  }
}

/** Everything that a person needs to be verified, sent. @returns the id of his document */
export async function sendPassport(review: Review, who: Someone): Promise<string> {
  const { id } = await review.uploaded(who, 'passport')
  const { status, code } = await review.call('POST', '/identity_documents/submit/', who)
  if (status !== 200) throw new Error(`the sending was answered with ${status} ${code}`)
  return id
}

/** Takes the file and decides upon all that is pending in it. */
export async function decide(
  review: Review,
  reviewer: Someone,
  userId: string,
  refused: Readonly<Partial<Record<DocumentKind, Readonly<Record<string, unknown>>>>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const taken = await review.call('POST', `/admin/users/${userId}/claim/`, reviewer)
  if (taken.status !== 200) return taken
  const { round, file } = taken.body as AdminUser
  const decisions = (file?.documents ?? [])
    .filter(({ state }) => state === 'pending')
    .map(({ id, kind }) => ({
      document_id: id,
      outcome: 'accepted',
      ...(kind in refused ? { outcome: 'refused', ...refused[kind] } : {}),
    }))
  return await review.call('POST', `/admin/users/${userId}/verify/`, reviewer, { round, decisions, ...more })
}

export type Review = Awaited<ReturnType<typeof openReview>>
