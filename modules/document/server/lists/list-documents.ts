import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { toPageObject } from '../../../../kernel/page.ts'
import { deepest, foundUpTo } from '../../../../platform/lists/page-depth.ts'
import { listDocuments as contract, type documentListQuery } from '../../contract/endpoints.ts'
import type { Document } from '../../contract/document.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { findPage } from './find-page.ts'
import { presentDocuments } from '../present/present-document.ts'
import { findStanding } from '../../../../platform/reach/reach-store.ts'

/** What the account reaches. @throws DomainError invalid `document.too_deep` */
export async function listDocuments(
  deps: DocumentWebDeps,
  actor: Actor,
  query: z.infer<typeof documentListQuery>,
): Promise<{ count: number; next: string | null; previous: string | null; results: Document[]; count_capped: boolean }> {
  const { page, page_size: limit } = query
  const offset = (page - 1) * limit
  if (offset >= deepest) throw new DomainError('invalid', 'document.too_deep', { most: deepest })
  const instant = (text: string | undefined) => (text === undefined ? null : new Date(text))
  const search = query.search?.trim() ?? ''
  const found = await findPage(deps.db, {
    caller: actor,
    standing: await findStanding(deps.db, actor),
    filter: {
      category: query.category ?? null,
      search: search === '' ? null : search,
      fingerprint: query.fingerprint?.toLowerCase() ?? null,
      status: query.status ?? null,
      createdAfter: instant(query.created_after),
      createdBefore: instant(query.created_before),
      createdBy: query.created_by ?? null,
    },
    ordering: {
      column: query.ordering.endsWith('document_name') ? 'name_key' : 'created_at',
      direction: query.ordering.startsWith('-') ? 'desc' : 'asc',
    },
    limit,
    offset,
  })
  const results = await presentDocuments(deps, actor, found.rows)
  return {
    ...toPageObject(contract.path, query, { count: foundUpTo(query, found), rows: found.rows }, results),
    count: found.count,
    count_capped: found.capped,
  }
}
