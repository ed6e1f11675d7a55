import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import { SupportLink } from '../components/SupportLink.tsx'
import { TestPayments } from '../components/TestPayments.tsx'
import { useMoney } from '../components/use-money.ts'
import { plansQuery } from '../components/plans-query.ts'
import account from '../components/billing.module.css'
import styles from './plans.module.css'

/** What everything costs, before anything is asked for. */
export function PlansPage(): ReactNode {
  const text = useText()
  const plans = useQuery(plansQuery)
  return (
    <div className={styles['page']}>
      <header className={styles['lead']}>
        <h1>{text('ui.page.plans')}</h1>
        <p>{text('billing.plans.lead')}</p>
      </header>
      <Loaded query={plans} loading={text('ui.loading')} failed={text('billing.plans.failed')}>
        {({ plans: all, vat_basis_points: vat, test }) => (
          <>
            <TestPayments test={test} />
            <ul className={styles['plans']}>
              {all.map((terms) => (
                <Plan key={terms.plan} terms={terms} />
              ))}
            </ul>
            <p className={account['soft']}>{text('billing.plans.vat', { rate: vat / 100 })}</p>
          </>
        )}
      </Loaded>
    </div>
  )
}

function Plan(props: { terms: PlanTermsOnTheWire }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { money } = useMoney()
  const { terms } = props
  const { month_cents: month, year_cents: year, report_cents: report, timestamp_cents: stamp } = terms
  /** A plan that goes on: Unit is none, and Custom is one once it was quoted. */
  const renewed = month !== null || year !== null
  const included = [
    ...(!renewed
      ? []
      : [
          terms.reports_per_month === null
            ? text('billing.terms.reports.any')
            : text('billing.terms.reports', { count: terms.reports_per_month }),
          terms.timestamps_per_month === null
            ? text('billing.terms.timestamps.any')
            : text('billing.terms.timestamps', { count: terms.timestamps_per_month }),
        ]),
    ...(terms.plan === 'custom' && !renewed
      ? []
      : [text('billing.terms.seats', { count: terms.seats }), text('billing.terms.drafts', { count: terms.drafts })]),
    ...(!renewed || report === null || terms.reports_per_month === null
      ? []
      : [text('billing.terms.more', { price: money(report) })]),
  ]
  return (
    <li className={styles['plan']} aria-labelledby={`plan-${terms.plan}`}>
      <h2 id={`plan-${terms.plan}`}>{text(`billing.plan.${terms.plan}`)}</h2>
      {month !== null ? (
        <p>
          <span className={account['amount']}>{money(month)}</span>{' '}
          <span className={styles['per']}>{text('billing.plans.per_month')}</span>
        </p>
      ) : year !== null ? (
        <p>
          <span className={account['amount']}>{money(year)}</span>{' '}
          <span className={styles['per']}>{text('billing.plans.a_year')}</span>
        </p>
      ) : report !== null ? (
        <p>
          <span className={account['amount']}>{money(report)}</span>{' '}
          <span className={styles['per']}>{text('billing.plans.per_report')}</span>
        </p>
      ) : (
        <p className={account['amount']}>{text('billing.plans.by_quote')}</p>
      )}
      {year === null || month === null ? null : (
        <p>{text(terms.plan === 'custom' ? 'billing.plans.or_year' : 'billing.plans.per_year', { year: money(year) })}</p>
      )}
      {terms.plan === 'custom' && renewed ? <p>{text('billing.plans.quoted')}</p> : null}
      {renewed || stamp === null ? null : <p>{text('billing.plans.per_stamp', { price: money(stamp) })}</p>}
      {included.length > 0 ? null : (
        <p>
          {text('billing.plans.custom')} <SupportLink />
        </p>
      )}
      <ul>
        {included.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {!renewed ? null : (
        <Button
          renderRoot={(root) => <Link to="/$locale/account/$/" params={{ locale, _splat: 'subscription' }} {...root} />}
          size="md"
          px="sm"
          fullWidth
          variant="default"
        >
          {text('billing.plans.choose', { plan: text(`billing.plan.${terms.plan}`) })}
        </Button>
      )}
    </li>
  )
}
