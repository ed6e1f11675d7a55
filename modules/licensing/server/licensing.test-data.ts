import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { actorOf, haveAccount } from '../../../testing/accounts.ts'
import { finalEvidence, type World } from '../../evidence/server/health/final-evidence.test-data.ts'
import { createTimestampers, openKeyring, openPublicLog } from '../../sealing/server/index.ts'
import { silentLog } from '../../../platform/log/log.ts'
import type { LicensingWebDeps } from './keep/deps.ts'
import { recordEarning } from '../../payout/server/index.ts'
import { purchasedLicense, type LicenseSold } from './purchase/grant-license.ts'

export const secret = 's'.repeat(32)
export const seller = {
  name: 'Example SARL',
  legalForm: 'SARL',
  capital: '10 000 EUR',
  siren: '123456782',
  vatId: 'FR11123456782',
  register: 'RCS Marseille',
  address: '1 rue du Port',
  zip: '13002',
  city: 'Marseille',
  country: 'FR',
  iban: 'FR7630006000011234567890189',
  bic: null,
} as const

const onSold = async (tx: Tx, sold: LicenseSold) => {
  const { licenseId: subjectId, sellerId: userId, invoiceId, netCents: baseCents, rate, earnedCents: amountCents } = sold
  const brought = { userId, source: 'license', subjectId, invoiceId, line: 1, baseCents, rate, amountCents } as const
  return await recordEarning(tx, { delayDays: 60 }, brought, new Date('2026-11-23T09:00:00.000Z'))
}

/** A clock that is moved, and reports that are really sealed. */
export async function openShop(db: Db) {
  const folder = mkdtempSync(join(tmpdir(), 'probant-licensing-'))
  let now = new Date('2026-11-23T09:00:00.000Z')
  const clock = { now: () => now }
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const world: World = {
    db,
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    clock,
    keyring,
    timestampers: createTimestampers({ urls: [], keyring, clock, log: silentLog }),
    publicLog: await openPublicLog({ db, keyring, clock, origin: 'log.example/log', folder: join(folder, 'log') }),
  }
  const deps: LicensingWebDeps = {
    db,
    blobs: world.blobs,
    clock,
    secret,
    feeRate: 2000,
    billing: { db, clock, seller, purchases: { license: purchasedLicense({ clock }, onSold) } },
  }
  return {
    folder,
    world,
    deps,
    clock,
    remove: () => rmSync(folder, { recursive: true, force: true }),
    later: (ms: number) => {
      now = new Date(now.getTime() + ms)
    },
    /** Somebody who may sell: proven who he is, with a bank account. */
    verifiedSeller: async (): Promise<Actor> => {
      const id = await haveAccount(db, { first: 'Grace', last: 'Hopper' })
      await haveIdentity(db, id)
      await haveBankAccount(db, id)
      return actorOf(id)
    },
    report: async (actor: Actor): Promise<string> => (await finalEvidence(world, { actor })).id,
  }
}

export async function haveIdentity(db: Db, userId: string): Promise<void> {
  await sql`insert into identity_file (user_id, state, sealed_key, round, submitted_at, decided_at, touched_at, uploads_since)
    values (${userId}::uuid, 'success', ${Buffer.alloc(60)}, 1, now(), now(), now(), now())`.execute(db)
}

export async function haveBankAccount(db: Db, userId: string): Promise<void> {
  await sql`insert into bank_account (user_id, type, ending, sealed, updated_at)
    values (${userId}::uuid, 'IBAN', '0189', ${Buffer.alloc(60)}, now())`.execute(db)
}

/** Whoever can be invoiced. */
export async function haveBuyer(db: Db): Promise<Actor> {
  const id = await haveAccount(db, { first: 'Paul', last: 'Acheteur' })
  await sql`insert into profile (user_id, user_type, address, zip, city, country, updated_at)
    values (${id}::uuid, 'natural', '2 rue du Port', '13002', 'Marseille', 'FR', now())`.execute(db)
  const address = `${randomUUID()}@people.example`
  await sql`insert into email_address (id, user_id, address, address_key, is_primary, verified_at, created_at)
    values (${randomUUID()}::uuid, ${id}::uuid, ${address}, ${address}, true, now(), now())`.execute(db)
  return actorOf(id)
}
