import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { migrationsFolder } from '../../../../platform/db/migrate.ts'
import type { Document } from '../../contract/document.ts'
import { datedBy } from '../../domain/dated-by.ts'
import { haveAccount } from '../../../../testing/accounts.ts'
import { type DepositWorld, openDepositWorld, serveDeposits, sha256Hex, waitingBatches } from '../deposits.test-data.ts'
import { certificateFactsOf } from './certificate-facts-of.ts'
import { findSealed } from '../proofs/sealed-deposit.ts'
import { sealBatch } from '../seal/seal-batch.ts'

const database = withDatabase()
/** Each look at the clock is later by most of a second: what is read twice is told twice. */
let ticks = Date.parse('2026-11-20T11:10:08.700Z')
const clock = { now: () => new Date((ticks += 900)) }
let world: DepositWorld
beforeAll(async () => {
  world = await openDepositWorld(database.db, { clock })
})
afterAll(async () => await world.remove())

async function sealedDeposit(): Promise<{ readonly user: string; readonly document: Document }> {
  const user = await haveAccount(database.db)
  const server = await serveDeposits(world)
  try {
    const headers = { authorization: `Bearer ${user}` }
    const payload = { sha256: sha256Hex(user), agree: true }
    const made = await server.inject({ method: 'POST', url: '/documents/', headers, payload })
    for (const id of await waitingBatches(database.db, user)) await sealBatch(world, id)
    const found = await server.inject({ method: 'GET', url: `/documents/${made.json<Document>().id}/`, headers })
    return { user, document: found.json<Document>() }
  } finally {
    await server.close()
  }
}

describe('C-75 a deposit has one date', () => {
  test('its page, lists and certificate tell the instant of its token, to the millisecond', async () => {
    const { document } = await sealedDeposit()
    const token = document.seal?.timestamps[0]?.gen_time
    expect(token).toMatch(/^2026-11-20T11:1/)
    expect(document.sealed_at).toBe(token)
    const sealed = await findSealed(world, document.id)
    const facts = await certificateFactsOf(
      { db: database.db, anchoring: false, secret: 's', publicUrl: 'https://a.example', verifierUrl: null },
      sealed,
      clock.now(),
    )
    expect(datedBy(facts.stamps, ({ genTime }) => genTime)?.genTime).toBe(document.sealed_at)
  })

  test('one that was dated by its row is dated by its token once migrated', async () => {
    const { document } = await sealedDeposit()
    const at = async () => {
      const { rows } = await sql<{ sealed_at: Date }>`select sealed_at from document where id = ${document.id}::uuid`.execute(
        database.db,
      )
      return rows[0]?.sealed_at.toISOString()
    }
    await sql`alter table document disable trigger document_before_change`.execute(database.db)
    await sql`update document set sealed_at = sealed_at + interval '1 second' where id = ${document.id}::uuid`.execute(
      database.db,
    )
    await sql`alter table document enable trigger document_before_change`.execute(database.db)
    expect(await at()).not.toBe(document.sealed_at)
    const migration = await readFile(join(migrationsFolder, '0047_one_instant.sql'), 'utf8')
    await database.db.transaction().execute(async (tx) => await sql.raw(migration).execute(tx))
    expect(await at()).toBe(document.sealed_at)
    // What is sealed is guarded again.
    await expect(sql`update document set sealed_at = now() where id = ${document.id}::uuid`.execute(database.db)).rejects.toThrow(
      'is sealed',
    )
  })

  test('an outside authority dates before our own, and the earliest of several', () => {
    const stamps = [
      { embedded: true, at: '2026-11-20T11:10:07.000Z' },
      { embedded: false, at: '2026-11-20T11:10:09.000Z' },
      { embedded: false, at: '2026-11-20T11:10:08.500Z' },
    ]
    expect(datedBy(stamps, ({ at }) => at)).toBe(stamps[2])
    expect(datedBy(stamps.slice(0, 1), ({ at }) => at)).toBe(stamps[0])
    expect(datedBy([], () => '')).toBeUndefined()
  })
})
