import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { formatDay, formatInstant, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { withWholeNames } from '../../../../ui/intl/whole.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import type { CustomerOnTheWire } from '../../contract/administration.ts'
import { ChangeTerms } from './ChangeTerms.tsx'
import { useCustomerName } from './CustomersDesk.tsx'
import { InvoiceRows } from './InvoiceRows.tsx'
import { customerQuery, isNotFound } from './queries.ts'
import { RefundRows } from './RefundRows.tsx'
import styles from './admin.module.css'

/** One customer, whole: what he has, owes, paid, and what was done to him and why. */
export function CustomerDesk(props: { id: string }): ReactNode {
  const text = useText()
  const customer = useQuery(customerQuery(props.id))
  if (isNotFound(customer.error)) return <NotFoundPage />
  return (
    <Loaded query={customer} loading={text('ui.loading')} failed={text('billing.admin.failed')}>
      {(data) => <Customer customer={data} />}
    </Loaded>
  )
}

function Customer({ customer }: { customer: CustomerOnTheWire }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const nameOf = useCustomerName()
  const [quoting, setQuoting] = useState(false)
  const money = (cents: number) => formatMoney(cents, 'EUR', locale)
  const [quoted = null] = customer.custom_plans
  return (
    <>
      <h2>{nameOf(customer)}</h2>
      <Facts
        rows={[
          [text('billing.admin.email'), customer.email === null ? '–' : visible(customer.email)],
          [
            text('billing.admin.plan'),
            `${text(`billing.admin.plan.${customer.plan}`)}, ${text(`billing.admin.status.${customer.status}`)}`,
          ],
          ...(customer.past_due_since === null
            ? []
            : [[text('billing.admin.since'), formatDay(customer.past_due_since, locale)] as const]),
          [text('billing.admin.owed'), money(customer.owed_cents)],
          [text('billing.admin.credit'), money(customer.credit_cents)],
          [text('billing.admin.balance'), money(customer.balance_cents)],
          [
            text('billing.admin.vat'),
            customer.vat_number === null
              ? '–'
              : `${visible(customer.vat_number)}${customer.vat_check === null ? '' : ` – ${text(`billing.admin.vat.${customer.vat_check}`)}`}`,
          ],
        ]}
      />
      <Part title={text('billing.admin.desk.invoices')} empty={customer.invoices.length === 0}>
        <InvoiceRows invoices={customer.invoices} ofOne />
      </Part>
      <Part title={text('billing.admin.attempts')} empty={customer.attempts.length === 0}>
        <ul className={styles['plain']}>
          {customer.attempts.map((each) => (
            <li key={each.id}>
              {formatInstant(each.created_at, locale)} – {each.invoice ?? text('billing.admin.draft')} –{' '}
              {money(each.amount_cents)} – {text(`billing.admin.attempt.${each.status}`)}
              {each.failure === null ? null : ` – ${visible(each.failure)}`}
              {each.reference === null ? null : ` – ${visible(each.reference)}`}
            </li>
          ))}
        </ul>
      </Part>
      {customer.refunds.length === 0 ? null : (
        <Part title={text('billing.admin.refunds')} empty={false}>
          <RefundRows refunds={customer.refunds} />
        </Part>
      )}
      <Part title={text('billing.admin.entries')} empty={customer.entries.length === 0}>
        <ul className={styles['plain']}>
          {customer.entries.map((each) => (
            <li key={each.number}>
              <strong>{withWholeNames(each.number)}</strong> – {formatDay(each.on, locale)}
              {each.invoice === null ? null : ` – ${each.invoice}`}
              <ul className={styles['entries']}>
                {each.postings.map((posting, i) => (
                  <li key={i}>
                    <code>
                      {each.journal} {posting.account}
                    </code>{' '}
                    {posting.debit_cents > 0
                      ? text('billing.admin.debit', { amount: money(posting.debit_cents) })
                      : text('billing.admin.credit_side', { amount: money(posting.credit_cents) })}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={text('billing.admin.interventions')} empty={customer.interventions.length === 0}>
        <ul className={styles['plain']}>
          {customer.interventions.map((each, i) => (
            <li key={i}>
              {formatInstant(each.at, locale)} – {text(`billing.admin.done.${each.kind}`)}
              {each.invoice === null ? null : ` – ${each.invoice}`}
              {each.amount_cents === null ? null : ` – ${money(each.amount_cents)}`}
              {each.reference === null ? null : ` – ${visible(each.reference)}`} – {visible(each.by)}
              <p className={styles['soft']}>{visible(each.reason)}</p>
            </li>
          ))}
        </ul>
      </Part>
      <section className={styles['part']}>
        <h3>{text('billing.admin.custom')}</h3>
        {quoted === null ? <p className={styles['soft']}>{text('billing.admin.custom.none')}</p> : null}
        <ul className={styles['plain']}>
          {customer.custom_plans.map((each, i) => (
            <li key={i}>
              {text('billing.admin.custom.line', {
                day: formatDay(each.effective_from, locale),
                month: each.month_cents === null ? '–' : money(each.month_cents),
                year: each.year_cents === null ? '–' : money(each.year_cents),
              })}
            </li>
          ))}
        </ul>
        <p>
          <Button variant="default" onClick={() => setQuoting(true)}>
            {text('billing.admin.quote')}
          </Button>
        </p>
        <ChangeTerms
          open={quoting}
          of={{ customer: customer.id, name: nameOf(customer) }}
          terms={quoted}
          onClose={() => setQuoting(false)}
        />
      </section>
    </>
  )
}

function Part(props: { title: string; empty: boolean; children: ReactNode }): ReactNode {
  const text = useText()
  return (
    <section className={styles['part']}>
      <h3>{props.title}</h3>
      {props.empty ? <p className={styles['soft']}>{text('billing.admin.none')}</p> : props.children}
    </section>
  )
}
