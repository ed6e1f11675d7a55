import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { optionsOfMakers } from '../../../../ui/list/ListFilters.tsx'
import { ListHead as Head } from '../../../../ui/list/ListHead.tsx'
import type { GoToView } from '../../../../ui/list/use-list-view.ts'
import { captureActions } from '../../domain/action.ts'
import { useScenarios } from '../ask/capture-options.ts'
import { prices } from '../../../../ui/shell/prices.ts'
import { isSorting, noFilters, orderings, statusesIn, type Category, type Filters, type ListView } from './list-view.ts'
import { makersQuery } from './queries.ts'

/** What is listed, and in which order: the words, the filters, the order. */
export function ListHead(props: {
  category: Category
  view: ListView
  /** Whether what is listed is few enough to be sorted. */
  sortable: boolean
  onView: GoToView<ListView>
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { category, view, sortable, onView } = props
  const scenarios = (useScenarios().data ?? []).filter(({ id }) => id !== 'normal')
  const makers = useQuery(makersQuery).data?.makers ?? []
  return (
    <Head<ListView['ordering'], Filters>
      searchLabel={text('evidence.account.search.label')}
      view={view}
      noFilters={noFilters}
      orderings={orderings.map((value) => ({
        value,
        label: text(`evidence.account.order.${value}`),
        disabled: !sortable && isSorting(value),
      }))}
      bound={sortable ? null : text('evidence.account.order.bound')}
      choices={[
        {
          name: 'status',
          label: text('evidence.account.filter.status'),
          options: statusesIn[category]
            .filter((status) => status !== 'awaiting_payment' || prices !== null)
            .map((status) => [status, text(`evidence.status.${status}`)]),
        },
        {
          name: 'action',
          label: text('evidence.account.filter.action'),
          options: captureActions.map((action) => [action, text(`capture.action.${action}`)]),
        },
        {
          name: 'scenario',
          label: text('evidence.account.filter.scenario'),
          options: scenarios.map(({ id, name }) => [id, name[locale]]),
        },
        { name: 'by', label: text('evidence.account.filter.by'), options: optionsOfMakers(makers) },
        { name: 'from', label: text('evidence.account.filter.from'), options: 'day' },
        { name: 'to', label: text('evidence.account.filter.to'), options: 'day' },
      ]}
      onView={onView}
    />
  )
}
