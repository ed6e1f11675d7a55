import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { useSession } from '../../../../ui/api/session.ts'
import { visible } from '../../../../ui/intl/visible.ts'
import { currentUserQuery, useMayManage } from '../../../account/web/index.ts'
import { TestPayments } from '../components/TestPayments.tsx'
import { plansQuery } from '../components/plans-query.ts'
import { subscriptionQuery } from '../components/queries.ts'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import type { SubscriptionOnTheWire } from '../../contract/subscriptions.ts'
import { CurrentPlan } from '../subscription/CurrentPlan.tsx'
import { GroupPlan } from '../subscription/GroupPlan.tsx'
import { PlanChoice } from '../subscription/PlanChoice.tsx'
import { Waiting } from '../subscription/Waiting.tsx'
import styles from '../components/billing.module.css'
import subscribed from '../subscription/subscription.module.css'

/** R-12, C-60: the first page of the account: what it has, what waits, and what else it may have. */
export function SubscriptionPage(): ReactNode {
  const text = useText()
  const plans = useQuery(plansQuery)
  const subscription = useQuery(subscriptionQuery)
  return (
    <section className={styles['section']}>
      <Loaded query={plans} loading={text('ui.loading')} failed={text('billing.plans.failed')}>
        {({ plans: all, test }) => (
          <>
            <TestPayments test={test} />
            <Loaded query={subscription} loading={text('ui.loading')} failed={text('billing.subscription.failed')}>
              {(held) => <Held subscription={held} plans={all} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </section>
  )
}

function Held(props: { subscription: SubscriptionOnTheWire | null; plans: readonly PlanTermsOnTheWire[] }): ReactNode {
  const text = useText()
  const manage = useMayManage()
  /** Whether a change was asked for here: then one goes on to its payment. */
  const [asked, setAsked] = useState(false)
  const { subscription, plans } = props
  const group = useGroupOfAnother()
  // Whoever has a plan of his own works on that.
  const covered = group !== null && (subscription === null || subscription.plan === 'unit')
  const choice =
    manage && (subscription === null || (subscription.pending === null && ['unit', 'active'].includes(subscription.status))) ? (
      <PlanChoice
        key={`${subscription?.plan ?? ''} ${subscription?.cycle ?? ''} ${subscription?.instalments ?? ''}`}
        subscription={subscription}
        plans={plans}
        onAsked={() => setAsked(true)}
      />
    ) : null
  return (
    <>
      {covered ? (
        <GroupPlan group={group} />
      ) : (
        <CurrentPlan subscription={subscription} unit={plans.find(({ plan }) => plan === 'unit')} />
      )}
      {subscription === null || !manage ? null : <Waiting subscription={subscription} asked={asked} />}
      {covered && choice !== null ? (
        <details className={subscribed['own']}>
          <summary>{text('billing.group.own')}</summary>
          <p className={styles['soft']}>{text('billing.group.own.more')}</p>
          {choice}
        </details>
      ) : (
        choice
      )}
    </>
  )
}

/** Name of the group that another owns and that the caller is a member of; what a delegate sees is of the account that he acts in. */
function useGroupOfAnother(): string | null {
  const acting = (useSession()?.delegation ?? null) !== null
  const { data: user } = useQuery({ ...currentUserQuery, enabled: !acting })
  const group = user?.group ?? null
  return acting || group === null || group.role === 'owner' ? null : visible(group.name)
}
