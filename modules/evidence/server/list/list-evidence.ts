import type { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Page } from '../../../../kernel/page.ts'
import { mostSorted } from '../../../../platform/lists/find-page.ts'
import { deepest } from '../../../../platform/lists/page-depth.ts'
import type { evidenceListQuery } from '../../contract/endpoints.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { findPage } from './find-page.ts'
import { hashOf } from '../own/hold-evidence.ts'
import { isSorted, type ListColumn, type ListScope } from './list-store.ts'
import { findStanding } from '../../../../platform/reach/reach-store.ts'
import { accountOf, type Caller } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'

async function scopeOf(deps: EvidenceWebDeps, caller: Caller, group: boolean | null): Promise<ListScope> {
  const { actor } = caller
  if (actor != null) return { kind: 'account', accountId: actor.accountId, group, standing: await findStanding(deps.db, actor) }
  if (caller.evidenceToken === undefined) throw new DomainError('unauthenticated', 'evidence.token_required')
  return { kind: 'token', tokenHash: hashOf(caller.evidenceToken) }
}

function orderingOf(asked: string): { column: ListColumn; direction: 'asc' | 'desc' } {
  return { column: asked.replace('-', '') as ListColumn, direction: asked.startsWith('-') ? 'desc' : 'asc' }
}

/**
 * What an account reaches, or what a token holds; an unknown token holds none.
 * @throws DomainError without either; `evidence.too_deep`, `evidence.too_many_to_sort`
 */
export async function listReachable(
  deps: EvidenceWebDeps,
  caller: Caller,
  query: z.infer<typeof evidenceListQuery>,
): Promise<Page<EvidenceRecord> & { readonly capped: boolean; readonly sortable: boolean }> {
  const offset = (query.page - 1) * query.page_size
  if (offset >= deepest) throw new DomainError('invalid', 'evidence.too_deep', { most: deepest })
  const scope = await scopeOf(deps, caller, query.group ?? null)
  const instant = (text: string | undefined) => (text === undefined ? null : new Date(text))
  const search = query.search?.trim() ?? ''
  const filter = {
    category: query.category ?? null,
    search: search === '' ? null : search,
    action: query.action ?? null,
    createdAfter: instant(query.created_after),
    createdBefore: instant(query.created_before),
    createdBy: query.created_by ?? null,
    status: query.status ?? null,
    scenario: query.scenario ?? null,
  }
  const ordering = orderingOf(query.ordering)
  const page = await findPage(deps.db, {
    caller: accountOf(caller) === null ? caller : { actor: caller.actor ?? null },
    scope,
    filter,
    ordering,
    limit: query.page_size,
    offset,
  })
  if (!page.sortable && isSorted(ordering.column))
    throw new DomainError('invalid', 'evidence.too_many_to_sort', { most: mostSorted })
  return page
}
