import type { Actor } from '../../../kernel/actor.ts'
import type { Page, PageQuery } from '../../../kernel/page.ts'
import { listActs, type ActLine } from '../../../platform/acts/store.ts'
import type { Act } from '../contract/identity.ts'
import type { IdentityDeps } from './deps.ts'
import { namesOf } from './user-store.ts'

async function present(deps: Pick<IdentityDeps, 'db'>, rows: readonly ActLine[]): Promise<Act[]> {
  const ids = rows.flatMap((row) => [row.actorId, row.onBehalfOf]).filter((id) => id !== null)
  const names = await namesOf(deps.db, ids)
  const person = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
  return rows.map((row) => ({
    number: row.number,
    at: row.at.toISOString(),
    action: row.action,
    actor: person(row.actorId),
    on_behalf_of: person(row.onBehalfOf),
    subject: row.subjectType === null || row.subjectId === null ? null : { type: row.subjectType, id: row.subjectId },
    data: { ...row.data },
    hash: row.hash.toString('hex'),
  }))
}

const window = (query: PageQuery) => ({ limit: query.page_size, offset: (query.page - 1) * query.page_size })

/** What he did, and what was done in his name or to him. */
export async function listOwnActs(deps: Pick<IdentityDeps, 'db'>, actor: Actor, query: PageQuery): Promise<Page<Act>> {
  const page = await listActs(deps.db, { accountId: actor.userId, ...window(query) })
  return { count: page.count, rows: await present(deps, page.rows) }
}

/** The whole record, for administrators. */
export async function listAllActs(
  deps: Pick<IdentityDeps, 'db'>,
  query: PageQuery & {
    readonly actor?: string | undefined
    readonly subject?: string | undefined
    readonly action?: string | undefined
  },
): Promise<Page<Act>> {
  const page = await listActs(deps.db, {
    ...(query.actor === undefined ? {} : { actorId: query.actor }),
    ...(query.subject === undefined ? {} : { subjectId: query.subject }),
    ...(query.action === undefined ? {} : { action: query.action }),
    ...window(query),
  })
  return { count: page.count, rows: await present(deps, page.rows) }
}
