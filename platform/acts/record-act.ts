import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Actor } from '../../kernel/actor.ts'
import type { Tx } from '../db/database.ts'
import { appendAct, holdEndOfActs, type ActLine } from './store.ts'

/** What is kept of a security-relevant act. No names, addresses or secrets: ids, counts, codes. */
export type Act = {
  /** `module.verb_noun`, past: `identity.signed_in`. */
  readonly action: `${string}.${string}`
  /** Who did it; null: a visitor without account, or the program itself. With an API key: its id stands among the data. */
  readonly actor: Pick<Actor, 'userId' | 'accountId' | 'apiKey'> | null
  /** What it was done to. */
  readonly subject: { readonly type: string; readonly id: string } | null
  readonly data?: Readonly<Record<string, string | number | boolean | null>>
}

/** Before the first line. */
export const emptyChain = Buffer.alloc(32)

/** The bytes whose SHA-256 is a line's hash: RFC 8785 JSON of everything it says, with the hash of the line before it. */
export function actBytes(line: Omit<ActLine, 'hash'>): Buffer {
  const text = canonicalize({
    number: line.number,
    at: line.at.toISOString(),
    action: line.action,
    actor_id: line.actorId,
    on_behalf_of: line.onBehalfOf,
    subject_type: line.subjectType,
    subject_id: line.subjectId,
    data: line.data,
    previous_hash: line.previousHash.toString('hex'),
  })
  return Buffer.from(text ?? '')
}

/**
 * Writes an act in the transaction that does it, as the last thing before it commits: one line at a time gets into the chain, so
 * whoever holds its end holds up the others.
 */
export async function recordAct(tx: Tx, now: Date, act: Act): Promise<void> {
  const last = await holdEndOfActs(tx)
  const line = {
    number: (last?.number ?? 0) + 1,
    at: now,
    action: act.action,
    actorId: act.actor?.userId ?? null,
    onBehalfOf: act.actor === null || act.actor.accountId === act.actor.userId ? null : act.actor.accountId,
    subjectType: act.subject?.type ?? null,
    subjectId: act.subject?.id ?? null,
    data: act.actor?.apiKey === undefined ? (act.data ?? {}) : { ...act.data, api_key: act.actor.apiKey.id },
    previousHash: last?.hash ?? emptyChain,
  }
  await appendAct(tx, { ...line, hash: createHash('sha256').update(actBytes(line)).digest() })
}
