import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { choicesAmong, optionsOfMakers } from '../../../../ui/list/ListFilters.tsx'
import { ListHead as Head } from '../../../../ui/list/ListHead.tsx'
import type { Category } from '../../domain/status.ts'
import { makersQuery } from './queries.ts'
import { noFilters, orderings, statusesIn, type Filters, type ListView } from './list-view.ts'

/** What is listed, and in which order: the words or the fingerprint, the filters, the order. */
export function ListHead(props: {
  category: Category
  view: ListView
  onView: (change: Partial<ListView>, on: boolean) => void
}): ReactNode {
  const text = useText()
  const { category, view, onView } = props
  const makers = useQuery(makersQuery).data?.makers ?? []
  return (
    <Head<ListView['ordering'], Filters>
      searchLabel={text('document.search')}
      search={view.search}
      ordering={view.ordering}
      orderings={orderings.map((value) => ({ value, label: text(`document.order.${value}`) }))}
      bound={null}
      filters={view}
      choices={choicesAmong<Filters>(
        [
          {
            name: 'status',
            label: text('document.filter.status'),
            options: statusesIn[category].map((status) => [status, text(`document.status.${status}`)]),
          },
          { name: 'by', label: text('document.filter.by'), options: optionsOfMakers(makers) },
          { name: 'from', label: text('document.filter.from'), options: 'day' },
          { name: 'to', label: text('document.filter.to'), options: 'day' },
        ],
        view,
      )}
      onSearch={(search, on) => onView({ search }, on)}
      onOrder={(ordering) => onView({ ordering }, false)}
      onFilter={(name, value) => onView({ [name]: value }, false)}
      onNoFilters={() => onView(noFilters, false)}
      onAll={() => onView({ ...noFilters, search: '' }, false)}
    />
  )
}
