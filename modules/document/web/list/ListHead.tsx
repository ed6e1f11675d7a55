import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { optionsOfMakers } from '../../../../ui/list/ListFilters.tsx'
import { ListHead as Head } from '../../../../ui/list/ListHead.tsx'
import type { GoToView } from '../../../../ui/list/use-list-view.ts'
import type { Category } from '../../domain/status.ts'
import { makersQuery } from './queries.ts'
import { noFilters, orderings, statusesIn, type Filters, type ListView } from './list-view.ts'

/** What is listed, and in which order: the words or the fingerprint, the filters, the order. */
export function ListHead(props: { category: Category; view: ListView; onView: GoToView<ListView> }): ReactNode {
  const text = useText()
  const { category, view, onView } = props
  const makers = useQuery(makersQuery).data?.makers ?? []
  return (
    <Head<ListView['ordering'], Filters>
      searchLabel={text('document.search')}
      view={view}
      noFilters={noFilters}
      orderings={orderings.map((value) => ({ value, label: text(`document.order.${value}`) }))}
      bound={null}
      choices={[
        {
          name: 'status',
          label: text('document.filter.status'),
          options: statusesIn[category].map((status) => [status, text(`document.status.${status}`)]),
        },
        { name: 'by', label: text('document.filter.by'), options: optionsOfMakers(makers) },
        { name: 'from', label: text('document.filter.from'), options: 'day' },
        { name: 'to', label: text('document.filter.to'), options: 'day' },
      ]}
      onView={onView}
    />
  )
}
