import type { z } from 'zod'
import { DomainError } from '../../../kernel/errors.ts'
import type { Page } from '../../../kernel/page.ts'
import type { evidenceListQuery } from '../contract/endpoints.ts'
import { statusesOfCategory } from '../domain/status.ts'
import type { EvidenceWebDeps } from './deps.ts'
import { hashOf } from './hold-evidence.ts'
import { listEvidence, type EvidenceRecord } from './store.ts'

/** The evidences that a token holds; an unknown token holds none. @throws DomainError without a token */
export async function listHeldEvidence(
  deps: EvidenceWebDeps,
  actor: { readonly evidenceToken: string | undefined },
  query: z.infer<typeof evidenceListQuery>,
): Promise<Page<EvidenceRecord>> {
  if (actor.evidenceToken === undefined) throw new DomainError('unauthenticated', 'evidence.token_required')
  const descending = query.ordering.startsWith('-')
  return await listEvidence(deps.db, {
    tokenHash: hashOf(actor.evidenceToken),
    statuses: query.category === undefined ? null : statusesOfCategory[query.category],
    search: query.search ?? null,
    ordering: {
      column: query.ordering.replace('-', '') as 'created_at' | 'status',
      direction: descending ? 'desc' : 'asc',
    },
    limit: query.page_size,
    offset: (query.page - 1) * query.page_size,
  })
}
