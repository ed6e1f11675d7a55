import type { ListFilter } from './list-store.ts'

/** A list that is narrowed by nothing. */
export const everything: ListFilter = {
  category: null,
  search: null,
  action: null,
  createdAfter: null,
  createdBefore: null,
  createdBy: null,
}
