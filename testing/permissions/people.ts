import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { apiScopes, type ApiScope, type StaffRole } from '../../kernel/actor.ts'
import { insertFiles } from '../../modules/evidence/server/files/file-store.ts'
import { hashOf } from '../../modules/evidence/server/own/hold-evidence.ts'
import { changeStatus, insertEvidence } from '../../modules/evidence/server/record/store.ts'
import { storeBytes } from '../../modules/evidence/server/files/store-files.ts'
import { apiKeyHint, apiKeyOf } from '../../modules/identity/domain/api-key.ts'
import { makeSubjectKey, openSubject, scopeOf } from '../../modules/review/server/documents/subject-key.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { haveServer } from '../capture-server.ts'
import { haveBilling, type BillingRows } from './have-billing.ts'
import { havePayouts, type PayoutRows } from './have-payouts.ts'
import { haveLicensing, type LicensingRows } from './have-licensing.ts'
import { haveDeposits, type Deposits } from './have-deposits.ts'
import { haveSupport, type SupportRows } from './have-support.ts'
import { passwords, vault } from './open-web-api.test-data.ts'
import { isKey, roles, type Role } from './roles.ts'
import { drawCode } from '../accounts.ts'

export { roles, isKey, type Role } from './roles.ts'

export const password = 'Correct-horse 7'
/** Stands in the label of the owner's evidence: whoever reads it reached what is his. */
export const marker = 'Only the owner reads this 4d5f'

export type Person = {
  readonly id: string
  readonly email: string
  readonly token: string
  readonly sessionId: string
  readonly emailId: string
}
export type World = {
  readonly people: ReadonlyMap<Role, Person>
  readonly groupId: string
  /** By delegate; all of the owner's account. */
  readonly delegations: ReadonlyMap<Role, string>
  /** Of the owner; its token opens it no more. */
  readonly owned: { readonly id: string; readonly token: string }
  /** Nobody's: its token opens it. */
  readonly free: { readonly id: string; readonly token: string }
  /** Path of a piece that both evidences have. */
  readonly piece: string
  /** Of mails to `other`. */
  readonly confirmKey: string
  readonly resetToken: string
  readonly invitation: { readonly id: string; readonly token: string }
  /** The owner's, by {@link keyName}. */
  readonly keys: ReadonlyMap<string, { readonly id: string; readonly key: string }>
  /** Of the owner. */
  readonly deposits: Deposits
  /** The owner's. */
  readonly billing: BillingRows
  /** The owner's offer. */
  readonly licensing: LicensingRows
  readonly payouts: PayoutRows
  /** The owner's. */
  readonly support: SupportRows
  /** Of `member`, and with the reviewers. */
  readonly documentId: string
}

const withoutAccount: readonly Role[] = ['anonymous', 'holder', 'former_holder']
const staff: Partial<Record<Role, StaffRole>> = {
  support: 'support',
  verifier: 'verifier',
  administrator: 'administrator',
  administrator_one_factor: 'administrator',
}
const groupRole: Partial<Record<Role, 'owner' | 'manager' | 'member'>> = {
  owner: 'member',
  member: 'member',
  manager: 'manager',
  legal_owner: 'owner',
}
const scopes: Partial<Record<Role, 'read' | 'create' | 'manage'>> = {
  delegate_read: 'read',
  delegate_create: 'create',
  delegate_manage: 'manage',
  delegate_expired: 'manage',
}

const secret = () => randomBytes(32).toString('base64url')
const hash = (token: string) => createHash('sha256').update(token).digest()
const hours = (count: number) => new Date(Date.now() + count * 3_600_000)

export function personOf(world: World, role: Role): Person {
  const person = world.people.get(role)
  if (person === undefined) throw new Error(`${role} has no account`)
  return person
}

/** What a role means by "the evidence": its holder's, or the owner's. */
export const evidenceOf = (world: World, role: Role) => (role === 'holder' ? world.free : world.owned)

const isDelegate = (role: Role) => role.startsWith('delegate_')

/** In whose account a role acts; `other`'s stands for who has none. */
export function accountOf(world: World, role: Role): Person {
  return personOf(world, isDelegate(role) || isKey(role) ? 'owner' : withoutAccount.includes(role) ? 'other' : role)
}

const keyName = (role: Role, scope: ApiScope | null) => (scope === null ? 'all' : `${role} ${scope}`)

/** What a role shows of itself, as headers. @param scope of keys that the call is for; null: it is for none */
export function credentials(world: World, role: Role, scope: ApiScope | null = null): Record<string, string> {
  if (role === 'anonymous') return {}
  if (isKey(role)) return { authorization: `Bearer ${world.keys.get(keyName(role, scope))?.key ?? ''}` }
  if (role === 'holder' || role === 'former_holder') return { 'x-evidence-token': evidenceOf(world, role).token }
  const bearer = { authorization: `Bearer ${personOf(world, role).token}` }
  return isDelegate(role) ? { ...bearer, 'x-delegation': world.delegations.get(role) ?? '' } : bearer
}

/** People of every role, with what they have and share. */
export async function haveWorld(db: Db, blobs: BlobStore): Promise<World> {
  const passwordHash = await passwords.hash(password)
  const people = new Map<Role, Person>()
  for (const role of roles)
    if (!withoutAccount.includes(role) && !isKey(role))
      people.set(role, await havePerson(db, role, `${role}@people.example`, passwordHash))
  const idOf = (role: Role) => people.get(role)?.id ?? ''

  const groupId = randomUUID()
  const now = new Date()
  await db.insertInto('account_group').values({ id: groupId, name: 'A company', seats: 50, created_at: now }).execute()
  for (const [role, each] of Object.entries(groupRole))
    await db
      .insertInto('group_member')
      .values({ user_id: idOf(role as Role), group_id: groupId, role: each, joined_at: now })
      .execute()
  await haveServer(db, 'assigned', { kind: 'dedicated', group: groupId })
  await haveServer(db, 'free', { kind: 'dedicated' })
  const delegations = new Map<Role, string>()
  for (const [role, scope] of Object.entries(scopes)) {
    const id = randomUUID()
    const address = `${role}@people.example`
    await db
      .insertInto('access_delegation')
      .values({
        id,
        grantor_id: idOf('owner'),
        delegate_id: idOf(role as Role),
        address,
        address_key: address,
        scope,
        created_at: hours(-48),
        expires_at: role === 'delegate_expired' ? hours(-1) : hours(240),
      })
      .execute()
    delegations.set(role as Role, id)
  }
  const ownership = { ownerId: idOf('owner'), createdBy: idOf('owner'), groupId }
  const owned = await haveEvidence(db, blobs, marker, ownership)
  const free = await haveEvidence(db, blobs, 'Nobody’s', null)
  const mails = await haveMails(db, { groupId, invitedBy: idOf('legal_owner'), other: idOf('other') })
  const documentId = await haveDocument(db, blobs, idOf('member'))
  return {
    people,
    groupId,
    delegations,
    owned,
    free,
    piece: 'capture/viewport.png',
    keys: await haveKeys(db, idOf('owner')),
    ...mails,
    deposits: await haveDeposits(db, blobs, idOf('owner'), marker),
    billing: await haveBilling(db, idOf('owner')),
    licensing: await haveLicensing(db, { seller: idOf('owner'), buyer: idOf('other'), evidenceId: owned.id }),
    payouts: await havePayouts(db, { earner: idOf('owner'), referee: idOf('other') }),
    support: await haveSupport(db, blobs, idOf('owner')),
    documentId,
  }
}

async function haveKeys(db: Db, userId: string): Promise<World['keys']> {
  const wanted = [
    [keyName('key_with_scope', null), apiScopes],
    ...apiScopes.flatMap((scope) => [
      [keyName('key_with_scope', scope), [scope]] as const,
      [keyName('key_without_scope', scope), apiScopes.filter((each) => each !== scope)] as const,
    ]),
  ] as const
  const keys = new Map<string, { id: string; key: string }>()
  for (const [name, scopes] of wanted) {
    const [id, key] = [randomUUID(), apiKeyOf(secret(), crc32)]
    await db
      .insertInto('api_key')
      .values({
        id,
        user_id: userId,
        name,
        token_hash: hash(key),
        hint: apiKeyHint(key),
        scopes: [...scopes],
        per_minute: 600,
        created_at: hours(-1),
        expires_at: hours(24),
      })
      .execute()
    keys.set(name, { id, key })
  }
  return keys
}

/** An identity document that was sent, with one page. */
async function haveDocument(db: Db, blobs: BlobStore, userId: string): Promise<string> {
  const [id, now, page] = [randomUUID(), new Date(), Buffer.from('the passport')]
  const sealedKey = makeSubjectKey(vault, userId)
  const subject = openSubject(vault, userId, sealedKey)
  const scope = blobs.scope(scopeOf(id))
  const original = await scope.putBytes(subject.seal(id, 'original', page))
  const picture = await scope.putBytes(subject.seal(id, 1, page))
  await db
    .insertInto('identity_file')
    .values({
      user_id: userId,
      state: 'pending',
      sealed_key: sealedKey,
      round: 1,
      submitted_at: now,
      touched_at: now,
      uploads_since: now,
    })
    .execute()
  await db
    .insertInto('identity_document')
    .values({
      id,
      user_id: userId,
      kind: 'passport',
      version: 1,
      state: 'pending',
      media_type: 'image/jpeg',
      bytes: page.length,
      blob: original.sha256,
      uploaded_at: now,
    })
    .execute()
  await db
    .insertInto('identity_page')
    .values({ document_id: id, number: 1, media_type: 'image/jpeg', width: 8, height: 8, blob: picture.sha256 })
    .execute()
  return id
}

async function havePerson(db: Db, role: Role, email: string, passwordHash: string): Promise<Person> {
  const [id, sessionId, emailId, token, now] = [randomUUID(), randomUUID(), randomUUID(), secret(), new Date()]
  await db
    .insertInto('account_user')
    .values({
      id,
      status: role === 'suspended' ? 'suspended' : 'active',
      suspended_at: role === 'suspended' ? now : null,
      password_hash: passwordHash,
      password_changed_at: now,
      first_name: 'Claire',
      last_name: 'Dupont',
      locale: 'en',
      referral_code: drawCode(),
      terms_accepted_at: now,
      created_at: now,
      confirmed_at: now,
    })
    .execute()
  await db
    .insertInto('email_address')
    .values({
      id: emailId,
      user_id: id,
      address: email,
      address_key: email,
      is_primary: true,
      verified_at: now,
      created_at: now,
    })
    .execute()
  await db
    .insertInto('user_session')
    .values({
      id: sessionId,
      user_id: id,
      token_hash: hash(token),
      created_at: now,
      seen_at: now,
      expires_at: hours(24),
      remembered: true,
      browser: 'Firefox on Linux',
      network: '192.0.2.0/24',
      second_factor: role in staff && role !== 'administrator_one_factor',
      proven_at: now,
    })
    .execute()
  const held = staff[role]
  if (held !== undefined) await db.insertInto('user_role').values({ user_id: id, role: held, granted_at: now }).execute()
  await db.insertInto('profile').values({ user_id: id, user_type: 'legal', updated_at: now }).execute()
  return { id, email, token, sessionId, emailId }
}

async function haveEvidence(
  db: Db,
  blobs: BlobStore,
  label: string,
  ownership: (Parameters<typeof insertEvidence>[1]['ownership'] & {}) | null,
): Promise<{ id: string; token: string }> {
  const [id, token, now] = [randomUUID(), secret(), new Date()]
  const requestedUrl = 'https://example.org/'
  await insertEvidence(db, {
    id,
    tokenHash: hashOf(token),
    action: 'static',
    requestedUrl,
    locale: 'en',
    now,
    ownership,
    label,
  })
  const described = {
    path: 'capture/viewport.png',
    section: 'piece',
    role: 'viewport_screenshot',
    mediaType: 'image/png',
  } as const
  const file = await storeBytes(blobs.scope(id), described, new Uint8Array([137, 80, 78, 71]))
  await db.transaction().execute(async (tx) => {
    await insertFiles(tx, id, [file])
    for (const status of ['preparing', 'completing', 'to_validate'] as const)
      await changeStatus(tx, id, status, now, status === 'to_validate' ? { expiresAt: hours(20) } : {})
  })
  return { id, token }
}

/** What was sent and not used yet: to `other`, who is in no group. */
async function haveMails(
  db: Db,
  { groupId, invitedBy, other }: { readonly groupId: string; readonly invitedBy: string; readonly other: string },
): Promise<Pick<World, 'confirmKey' | 'resetToken' | 'invitation'>> {
  const [confirmKey, resetToken, now, emailId] = [secret(), secret(), new Date(), randomUUID()]
  const invitation = { id: randomUUID(), token: secret() }
  const address = 'second@people.example'
  await db
    .insertInto('email_address')
    .values({ id: emailId, user_id: other, address, address_key: address, is_primary: false, verified_at: null, created_at: now })
    .execute()
  const mailed = { user_id: other, created_at: now, expires_at: hours(1) }
  await db
    .insertInto('mailed_token')
    .values([
      { ...mailed, id: randomUUID(), purpose: 'confirm_address', email_id: emailId, token_hash: hash(confirmKey) },
      { ...mailed, id: randomUUID(), purpose: 'reset_password', email_id: null, token_hash: hash(resetToken) },
    ])
    .execute()
  const invited = 'other@people.example'
  await db
    .insertInto('group_invitation')
    .values({
      id: invitation.id,
      group_id: groupId,
      invited_by: invitedBy,
      address: invited,
      address_key: invited,
      role: 'member',
      token_hash: hash(invitation.token),
      created_at: now,
      expires_at: hours(100),
    })
    .execute()
  return { confirmKey, resetToken, invitation }
}
