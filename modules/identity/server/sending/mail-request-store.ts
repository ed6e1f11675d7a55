/** The SQL of mails that were asked for by an address. */
import type { Tx } from '../../../../platform/db/database.ts'

export type MailRequest = {
  readonly purpose: 'reset_password' | 'confirm_address'
  readonly addressKey: string
  readonly claim: string | null
}

export async function insertMailRequest(tx: Tx, id: string, request: MailRequest, now: Date): Promise<void> {
  const { purpose, addressKey, claim } = request
  await tx.insertInto('mail_request').values({ id, purpose, address_key: addressKey, claim, asked_at: now }).execute()
}

/** @returns null when it was answered before */
export async function takeMailRequest(tx: Tx, id: string): Promise<MailRequest | null> {
  const row = await tx
    .deleteFrom('mail_request')
    .where('id', '=', id)
    .returning(['purpose', 'address_key', 'claim'])
    .executeTakeFirst()
  if (row === undefined) return null
  return { purpose: row.purpose as MailRequest['purpose'], addressKey: row.address_key, claim: row.claim }
}
