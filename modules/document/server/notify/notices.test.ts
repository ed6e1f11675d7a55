import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { changeDocument } from '../change-document.ts'
import { createDocuments } from '../create-documents.ts'
import { actorOf, haveAccount, linkSecret, openDepositWorld, sha256Hex, type DepositWorld } from '../deposits.test-data.ts'
import { remindOfDrafts } from './notify-depositors.ts'
import { sendNotice } from './send-notice.ts'

const database = withDatabase()
const start = new Date('2026-11-20T10:00:00Z')
let now = start
let world: DepositWorld
const mails: Mail[] = []

beforeAll(async () => {
  world = await openDepositWorld(database.db, { clock: { now: () => now } })
})
afterAll(async () => await world.remove())

async function person(locale: 'en' | 'fr'): Promise<{ id: string; address: string }> {
  const id = await haveAccount(database.db)
  const address = `${id}@people.example`
  await database.db.updateTable('account_user').set({ locale }).where('id', '=', id).execute()
  await database.db
    .insertInto('email_address')
    .values({
      id: randomUUID(),
      user_id: id,
      address,
      address_key: address,
      is_primary: true,
      verified_at: start,
      created_at: start,
    })
    .execute()
  return { id, address }
}

/** Five minutes of the worker. @returns what was sent */
async function look(): Promise<Mail[]> {
  const before = mails.length
  await remindOfDrafts(world)
  const { rows } = await sql<{ id: string }>`select id from document_notification where settled_at is null`.execute(database.db)
  const mailer = { send: async (mail: Mail) => await Promise.resolve(void mails.push(mail)), close: () => undefined }
  for (const { id } of rows) {
    const deps = { ...world, mailer, secret: linkSecret, publicUrl: 'https://probant.example' }
    await sendNotice(deps, id)
    await sendNotice(deps, id)
  }
  return mails.slice(before)
}

const draft = () => ({ sha256: sha256Hex(randomUUID()), store: false })

test('S-41 K-03 drafts that end in three hours are told of once, together, in the language of who reads', async () => {
  const [ada, zoe, none] = [await person('en'), await person('fr'), await person('en')]
  await database.db.insertInto('account_settings').values({ user_id: none.id, notify_draft_ending: false }).execute()
  const [kept] = await createDocuments(world, actorOf(ada.id), { documents: [draft(), draft()], agree: false })
  await createDocuments(world, actorOf(zoe.id), { documents: [draft()], agree: false })
  await createDocuments(world, actorOf(none.id), { documents: [draft()], agree: false })
  now = new Date(start.getTime() + 20 * 3_600_000)
  expect(await look()).toEqual([])
  now = new Date(start.getTime() + 21 * 3_600_000)
  const sent = await look()
  expect(new Map(sent.map(({ to, subject }) => [to, subject]))).toEqual(
    new Map([
      [ada.address, '2 deposits of yours are deleted soon'],
      [zoe.address, 'Un de vos dépôts sera bientôt supprimé'],
    ]),
  )
  expect(sent).toHaveLength(2)
  const french = sent.find(({ to }) => to === zoe.address)
  expect(french?.text).toContain('il sera supprimé le 21 novembre 2026 à 10:00 UTC.')
  expect(french?.text).toContain('https://probant.example/fr/documents/pending/')
  expect(french?.unsubscribe).toContain('https://probant.example/settings/by_mail/one_click/?key=draft_ending.')
  expect(await look()).toEqual([])
  expect(kept?.status).toBe('draft')
})

test('whoever decided before the mail is sent gets none', async () => {
  now = start
  const ada = await person('en')
  const [one] = await createDocuments(world, actorOf(ada.id), { documents: [draft()], agree: false })
  now = new Date(start.getTime() + 22 * 3_600_000)
  await remindOfDrafts(world)
  await changeDocument(world, actorOf(ada.id), one?.id ?? '', { trashed: true })
  expect(await look()).toEqual([])
})
