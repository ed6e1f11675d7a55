import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { useMayManage } from '../../../account/web/index.ts'
import { TestPayments } from '../components/TestPayments.tsx'
import { plansQuery, subscriptionQuery } from '../components/queries.ts'
import { CurrentPlan } from '../subscription/CurrentPlan.tsx'
import { PlanChoice } from '../subscription/PlanChoice.tsx'
import { Waiting } from '../subscription/Waiting.tsx'
import styles from '../components/billing.module.css'

/** R-12, C-60: the first page of the account: what it has, what waits, and what else it may have. */
export function SubscriptionPage(): ReactNode {
  const text = useText()
  const manage = useMayManage()
  const plans = useQuery(plansQuery)
  const subscription = useQuery(subscriptionQuery)
  /** Whether a change was asked for here: then one goes on to its payment. */
  const [asked, setAsked] = useState(false)
  return (
    <section className={styles['section']}>
      <h2>{text('billing.subscription.title')}</h2>
      <Loaded query={plans} loading={text('ui.loading')} failed={text('billing.plans.failed')}>
        {({ plans: all, test }) => (
          <>
            <TestPayments test={test} />
            <Loaded query={subscription} loading={text('ui.loading')} failed={text('billing.subscription.failed')}>
              {(held) => (
                <>
                  <CurrentPlan subscription={held} unit={all.find(({ plan }) => plan === 'unit')} />
                  {held === null || !manage ? null : <Waiting subscription={held} asked={asked} />}
                  {manage &&
                  (held === null || (held.pending === null && (held.status === 'unit' || held.status === 'active'))) ? (
                    <PlanChoice
                      key={`${held?.plan ?? ''} ${held?.cycle ?? ''} ${held?.instalments ?? ''}`}
                      subscription={held}
                      plans={all}
                      onAsked={() => setAsked(true)}
                    />
                  ) : null}
                </>
              )}
            </Loaded>
          </>
        )}
      </Loaded>
    </section>
  )
}
