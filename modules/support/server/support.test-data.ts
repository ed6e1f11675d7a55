import { createHash, randomBytes } from 'node:crypto'
import type { StaffRole } from '../../../kernel/actor.ts'
import { findAnswer } from '../../../kernel/proof-of-work.ts'
import type { WorkDone } from '../../../kernel/work-done.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { createVault } from '../../../platform/vault/vault.ts'
import { keepMails, signIn, workThrough, type Someone } from '../../../testing/signed-in.ts'
import { createAuthenticate } from '../../identity/server/index.ts'
import { supportHandlers } from './handlers.ts'
import type { SupportJobDeps, SupportWebDeps } from './requests/deps.ts'
import { supportRoutes } from './routes.ts'

export type Answer = {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, unknown>>
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** What a visitor's device computes. */
export function workFor(data: Readonly<Record<string, unknown>>): WorkDone {
  const { challenge, parts, hashes } = data as { challenge: string; parts: number; hashes: number }
  const puzzle = { seed: sha256(Buffer.from(challenge)), parts, hashes }
  return { challenge, nonces: Array.from({ length: parts }, (_, part) => findAnswer(puzzle, sha256, part, 0, 2 ** 24) ?? -1) }
}

/** The calls of the module on a real database and a real blob store, with a clock that is set by hand and a mailbox that keeps what is sent. */
export async function openSupport(db: Db, blobs: BlobStore) {
  let now = new Date('2026-03-01T10:00:00.000Z')
  const clock = { now: () => new Date(now) }
  const { mails, mailer } = keepMails()
  const secret = 's'.repeat(32)
  const web: SupportWebDeps = {
    db,
    blobs,
    clock,
    log: silentLog,
    secret,
    vault: createVault(Buffer.alloc(32, 1)),
    random: randomBytes,
    workHashes: 2 ** 10,
    isScoredWell: null,
    publicUrl: 'https://probant.example',
    newsletter: { mode: 'local' },
    trustLoopback: false,
  }
  const jobs: SupportJobDeps = {
    ...web,
    mailer,
    publicUrl: 'https://probant.example',
    supportAddress: 'help@operator.example',
    supportDays: 365,
  }
  const server = await createHttpServer({
    config: { ...loadConfig({}), trustedProxies: ['127.0.0.1'] },
    log: silentLog,
    secret,
    clock,
    routes: supportRoutes(web),
    authenticate: createAuthenticate({ db, clock }),
    health: {},
  })
  const handlers = supportHandlers(jobs)

  async function call(
    method: 'GET' | 'POST' | 'PATCH',
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

  return {
    web,
    jobs,
    server,
    mails,
    call,
    work: async () => await workThrough(db, handlers, mails, { dueBy: now, twice: true }),
    later(hours: number): void {
      now = new Date(now.getTime() + hours * 3_600_000)
    },
    /** A stranger's message, worked for. @param network by whose address it comes */
    async stranger(body: object, network: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
      const from = { 'x-forwarded-for': network, ...headers }
      const asked = await call('POST', '/contact/', null, body, from)
      if (asked.code !== 'support.work_required') return asked
      return await call(
        'POST',
        '/contact/',
        null,
        { ...body, work: workFor(asked.body['data'] as Record<string, unknown>) },
        from,
      )
    },
    sendFile: async (attachment: { id: string; key: string }, bytes: Uint8Array) =>
      await call('POST', `/contact/attachments/${attachment.id}/?key=${attachment.key}`, null, bytes, {
        'content-type': 'application/octet-stream',
      }),
    /** Somebody with a confirmed address, signed in; of staff with a second factor. */
    async person(name: string, { roles = [], locale = 'en' }: { roles?: readonly StaffRole[]; locale?: string } = {}) {
      const email = (id: string) => `${name.toLowerCase()}.${id}@people.example`
      const who = await signIn(db, now, { name: ['Claire', name], email, locale, secondFactor: roles.length > 0 })
      for (const role of roles) await db.insertInto('user_role').values({ user_id: who.id, role, granted_at: now }).execute()
      return who
    },
    async acts(actorId: string): Promise<string[]> {
      const rows = await db.selectFrom('act').select('action').where('actor_id', '=', actorId).orderBy('number').execute()
      return rows.map(({ action }) => action)
    },
    async close(): Promise<void> {
      await server.close()
    },
  }
}
export type Support = Awaited<ReturnType<typeof openSupport>>
