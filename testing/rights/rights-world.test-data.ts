/** Two web processes on one database, each with notices and a registry of its own, and the people whose rights end. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { viewerRights } from '../../apps/server/roles/viewer-rights.ts'
import type { Clock } from '../../kernel/clock.ts'
import { apiScopes, type StaffRole } from '../../kernel/actor.ts'
import { createDocumentChanges, documentChannel } from '../../modules/document/server/index.ts'
import { createDocuments } from '../../modules/document/server/change/create-documents.ts'
import { createEvidenceChanges, evidenceChannel } from '../../modules/evidence/server/index.ts'
import { createViewersDoor, openSessionsDoor } from '../../modules/live/server/index.ts'
import { findSession } from '../../modules/live/server/doors/session-store.ts'
import { scriptedSession } from '../../modules/live/server/doors/scripted-session.test-data.ts'
import type { HeldSession } from '../../modules/live/server/doors/sessions-door.ts'
import { setMember } from '../accounts.ts'
import { hashOf } from '../../modules/evidence/server/own/hold-evidence.ts'
import { insertFiles } from '../../modules/evidence/server/files/file-store.ts'
import { storeBytes } from '../../modules/evidence/server/files/store-files.ts'
import { changeStatus, insertEvidence } from '../../modules/evidence/server/record/store.ts'
import { apiKeyHint, apiKeyOf } from '../../modules/identity/domain/api-key.ts'
import { openAdmissions, type Admissions } from '../../platform/admission/admissions.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { listen } from '../../platform/db/listen.ts'
import { silentLog } from '../../platform/log/log.ts'
import { linkSecret, openWebApi, passwords } from '../permissions/open-web-api.test-data.ts'
import { signIn, type Someone } from '../signed-in.ts'

export const password = 'Correct-horse 7'

export type Process = {
  readonly origin: string
  readonly admissions: Admissions
  /** Settled once the process has closed the connection that comes from that port: whoever does not read is not told. */
  cut(port: number): Promise<void>
  close(): Promise<void>
}

export async function startProcess(deps: {
  readonly db: Db
  readonly databaseUrl: string
  readonly blobs: BlobStore
  readonly clock: Clock
}): Promise<Process> {
  const { databaseUrl } = deps
  const log = silentLog
  const [changes, documentChanges] = [createEvidenceChanges(), createDocumentChanges()]
  const listeners = [
    await listen(databaseUrl, evidenceChannel, (payload) => changes.announce(payload)),
    await listen(databaseUrl, documentChannel, (payload) => documentChanges.announce(payload)),
  ]
  const admissions = await openAdmissions({ databaseUrl, clock: deps.clock, log })
  const viewers = createViewersDoor({
    rights: viewerRights(deps, admissions),
    log,
    secret: linkSecret,
    publicUrl: 'https://probant.example',
    trustLoopback: true,
  })
  const { server } = await openWebApi({
    ...deps,
    log,
    heard: { changes, documentChanges, admissions },
    extend: (app) => viewers.register(app),
  })
  const cuts = new Map<number, Promise<void>>()
  server.server.on('connection', (socket) => {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    if (socket.remotePort !== undefined) cuts.set(socket.remotePort, closed)
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    async cut(port) {
      const cut = cuts.get(port)
      if (cut === undefined) throw new Error(`no connection came from port ${String(port)}`)
      await cut
    },
    origin: `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`,
    admissions,
    async close() {
      await viewers.close()
      await server.close()
      for (const listener of listeners) await listener.close()
      await admissions.close()
    },
  }
}

export type CaptureProcess = { hold(evidenceId: string): Promise<HeldSession>; close(): Promise<void> }

/** Where the sessions are: it hears of the ends of rights for itself. */
export async function startCaptureProcess(deps: {
  readonly db: Db
  readonly databaseUrl: string
  readonly clock: Clock
}): Promise<CaptureProcess> {
  const log = silentLog
  const admissions = await openAdmissions({ ...deps, log })
  const rights = viewerRights(deps, admissions)
  const door = await openSessionsDoor({ rights, log, listen: { host: '127.0.0.1', port: 0 } })
  return {
    async hold(evidenceId) {
      const held = door.hold({ evidenceId, fence: 1, sessionMs: 600_000 })
      held.sessions.add(scriptedSession(evidenceId))
      await vi.waitUntil(async () => (await findSession(deps.db, evidenceId)) !== null)
      return held
    },
    async close() {
      await door.stop()
      await admissions.close()
    },
  }
}

/** How somebody is let in: the headers that he shows, and whose account that opens. */
export type Holder = { readonly headers: Readonly<Record<string, string>>; readonly userId: string | null }

export type World = {
  readonly db: Db
  readonly group: { readonly id: string; readonly owner: Someone; readonly manager: Someone }
  /** A member of the group, who made everything within it. */
  readonly owner: Someone
  /** May do everything in the owner's account that may be done for another. */
  readonly delegate: Someone
  readonly delegation: string
  readonly key: { readonly id: string; readonly key: string }
  readonly administrator: Someone
  readonly stranger: Someone
  /** The owner's, to validate. */
  readonly evidence: string
  /** Nobody's, to validate. */
  readonly free: { readonly id: string; readonly token: string }
  /** The owner's, to be agreed to. */
  readonly deposit: string
  /** Sessions under way, like those two evidences. */
  readonly live: { readonly owned: string; readonly free: string }
  close(): Promise<void>
}

export const bearer = ({ id, token }: Someone, delegation?: string): Holder => ({
  headers: { authorization: `Bearer ${token}`, ...(delegation === undefined ? {} : { 'x-delegation': delegation }) },
  userId: id,
})

let passwordHash: string | undefined
/** More than two kernels keep on the way to who does not read. */
const piece = new Uint8Array(16 * 1024 * 1024)

async function person(db: Db, now: Date, staff?: StaffRole): Promise<Someone> {
  const email = (id: string) => `${id}@people.example`
  const made = await signIn(db, now, {
    name: ['Claire', 'Dupont'],
    email,
    locale: 'en',
    proven: true,
    secondFactor: staff !== undefined,
  })
  await db.updateTable('account_user').set({ password_hash: passwordHash }).where('id', '=', made.id).execute()
  await db.insertInto('profile').values({ user_id: made.id, user_type: 'natural', updated_at: now }).execute()
  if (staff !== undefined) await db.insertInto('user_role').values({ user_id: made.id, role: staff, granted_at: now }).execute()
  return made
}

export async function haveWorld(db: Db, blobs: BlobStore, clock: Clock, capture: CaptureProcess): Promise<World> {
  const now = clock.now()
  const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
  const some = async (staff?: StaffRole) => await person(db, now, staff)
  passwordHash ??= await passwords.hash(password)
  const [owner, delegate, groupOwner, manager, stranger, administrator] = await Promise.all([
    some(),
    some(),
    some(),
    some(),
    some(),
    some('administrator'),
  ])
  const groupId = randomUUID()
  await db.insertInto('account_group').values({ id: groupId, name: 'A company', seats: 50, created_at: now }).execute()
  await setMember(db, owner.id, groupId, 'member')
  await setMember(db, groupOwner.id, groupId, 'owner')
  await setMember(db, manager.id, groupId, 'manager')
  const delegation = randomUUID()
  await db
    .insertInto('access_delegation')
    .values({
      id: delegation,
      grantor_id: owner.id,
      delegate_id: delegate.id,
      address: delegate.email,
      address_key: delegate.email,
      scope: 'manage',
      created_at: now,
      expires_at: hours(2),
    })
    .execute()
  const key = { id: randomUUID(), key: apiKeyOf(randomBytes(32).toString('base64url'), crc32) }
  await db
    .insertInto('api_key')
    .values({
      id: key.id,
      user_id: owner.id,
      name: 'program',
      token_hash: createHash('sha256').update(key.key).digest(),
      hint: apiKeyHint(key.key),
      scopes: [...apiScopes],
      per_minute: 600,
      created_at: now,
      expires_at: hours(2),
    })
    .execute()
  const owned = { ownerId: owner.id, createdBy: owner.id, groupId }
  const free = await haveDraft(db, blobs, now, null)
  const { id: evidence } = await haveDraft(db, blobs, now, owned)
  const live = { owned: await haveSession(db, now, owned), free: await haveSession(db, now, null, free.token) }
  const held = [await capture.hold(live.owned), await capture.hold(live.free)]
  const actor = {
    userId: owner.id,
    accountId: owner.id,
    delegation: null,
    sessionId: randomUUID(),
    roles: new Set<StaffRole>(),
    secondFactor: false,
    locale: 'en' as const,
  }
  const sha256 = createHash('sha256').update(randomBytes(9)).digest('hex')
  const [deposit] = await createDocuments({ db, clock }, actor, { documents: [{ sha256, store: true }], agree: false })
  return {
    db,
    group: { id: groupId, owner: groupOwner, manager },
    owner,
    delegate,
    delegation,
    key,
    administrator,
    stranger,
    evidence,
    free,
    deposit: deposit?.id ?? '',
    live,
    async close() {
      for (const each of held) await each.close()
    },
  }
}

type Ownership = Parameters<typeof insertEvidence>[1]['ownership'] & {}

/** A session of which the capture is under way. */
async function haveSession(db: Db, now: Date, ownership: Ownership | null, token: string = randomUUID()): Promise<string> {
  const id = randomUUID()
  const asked = { action: 'interactive', requestedUrl: 'https://example.org/', locale: 'en' } as const
  await insertEvidence(db, { id, tokenHash: hashOf(token), now, ownership, ...asked })
  await sql`update evidence set status = 'preparing', fence = 1, lease_owner = 'capture',
    lease_until = clock_timestamp() + interval '1 hour' where id = ${id}::uuid`.execute(db)
  return id
}

async function haveDraft(
  db: Db,
  blobs: BlobStore,
  now: Date,
  ownership: Ownership | null,
): Promise<{ id: string; token: string }> {
  const [id, token] = [randomUUID(), randomBytes(32).toString('base64url')]
  const requestedUrl = 'https://example.org/'
  await insertEvidence(db, { id, tokenHash: hashOf(token), action: 'static', requestedUrl, locale: 'en', now, ownership })
  const expiresAt = new Date(now.getTime() + 20 * 3_600_000)
  const described = { path: 'capture/page.warc', section: 'piece', role: 'viewport_screenshot', mediaType: 'image/png' } as const
  const file = await storeBytes(blobs.scope(id), described, piece)
  await db.transaction().execute(async (tx) => {
    await insertFiles(tx, id, [file])
    for (const status of ['preparing', 'completing', 'to_validate'] as const)
      await changeStatus(tx, id, status, now, status === 'to_validate' ? { expiresAt } : {})
  })
  return { id, token }
}

/** Something changes that whoever follows it is told. */
export async function touch(db: Db, table: 'evidence' | 'document', id: string, label: string): Promise<void> {
  await sql`update ${sql.table(table)} set label = ${label} where id = ${id}::uuid`.execute(db)
}
