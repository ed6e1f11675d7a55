import { randomUUID } from 'node:crypto'
import { assert, nat, property, string } from '../../testing/fast-check.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'
import { recordAct } from './record-act.ts'
import { countActs, listActs, listActsAfter, type ActLine } from './store.ts'
import { emptyRecord, followChain, verifyActs, verifyActsWithin } from './verify-acts.ts'

const database = withDatabase()
const [ann, bob] = [randomUUID(), randomUUID()]
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, 123))

async function write(second: number, actor: { userId: string; accountId: string } | null, note: string): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    await recordAct(tx, at(second), {
      action: 'test.did_something',
      actor,
      subject: second % 2 === 0 ? null : { type: 'user', id: bob },
      data: { note, second },
    })
  })
}

test('acts written at the same time make one chain that verifies', async () => {
  await Promise.all(Array.from({ length: 12 }, async (_, i) => await write(i, { userId: ann, accountId: ann }, `é ${String(i)}`)))
  await write(12, { userId: ann, accountId: bob }, 'for another')
  await write(13, null, '')
  const lines = await listActsAfter(database.db, 0, 100)
  expect(lines.map((line) => line.number)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1))
  expect(lines[12]).toMatchObject({ actorId: ann, onBehalfOf: bob })
  expect(await verifyActs(database.db)).toEqual({ lines: 14, head: lines[13]?.hash.toString('hex'), broken: null })
  expect(await countActs(database.db, { accountId: bob })).toBe(
    lines.filter((line) => line.onBehalfOf === bob || line.subjectId === bob).length,
  )
})

const changes: readonly ((line: ActLine, salt: string) => ActLine)[] = [
  (line) => ({ ...line, at: new Date(line.at.getTime() + 1) }),
  (line) => ({ ...line, action: `${line.action}_not` }),
  (line) => ({ ...line, actorId: line.actorId === null ? ann : null }),
  (line) => ({ ...line, onBehalfOf: line.onBehalfOf === null ? ann : null }),
  (line) => ({ ...line, subjectType: line.subjectType === null ? 'user' : null }),
  (line) => ({ ...line, subjectId: line.subjectId === null ? ann : null }),
  (line, salt) => ({ ...line, data: { ...line.data, [`more ${salt}`]: 1 } }),
  (line, salt) => ({ ...line, data: { ...line.data, note: `${String(line.data['note'])} ${salt}` } }),
  (line) => ({ ...line, previousHash: Buffer.alloc(32, 1) }),
  (line) => ({ ...line, hash: Buffer.alloc(32, 1) }),
  (line) => ({ ...line, number: line.number + 1 }),
]

test('the chain shows the first line that was changed, left out, put in or moved', async () => {
  const lines = await listActsAfter(database.db, 0, 100)
  assert(
    property(nat(lines.length - 1), nat(lines.length - 2), nat(changes.length + 2), string(), (index, other, kind, salt) => {
      const forged = [...lines]
      const line = forged[index]
      if (line === undefined) throw new Error('no such line')
      const moved = other >= index ? other + 1 : other
      const change = changes[kind]
      let first = index
      if (change !== undefined) forged[index] = change(line, salt)
      else if (kind === changes.length) forged.splice(index, 1)
      else if (kind === changes.length + 1) forged.splice(index, 0, line)
      else {
        forged.splice(index, 1)
        forged.splice(moved, 0, line)
        first = Math.min(index, moved)
      }
      const { broken, lines: held } = followChain(emptyRecord, forged)
      // Nothing but the end itself, cut off, leaves a chain: then its head is another.
      if (kind === changes.length && index === lines.length - 1) expect([broken, held]).toEqual([null, lines.length - 1])
      // A line told twice is first seen at the second.
      else expect(broken?.number).toBe(kind === changes.length + 1 ? index + 2 : first + 1)
    }),
    { numRuns: 300 },
  )
})

test('whatever is asked for, it is what a plain reading of the record finds, newest first and page by page', async () => {
  const { db } = database
  const lines = await listActsAfter(db, 0, 100)
  const ofBob = (line: ActLine) => line.actorId === bob || line.onBehalfOf === bob || line.subjectId === bob
  const wanted = [
    [{}, () => true],
    [{ accountId: bob }, ofBob],
    [{ accountId: bob, action: 'test' }, ofBob],
    [{ accountId: bob, action: 'tes' }, () => false],
    [{ action: 'test.did_something', actorId: ann }, (line: ActLine) => line.actorId === ann],
    [{ subjectId: bob, before: 6 }, (line: ActLine) => line.subjectId === bob && line.number < 6],
    [{ accountId: ann, from: at(4), to: at(9) }, (line: ActLine) => line.actorId === ann && line.at >= at(4) && line.at < at(9)],
  ] as const
  for (const [asked, holds] of wanted) {
    const expected = lines.filter(holds).toReversed()
    expect(await countActs(db, asked)).toBe(expected.length)
    expect(await listActs(db, { ...asked, limit: 100 })).toEqual(expected)
    expect(await listActs(db, { ...asked, limit: 2, offset: 1 })).toEqual(expected.slice(1, 3))
  }
})

test('a part of the record is verified from the line before it', async () => {
  const { db } = database
  const lines = await listActsAfter(db, 0, 100)
  const head = (number: number) => lines[number - 1]?.hash.toString('hex')
  expect(await verifyActsWithin(db, { from: 3, to: 7 })).toEqual({ lines: 7, head: head(7), broken: null })
  expect(await verifyActsWithin(db, { from: 1, to: 1000 })).toEqual({ lines: 14, head: head(14), broken: null })
  expect((await verifyActsWithin(db, { from: 90, to: 99 })).broken).toEqual({ number: 89, fault: 'number' })
})

test('the database refuses to change the record; where it was forced to, the chain tells', async () => {
  const { db } = database
  await expect(sql`update act set action = 'test.did_nothing' where number = 5`.execute(db)).rejects.toThrow('only grows')
  await expect(sql`delete from act where number = 5`.execute(db)).rejects.toThrow('only grows')
  await expect(sql`truncate act`.execute(db)).rejects.toThrow('only grows')
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update act set data = '{"note":"forged"}' where number = 5`.execute(tx)
  })
  expect((await verifyActs(db)).broken).toEqual({ number: 5, fault: 'hash' })
  expect((await verifyActsWithin(db, { from: 2, to: 5 })).broken).toEqual({ number: 5, fault: 'hash' })
  // Of the lines after it, that one is not said.
  expect((await verifyActsWithin(db, { from: 6, to: 14 })).broken).toBeNull()
})
