import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge, BadgeRow } from '../../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { LabelledSelect } from '../../../../ui/forms/LabelledSelect.tsx'
import { formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { SearchField } from '../../../../ui/list/SearchField.tsx'
import type { CustomerEntry } from '../../contract/administration.ts'
import { DeskCount, DeskPager } from './DeskPager.tsx'
import { oneOf, useDeskSearch } from './desk-search.ts'
import { customersQuery } from './queries.ts'
import styles from './admin.module.css'

const standings = ['', 'past_due', 'suspended', 'credit_left'] as const

export function CustomersDesk(): ReactNode {
  const text = useText()
  const { search, go } = useDeskSearch('billing/customers')
  const standing = oneOf(search.state, standings, '')
  const list = useQuery({
    ...customersQuery({ search: search.search, standing, page: search.page }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <div className={styles['filters']}>
        <SearchField
          label={text('billing.admin.search.customers')}
          search={search.search}
          onSearch={(next, on) => go({ search: next, page: 1 }, on)}
        />
        <LabelledSelect
          label={text('billing.admin.standing')}
          value={standing}
          options={standings.map((each) => [each, text(each === '' ? 'billing.admin.any' : `billing.admin.status.${each}`)])}
          onChoose={(state) => go({ state, page: 1 })}
        />
      </div>
      <Loaded query={list} loading={text('ui.loading')} failed={text('billing.admin.failed')}>
        {({ count, count_capped: capped, results }) => (
          <>
            <DeskCount count={count} capped={capped} />
            <ul className={styles['rows']} aria-busy={list.isPlaceholderData} aria-label={text('billing.admin.desk.customers')}>
              {results.map((each) => (
                <Row key={each.id} customer={each} />
              ))}
            </ul>
            <DeskPager page={search.page} count={count} onPage={(page) => go({ page })} />
          </>
        )}
      </Loaded>
    </>
  )
}

export function useCustomerName(): (of: { readonly name: string; readonly company: string | null }) => string {
  const text = useText()
  return ({ name, company }) => visible(company ?? (name === '' ? text('billing.admin.nobody') : name))
}

function Row({ customer }: { customer: CustomerEntry }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const nameOf = useCustomerName()
  return (
    <li className={styles['row']}>
      <div className={styles['who']}>
        <Link to="/$locale/admin/$/" params={{ locale, _splat: `billing/customers/${customer.id}` }} preload={false}>
          {nameOf(customer)}
        </Link>
        <p className={styles['soft']}>{customer.email === null ? '' : visible(customer.email)}</p>
      </div>
      <BadgeRow>
        <Badge tone="plain">{text(`billing.admin.plan.${customer.plan}`)}</Badge>
        {customer.status === 'active' || customer.status === 'unit' ? null : (
          <Badge tone="caution">{text(`billing.admin.status.${customer.status}`)}</Badge>
        )}
      </BadgeRow>
      <p className={styles['figures']}>
        {text('billing.admin.owes', { amount: formatMoney(customer.owed_cents, 'EUR', locale) })}
        {customer.credit_cents === 0 ? null : (
          <>
            <br />
            {text('billing.admin.has_credit', { amount: formatMoney(customer.credit_cents, 'EUR', locale) })}
          </>
        )}
      </p>
    </li>
  )
}
