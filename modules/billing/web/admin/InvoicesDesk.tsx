import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { LabelledSelect } from '../../../../ui/forms/LabelledSelect.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { SearchField } from '../../../../ui/list/SearchField.tsx'
import { DeskCount, DeskPager } from './DeskPager.tsx'
import { oneOf, useDeskSearch } from './desk-search.ts'
import { InvoiceRows } from './InvoiceRows.tsx'
import { allInvoicesQuery } from './queries.ts'
import styles from './admin.module.css'

const states = ['', 'success', 'pending', 'failed'] as const

export function InvoicesDesk(): ReactNode {
  const text = useText()
  const { search, go } = useDeskSearch('billing/invoices')
  const status = oneOf(search.state, states, '')
  const list = useQuery({
    ...allInvoicesQuery({ search: search.search, status, page: search.page }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <div className={styles['filters']}>
        <SearchField
          label={text('billing.admin.search.invoices')}
          search={search.search}
          onSearch={(next, on) => go({ search: next, page: 1 }, on)}
        />
        <LabelledSelect
          label={text('billing.admin.state')}
          value={status}
          options={states.map((each) => [each, text(each === '' ? 'billing.admin.any' : `billing.admin.settlement.${each}`)])}
          onChoose={(state) => go({ state, page: 1 })}
        />
      </div>
      <Loaded query={list} loading={text('ui.loading')} failed={text('billing.admin.failed')}>
        {({ count, count_capped: capped, results }) => (
          <>
            <DeskCount count={count} capped={capped} />
            <InvoiceRows invoices={results} busy={list.isPlaceholderData} />
            <DeskPager page={search.page} count={count} onPage={(page) => go({ page })} />
          </>
        )}
      </Loaded>
    </>
  )
}
