import { randomUUID } from 'node:crypto'
import type { Db } from '../../../../platform/db/database.ts'

/** A proven primary address. @returns it */
export async function haveAddress(db: Db, userId: string, address: string): Promise<string> {
  const at = new Date('2026-11-01T09:05:00Z')
  await db
    .insertInto('email_address')
    .values({
      id: randomUUID(),
      user_id: userId,
      address,
      address_key: address,
      is_primary: true,
      verified_at: at,
      created_at: at,
    })
    .execute()
  return address
}
