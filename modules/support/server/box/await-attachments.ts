import { randomUUIDv7 } from 'node:crypto'
import type { AwaitedAttachment } from '../../contract/support.ts'
import { attachmentKey } from '../attachments/attachment-key.ts'

export type Announced = { readonly name: string; readonly bytes: number }

/** Names what was announced: as rows to be, and as whoever is to send it is told. */
export function awaitAttachments(
  secret: string,
  announced: readonly Announced[],
): { readonly rows: (Announced & { readonly id: string })[]; readonly awaited: AwaitedAttachment[] } {
  const rows = announced.map((each) => ({ ...each, id: randomUUIDv7() }))
  return { rows, awaited: rows.map(({ id, name }) => ({ id, name, key: attachmentKey(secret, id) })) }
}
