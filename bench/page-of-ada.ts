import { everything } from '../modules/evidence/server/list/everything.test-data.ts'
import type { ListFilter, ListQuery, ListScope } from '../modules/evidence/server/list/list-store.ts'
import { ada } from './fill-evidences.ts'

const actor = {
  userId: ada,
  accountId: ada,
  delegation: null,
  sessionId: ada,
  roles: new Set<never>(),
  secondFactor: false,
  locale: 'en',
} as const
export const scopeOfAda: ListScope = { kind: 'account', accountId: ada, standing: null, group: null }

/** What the account that is measured asks of its list, newest first. */
export const pageOfAda = (filter: Partial<ListFilter> = {}, offset = 0, limit = 20): ListQuery => ({
  caller: { actor },
  scope: scopeOfAda,
  filter: { ...everything, ...filter },
  ordering: { column: 'created_at', direction: 'desc' },
  limit,
  offset,
})
