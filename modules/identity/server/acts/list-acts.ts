import type { Actor } from '../../../../kernel/actor.ts'
import type { Page, PageQuery } from '../../../../kernel/page.ts'
import { countActs, lastActNumber, listActs, type ActLine, type ActsWanted } from '../../../../platform/acts/store.ts'
import { verifyActsWithin } from '../../../../platform/acts/verify-acts.ts'
import type { Act } from '../../contract/identity.ts'
import { isByStaff } from '../../domain/act-author.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { namesOf } from '../people/user-store.ts'

/** Lines that are recomputed at a time. */
const mostVerified = 10_000

type ActDeps = Pick<IdentityDeps, 'db'>

/** As calls name them. */
export type ActFilters = {
  readonly action?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly person?: string | undefined
  readonly actor?: string | undefined
  readonly subject?: string | undefined
}

const instant = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

export function wantedOf({ action, from, to, person, actor, subject }: ActFilters): ActsWanted {
  return { action, from: instant(from), to: instant(to), accountId: person, actorId: actor, subjectId: subject }
}

/** @param readerId of whoever reads of his own account; null: an administrator, to whom everybody is named */
export async function presentActs(deps: ActDeps, rows: readonly ActLine[], readerId: string | null): Promise<Act[]> {
  const ids = rows.flatMap((row) => [row.actorId, row.onBehalfOf]).filter((id) => id !== null)
  const names = await namesOf(deps.db, ids)
  const person = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
  return rows.map((row) => {
    const byStaff = readerId !== null && isByStaff(row, readerId)
    return {
      number: row.number,
      at: row.at.toISOString(),
      action: row.action,
      actor: byStaff ? null : person(row.actorId),
      by_staff: byStaff,
      on_behalf_of: person(row.onBehalfOf),
      subject: row.subjectType === null || row.subjectId === null ? null : { type: row.subjectType, id: row.subjectId },
      data: { ...row.data },
      hash: row.hash.toString('hex'),
    }
  })
}

async function pageOfActs(deps: ActDeps, wanted: ActsWanted, query: PageQuery, readerId: string | null): Promise<Page<Act>> {
  const rows = await listActs(deps.db, { ...wanted, limit: query.page_size, offset: (query.page - 1) * query.page_size })
  return { count: await countActs(deps.db, wanted), rows: await presentActs(deps, rows, readerId) }
}

/** What he did, and what was done in his name or to him. */
export async function listOwnActs(deps: ActDeps, actor: Actor, query: PageQuery & ActFilters): Promise<Page<Act>> {
  return await pageOfActs(deps, { ...wantedOf(query), accountId: actor.userId }, query, actor.userId)
}

/** The whole record, for administrators. */
export async function listAllActs(deps: ActDeps, query: PageQuery & ActFilters): Promise<Page<Act>> {
  return await pageOfActs(deps, wantedOf(query), query, null)
}

/** The chain from a line on, as far as is recomputed at a time. */
export async function verifyActsFrom(deps: ActDeps, from: number) {
  const last = await lastActNumber(deps.db)
  const { lines, head, broken } = await verifyActsWithin(deps.db, { from, to: Math.min(last, from + mostVerified - 1) })
  return { from, to: lines, last, head, broken }
}
