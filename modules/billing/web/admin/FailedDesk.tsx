import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { LabelledSelect } from '../../../../ui/forms/LabelledSelect.tsx'
import { formatDay, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { FailedPayment } from '../../contract/administration.ts'
import { DeskCount, DeskPager } from './DeskPager.tsx'
import { oneOf, useDeskSearch } from './desk-search.ts'
import { InvoiceRows } from './InvoiceRows.tsx'
import { failedQuery } from './queries.ts'
import styles from './admin.module.css'

const states = ['failed', 'unknown', 'action_required'] as const

/** S-17: payments that failed or hang, why, and when each is tried again. */
export function FailedDesk(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { search, go } = useDeskSearch('billing/failed')
  const status = oneOf(search.state, states, 'failed')
  const list = useQuery({ ...failedQuery({ status, page: search.page }), placeholderData: keepPreviousData })
  const noteOf = ({ failures, since, failure, next_attempt_on: next }: FailedPayment) =>
    [
      text('billing.admin.failures', { count: failures, since: formatInstant(since, locale) }),
      ...(failure === null ? [] : [text('billing.admin.said', { failure: visible(failure) })]),
      next === null ? text('billing.admin.not_again') : text('billing.admin.again', { day: formatDay(next, locale) }),
    ].join(' ')
  return (
    <>
      <div className={styles['filters']}>
        <LabelledSelect
          label={text('billing.admin.state')}
          value={status}
          options={states.map((each) => [each, text(`billing.admin.hangs.${each}`)])}
          onChoose={(state) => go({ state, page: 1 })}
        />
      </div>
      <Loaded query={list} loading={text('ui.loading')} failed={text('billing.admin.failed')}>
        {({ count, count_capped: capped, results }) => (
          <>
            <DeskCount count={count} capped={capped} />
            <InvoiceRows
              invoices={results.map(({ invoice }) => invoice)}
              busy={list.isPlaceholderData}
              notes={new Map(results.map((each) => [each.invoice.id, noteOf(each)]))}
            />
            <DeskPager page={search.page} count={count} onPage={(page) => go({ page })} />
          </>
        )}
      </Loaded>
    </>
  )
}
