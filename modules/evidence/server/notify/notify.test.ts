import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { actorOf, haveAccount, haveGroup, removeMember, setMember } from '../../../../testing/accounts.ts'
import { finish } from '../finish.test-data.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { agreeEvidence } from '../draft/agree-evidence.ts'
import { rejectEvidence, retryEvidence } from '../draft/decide-evidence.ts'
import { insertSeal } from '../seal/seal-store.ts'
import { sampleSeal } from '../../../report/server/sample-report.test-data.ts'
import { haveAddress } from './notify.test-data.ts'
import { notificationHandlers } from '../notification-handlers.ts'
import { notifyPeople } from './notify-people.ts'
import { remindOfDrafts } from './remind-of-drafts.ts'
import { warnOfWeakening } from './warn-of-weakening.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-notify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let now = new Date('2026-11-21T10:00:00.000Z')
const clock = { now: () => now }
const later = (hours: number) => (now = new Date(now.getTime() + hours * 3_600_000))
const mails: Mail[] = []
beforeEach(() => {
  mails.length = 0
})

const deps = () => ({
  db: database.db,
  blobs: createFolderBlobStore(folder),
  clock,
  log: silentLog,
  secret: 's'.repeat(32),
  publicUrl: 'https://probant.example',
  allowAddresses: [],
  scenarios: [],
  mailer: { send: async (mail: Mail) => await Promise.resolve(void mails.push(mail)), close: () => undefined },
})

/** Does what waits in the queue of mails, as the worker would. @returns what was sent, `address: subject` */
async function work(): Promise<string[]> {
  const before = mails.length
  const { rows } = await sql<{ payload: unknown }>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'evidence.send_notification' returning j.payload`.execute(database.db)
  const [send] = notificationHandlers(deps())
  for (const { payload } of rows)
    await send?.run(payload, { log: silentLog, attempt: 1, maxAttempts: 1, signal: new AbortController().signal })
  return mails
    .slice(before)
    .map(({ to, subject }) => `${to}: ${subject}`)
    .toSorted()
}

async function person(name: string, locale: 'en' | 'fr' = 'en'): Promise<{ id: string; address: string }> {
  const id = await haveAccount(database.db, { first: name, last: 'Martin' })
  await database.db.updateTable('account_user').set({ locale }).where('id', '=', id).execute()
  return { id, address: await haveAddress(database.db, id, `${name.toLowerCase()}.${randomUUID()}@people.example`) }
}

const asked = { url: 'https://boutique.example/offre', action: 'static', locale: 'en' } as const

async function draft(of: string, actor = actorOf(of), more: object = {}): Promise<string> {
  const { evidence } = await createEvidence(deps(), { ...asked, ...more }, { addressPrefix: null, actor })
  await finish(database.db, evidence.id, 'to_validate', now)
  const until = new Date(now.getTime() + 24 * 3_600_000)
  await database.db.updateTable('evidence').set({ expires_at: until }).where('id', '=', evidence.id).execute()
  return evidence.id
}

/** As finalizing does. */
async function makeFinal(id: string): Promise<void> {
  await sql`update evidence set status = 'finalizing', expires_at = null where id = ${id}::uuid and status = 'to_validate'`.execute(
    database.db,
  )
  await database.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('evidence')
      .set({ status: 'final', finalized_at: now })
      .where('id', '=', id)
      .returning(['id', 'owner_id', 'created_by'])
      .executeTakeFirstOrThrow()
    const evidence = { id: row.id, ownerId: row.owner_id, createdBy: row.created_by }
    await notifyPeople(tx, evidence, { kind: 'report_ready' }, now)
  })
}

async function delegate(grantor: string, to: string, address: string): Promise<string> {
  const id = randomUUID()
  await database.db
    .insertInto('access_delegation')
    .values({
      id,
      grantor_id: grantor,
      delegate_id: to,
      address,
      address_key: address,
      scope: 'create',
      created_at: now,
      expires_at: new Date(now.getTime() + 30 * 86_400_000),
    })
    .execute()
  return id
}

const settings = async (userId: string, change: object) =>
  await database.db
    .insertInto('account_settings')
    .values({ user_id: userId, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute()

describe('S-42 the report is ready', () => {
  test('its owner is told once, in his language, with a way to end such mails', async () => {
    const claire = await person('Claire', 'fr')
    const id = await draft(claire.id, actorOf(claire.id), { label: 'Dossier 42' })
    await makeFinal(id)
    expect(await work()).toEqual([`${claire.address}: Votre rapport est prêt\u202F: boutique.example`])
    const [mail] = mails
    expect(mail?.locale).toBe('fr')
    expect(mail?.text).toContain('Bonjour Claire Martin,')
    expect(mail?.text).toContain('https://boutique.example/offre')
    expect(mail?.text).toContain('Dossier 42')
    expect(mail?.text).toContain(`https://probant.example/fr/capture/${id}/`)
    expect(mail?.text).toMatch(
      /Ne plus recevoir ces messages\nhttps:\/\/probant\.example\/fr\/by-mail\/notifications\/\?key=report_ready\./,
    )
    expect(mail?.unsubscribe).toMatch(/^https:\/\/probant\.example\/settings\/by_mail\/one_click\/\?key=report_ready\./)
    // The same event again, and the same job again, send nothing.
    await database.db.transaction().execute(async (tx) => {
      await notifyPeople(tx, { id, ownerId: claire.id, createdBy: claire.id }, { kind: 'report_ready' }, now)
    })
    expect(await work()).toEqual([])
  })

  test('of a delegate’s, both are told, each in his own language; of one who may no longer act, the owner alone', async () => {
    const claire = await person('Claire', 'fr')
    const paul = await person('Paul', 'en')
    const delegation = await delegate(claire.id, paul.id, paul.address)
    const acting = actorOf(paul.id, { id: delegation, scope: 'create', grantorId: claire.id })
    await makeFinal(await draft(claire.id, acting))
    expect(await work()).toEqual(
      [
        `${claire.address}: Votre rapport est prêt\u202F: boutique.example`,
        `${paul.address}: Your report is ready: boutique.example`,
      ].toSorted(),
    )
    expect(mails.find(({ to }) => to === paul.address)?.text).toContain('in the account of Claire Martin')
    expect(mails.find(({ to }) => to === claire.address)?.text).toContain('Paul Martin l’a demandé')
    const another = await draft(claire.id, acting)
    await database.db.updateTable('access_delegation').set({ ended_at: now }).where('id', '=', delegation).execute()
    await makeFinal(another)
    expect(await work()).toEqual([`${claire.address}: Votre rapport est prêt\u202F: boutique.example`])
  })

  test('a member who left his group is told nothing of what he made in it', async () => {
    const paul = await person('Paul')
    const group = await haveGroup(database.db)
    await setMember(database.db, paul.id, group, 'member')
    const [kept, left] = [await draft(paul.id), await draft(paul.id)]
    await makeFinal(kept)
    expect(await work()).toHaveLength(1)
    await makeFinal(left)
    await removeMember(database.db, paul.id)
    expect(await work()).toEqual([])
  })

  test('nobody is told who wants no such mail, whose address is not proven, whose account is not open, or of what was thrown away', async () => {
    const claire = await person('Claire')
    const id = await draft(claire.id)
    await settings(claire.id, { notify_report_ready: false })
    await makeFinal(id)
    expect(await work()).toEqual([])

    const unproven = await person('Ana')
    await database.db.updateTable('email_address').set({ verified_at: null }).where('user_id', '=', unproven.id).execute()
    await makeFinal(await draft(unproven.id))
    const suspended = await person('Sam')
    await makeFinal(await draft(suspended.id))
    await database.db
      .updateTable('account_user')
      .set({ status: 'suspended', suspended_at: now })
      .where('id', '=', suspended.id)
      .execute()
    const tidy = await person('Tim')
    const thrown = await draft(tidy.id)
    await makeFinal(thrown)
    await database.db.updateTable('evidence').set({ trashed_at: now }).where('id', '=', thrown).execute()
    expect(await work()).toEqual([])
    expect((await database.db.selectFrom('notification').select('sent').execute()).every(({ sent }) => sent !== null)).toBe(true)
  })

  test('nothing of the captured page is in it, and what people wrote is shown harmless', async () => {
    const eve = await person('Eve')
    await database.db
      .updateTable('account_user')
      .set({ first_name: '<b>Eve</b>\u202E', last_name: '"><img src=x>' })
      .where('id', '=', eve.id)
      .execute()
    const url = `https://boutique.example/%3Cscript%3E?q=<script>alert(1)</script>&x=${'a'.repeat(1500)}`
    const id = await draft(eve.id, actorOf(eve.id), { url, label: '<a href="https://evil.example">\u2066Pay</a>' })
    await makeFinal(id)
    await work()
    const [mail] = mails
    expect(mail?.html).not.toMatch(/<script|<img|<b>|href="https:\/\/evil/)
    expect(mail?.html).toContain('&lt;b&gt;Eve&lt;/b&gt;&lt;U+202E&gt;')
    expect(mail?.text).toContain('<U+2066>Pay')
    expect(mail?.text).toContain('[…]')
    expect(mail?.text).not.toMatch(/[\u202e\u2066]/)
    expect(mail?.text.length).toBeLessThan(2000)
  })
})

describe('S-40 K-03 a draft ends', () => {
  test('three hours before, once, and not of one that was decided on', async () => {
    const claire = await person('Claire')
    const ids = []
    for (let i = 0; i < 4; i += 1) ids.push(await draft(claire.id))
    const [waiting, rejected, agreed, again] = ids as [string, string, string, string]
    later(20)
    expect(await remindOfDrafts(deps())).toBe(0)
    later(1)
    expect(await remindOfDrafts(deps())).toBe(4)
    expect(await remindOfDrafts(deps())).toBe(0)
    // Decided between the looking and the sending.
    const caller = { actor: actorOf(claire.id) }
    await rejectEvidence(deps(), caller, rejected)
    await agreeEvidence(deps(), caller, agreed)
    await retryEvidence(deps(), caller, again)
    expect(await work()).toEqual([`${claire.address}: Your draft is deleted soon: boutique.example`])
    expect(mails[0]?.text).toContain('on 22 November 2026 at 10:00 UTC')
    expect(mails[0]?.text).toContain(waiting)
  })

  test('a draft that a token holds has nobody to tell; taken over in its last hours, its owner is told then', async () => {
    const { evidence } = await createEvidence(deps(), asked)
    await finish(database.db, evidence.id, 'to_validate', now)
    const until = new Date(now.getTime() + 2 * 3_600_000)
    await database.db.updateTable('evidence').set({ expires_at: until }).where('id', '=', evidence.id).execute()
    expect(await remindOfDrafts(deps())).toBe(0)
    const claire = await person('Claire')
    const taken = { owner_id: claire.id, claimed_by: claire.id, claimed_at: now }
    await database.db.updateTable('evidence').set(taken).where('id', '=', evidence.id).execute()
    expect(await remindOfDrafts(deps())).toBe(1)
    expect(await work()).toEqual([`${claire.address}: Your draft is deleted soon: boutique.example`])
  })
})

test('stamps that could not be renewed in time are told of once, their end once more; what was renewed meanwhile is not', async () => {
  const claire = await person('Claire')
  const stampedUntil = new Date(now.getTime() + 90 * 86_400_000)
  const ids = [await draft(claire.id), await draft(claire.id)] as const
  for (const [i, id] of ids.entries()) {
    await makeFinal(id)
    const health = { stampedUntil, renewAt: new Date(now.getTime() - 86_400_000) }
    await database.db.transaction().execute(async (tx) => {
      await insertSeal(tx, id, { root: String(i).repeat(64), summary: sampleSeal, sealedAt: now, health })
    })
  }
  await work()
  expect(await warnOfWeakening(deps())).toBe(0)
  later(7 * 24)
  expect(await warnOfWeakening(deps())).toBe(2)
  const renewed = {
    stamped_until: new Date(now.getTime() + 900 * 86_400_000),
    renew_at: new Date(now.getTime() + 500 * 86_400_000),
  }
  await database.db.updateTable('seal').set(renewed).where('evidence_id', '=', ids[1]).execute()
  expect(await work()).toEqual([`${claire.address}: The time stamps of a report need attention: boutique.example`])
  expect(mails.at(-1)?.text).toContain('hold until 20 February 2027')
  await warnOfWeakening(deps())
  expect(await work()).toEqual([])
  later(90 * 24)
  await warnOfWeakening(deps())
  expect(await work()).toHaveLength(1)
  expect(mails.at(-1)?.text).toContain('ended on 20 February 2027')
})
