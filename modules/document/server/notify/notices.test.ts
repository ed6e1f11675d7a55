import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mail } from '../../../../platform/mail/mailer.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { changeDocument } from '../change/change-document.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { linkSecret, openDepositWorld, sha256Hex, type DepositWorld } from '../deposits.test-data.ts'
import { sealBatch } from '../seal/seal-batch.ts'
import { remindOfCopies, remindOfDrafts, warnOfWeakening } from './notify-depositors.ts'
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
  await remindOfCopies(world)
  await warnOfWeakening(world)
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
  expect(french?.text).toContain('il sera supprimé le 21 novembre 2026 à 10\u00a0h\u00a000 UTC.')
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

test('E-33 that copies end is told thirty days before and seven, once each, together, with the way to each; not of what went', async () => {
  now = start
  const [ada, zoe, none] = [await person('en'), await person('fr'), await person('en')]
  await database.db.insertInto('account_settings').values({ user_id: none.id, notify_download_reminder: false }).execute()
  const dayMs = 24 * 3_600_000
  const at = (days: number) => new Date(start.getTime() + days * dayMs)
  const keep = async (user: string, name: string | undefined, days: number) => {
    const asked = { ...draft(), store: true, ...(name === undefined ? {} : { document_name: name }) }
    const [made] = await createDocuments(world, actorOf(user), { documents: [asked], agree: true })
    const id = made?.id ?? ''
    const copy = { id: randomUUID(), document_id: id, owner_id: user, state: 'stored', bytes: 5, sealed_key: Buffer.alloc(40) }
    const times = { begun_at: start, touched_at: start, stored_at: start, kept_until: at(days) }
    await database.db
      .insertInto('document_copy')
      .values({ ...copy, ...times })
      .execute()
    return id
  }
  const [plan] = [await keep(ada.id, 'plan.pdf', 60), await keep(ada.id, undefined, 61), await keep(zoe.id, 'contrat.pdf', 60)]
  const gone = await keep(zoe.id, 'parti.pdf', 60)
  await keep(none.id, 'none.pdf', 60)
  // Never to be kept for so long: told of once.
  await keep(zoe.id, 'bref.pdf', 20)
  expect(await look()).toEqual([])
  now = at(13)
  expect((await look()).map(({ to, text }) => [to, text.includes('bref.pdf, conservé jusqu’au')])).toEqual([[zoe.address, true]])
  now = at(31)
  await changeDocument(world, actorOf(zoe.id), gone, { store: false })
  const sent = await look()
  expect(new Map(sent.map(({ to, subject }) => [to, subject]))).toEqual(
    new Map([
      [ada.address, 'Copies of 2 of your documents are deleted soon'],
      [zoe.address, 'La copie de votre document sera bientôt supprimée'],
    ]),
  )
  const english = sent.find(({ to }) => to === ada.address)
  expect(english?.text).toContain(`plan.pdf, kept until 19 January 2027\nhttps://probant.example/en/documents/deposit/${plan}/`)
  expect(english?.text).toContain('https://probant.example/en/documents/completed/')
  expect(english?.unsubscribe).toContain('https://probant.example/settings/by_mail/one_click/?key=download_reminder.')
  expect(await look()).toEqual([])
  now = at(53)
  expect((await look()).map(({ to }) => to).toSorted()).toEqual([ada.address, zoe.address].toSorted())
  now = at(54)
  const last = await look()
  expect(last.map(({ to, text }) => [to, text.includes('plan.pdf')])).toEqual([[ada.address, false]])
  now = at(59)
  expect(await look()).toEqual([])
})

test('S-41 time stamps that were not renewed in time are told of once, all together, and once more when they have ended', async () => {
  now = new Date(start.getTime() + 400 * 86_400_000)
  await look()
  const [ada, zoe, none] = [await person('en'), await person('fr'), await person('en')]
  await database.db.insertInto('account_settings').values({ user_id: none.id, notify_proof_weakening: false }).execute()
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
  const stand = async (ids: readonly string[], renewAt: Date | null, until: Date) =>
    await database.db
      .updateTable('document_batch')
      .set({ renew_at: renewAt, stamped_until: until, assessed_at: now })
      .where('id', 'in', ids)
      .execute()
  const deposit = async (user: string, count: number, renewAt: Date | null, until: Date) => {
    const documents = Array.from({ length: count }, draft)
    const made = await createDocuments(world, actorOf(user), { documents, agree: true })
    const { rows } = await sql<{ id: string }>`
      select distinct batch_id as id from document where id = any(${made.map(({ id }) => id)}::uuid[])`.execute(database.db)
    for (const { id } of rows) await sealBatch(world, id)
    const ids = rows.map(({ id }) => id)
    await stand(ids, renewAt, until)
    return { ids, documents: made.map(({ id }) => id) }
  }
  const kept = [await deposit(ada.id, 21, days(-8), days(20)), await deposit(ada.id, 1, days(-9), days(15))]
  // Of what is in the trash, and of what failed for less than a week, nothing is said.
  const trashed = await deposit(zoe.id, 1, days(-8), days(20))
  await changeDocument(world, actorOf(zoe.id), trashed.documents[0] ?? '', { trashed: true })
  await deposit(zoe.id, 1, days(-6), days(20))
  const gone = await deposit(zoe.id, 1, null, days(-1))
  await deposit(none.id, 1, days(-8), days(20))
  const sent = await look()
  expect(new Map(sent.map(({ to, subject }) => [to, subject]))).toEqual(
    new Map([
      [ada.address, 'The time stamps of 22 deposits need attention'],
      [zoe.address, 'Les horodatages d’un dépôt demandent votre attention'],
    ]),
  )
  expect(sent).toHaveLength(2)
  const [english, french] = [ada, zoe].map(({ address }) => sent.find(({ to }) => to === address))
  expect(english?.text).toContain('of 22 deposits of yours hold until 9 January 2028')
  expect(english?.text).toContain('There is no anchor in the blockchain yet.')
  expect(english?.text).toContain('https://probant.example/en/documents/completed/')
  expect(english?.text).toContain('because the proofs of what you have need attention')
  expect(english?.unsubscribe).toContain('https://probant.example/settings/by_mail/one_click/?key=proof_weakening.')
  expect(french?.text).toContain('d’un de vos dépôts ont pris fin avant d’avoir pu être renouvelés.')
  expect(french?.text).not.toContain('auraient déjà dû')
  expect(await look()).toEqual([])

  // Renewed between the finding and the sending.
  await stand(gone.ids, days(-8), days(30))
  await warnOfWeakening(world)
  await stand(gone.ids, days(300), days(600))
  expect(await look()).toEqual([])
  now = days(17)
  const ends = await look()
  expect(ends.filter(({ to }) => to === ada.address).map(({ text }) => /of one deposit of yours ended/.test(text))).toEqual([
    true,
  ])
  expect((await look()).length).toBe(0)
  // Renewed, and weak again another day: that is told of anew.
  now = days(1)
  await stand(
    kept.flatMap(({ ids }) => ids),
    days(-8),
    days(40),
  )
  expect((await look()).map(({ to, subject }) => [to, subject])).toEqual([
    [ada.address, 'The time stamps of 22 deposits need attention'],
  ])
})
