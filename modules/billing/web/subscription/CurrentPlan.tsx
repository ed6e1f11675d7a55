import type { ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import type { SubscriptionOnTheWire } from '../../contract/subscriptions.ts'
import { useMoney } from '../components/use-money.ts'
import { useFormulaWords } from './formula-words.ts'
import { Used } from './Used.tsx'
import account from '../components/billing.module.css'
import styles from './subscription.module.css'

const tones = {
  unit: 'plain',
  incomplete: 'caution',
  active: 'good',
  past_due: 'caution',
  suspended: 'bad',
  cancelled: 'plain',
} as const

/** E-47, S-14: what the account has now, what is used of it, and what is invoiced next. */
export function CurrentPlan(props: {
  subscription: SubscriptionOnTheWire | null
  unit: PlanTermsOnTheWire | undefined
}): ReactNode {
  const text = useText()
  const { money, day, span } = useMoney()
  const words = useFormulaWords()
  const { subscription, unit } = props
  const plan = subscription ?? { plan: 'unit', cycle: null, instalments: null, status: 'unit' as const }
  const next = subscription?.next_invoice ?? null
  const extras = subscription?.extras ?? null
  return (
    <section className={account['card']} aria-labelledby="current-plan">
      <div className={account['head']}>
        <h2 id="current-plan">{text('billing.current', { plan: words.plan(plan) })}</h2>
        {plan.status === 'unit' || plan.status === 'incomplete' ? null : (
          <Badge tone={tones[plan.status]}>{text(`billing.status.${plan.status}`)}</Badge>
        )}
      </div>
      {plan.plan === 'unit' ? (
        <p>
          {unit?.report_cents == null || unit.timestamp_cents == null
            ? text('billing.unit.lead')
            : text('billing.unit.prices', { report: money(unit.report_cents), stamp: money(unit.timestamp_cents) })}
        </p>
      ) : (
        <dl className={styles['facts']}>
          <dt>{text('billing.fact.payment')}</dt>
          <dd>{words.payment(plan)}</dd>
          {subscription?.period_from == null || subscription.period_to === null ? null : (
            <>
              <dt>{text('billing.fact.period')}</dt>
              <dd>{text('billing.fact.period.value', span(subscription.period_from, subscription.period_to))}</dd>
            </>
          )}
          <dt>{text('billing.fact.next')}</dt>
          <dd>
            {next === null ? (
              text('billing.fact.next.none')
            ) : (
              <>
                <strong>{text('billing.fact.next.value', { day: day(next.on), gross: money(next.gross_cents) })}</strong>{' '}
                <span className={account['soft']}>
                  {text('billing.fact.next.parts', { net: money(next.net_cents), vat: money(next.vat_cents) })}
                  {next.to_pay_cents === next.gross_cents
                    ? null
                    : ` ${text('billing.fact.next.credit', { toPay: money(next.to_pay_cents) })}`}
                </span>
              </>
            )}
          </dd>
          {extras === null ? null : (
            <>
              <dt>{text('billing.fact.extras')}</dt>
              <dd>
                <strong>{text('billing.fact.extras.value', { day: day(extras.on), gross: money(extras.gross_cents) })}</strong>{' '}
                <span className={account['soft']}>
                  {text('billing.fact.extras.parts', {
                    count: extras.count,
                    net: money(extras.net_cents),
                    vat: money(extras.vat_cents),
                  })}
                </span>
              </dd>
            </>
          )}
        </dl>
      )}
      {subscription?.quota == null ? null : <Quota quota={subscription.quota} suspended={subscription.suspended} />}
    </section>
  )
}

/** H-34: what the plan includes this month, and what is used of it. */
function Quota(props: { quota: NonNullable<SubscriptionOnTheWire['quota']>; suspended: boolean }): ReactNode {
  const text = useText()
  const { span } = useMoney()
  const { from, to, evidences, documents } = props.quota
  const used = { evidences, documents }
  return (
    <div className={styles['quota']}>
      <h3>{text('billing.quota', span(from, to))}</h3>
      {(['evidences', 'documents'] as const).map((kind) => (
        <Used key={kind} label={text(`billing.quota.${kind}`)} {...used[kind]} />
      ))}
      {(['evidences', 'documents'] as const).map((kind) => {
        const { used: taken, included } = used[kind]
        // of whoever is suspended nothing is made before he has paid.
        return props.suspended || included === null || taken < included ? null : (
          <p key={`${kind} used up`} className={account['notice']} data-tone="caution">
            <span>{text('billing.quota.used_up', { what: kind })}</span>
          </p>
        )
      })}
    </div>
  )
}
