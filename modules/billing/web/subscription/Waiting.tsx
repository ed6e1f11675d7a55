import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeSubscription, type SubscriptionOnTheWire } from '../../contract/subscriptions.ts'
import { useMoney } from '../components/use-money.ts'
import { PayInvoice } from '../pay/lazy-pay-invoice.tsx'
import { moneyKey, subscriptionQuery } from '../components/queries.ts'
import { useFormulaWords } from './formula-words.ts'
import styles from '../components/billing.module.css'

type Pending = NonNullable<SubscriptionOnTheWire['pending']>

/** What waits for the customer, or for a day: a payment, a change that is to come (S-10, S-12, S-13). */
export function Waiting(props: { subscription: SubscriptionOnTheWire; asked: boolean }): ReactNode {
  const { subscription } = props
  const { pending, status } = subscription
  const [owed] = subscription.to_pay.filter(({ of_change }) => !of_change)
  const [first] = subscription.to_pay.filter(({ of_change }) => of_change)
  return (
    <>
      {status === 'suspended' || status === 'past_due' ? <Overdue status={status} /> : null}
      {owed === undefined ? null : <Pay invoiceId={owed.invoice_id} title="billing.owed" focus={false} />}
      {pending === null ? null : pending.kind === 'term' ? (
        <AtTerm subscription={subscription} pending={pending} />
      ) : (
        <ToBePaid subscription={subscription} pending={pending} invoiceId={first?.invoice_id ?? null} asked={props.asked} />
      )}
    </>
  )
}

function Overdue(props: { status: 'suspended' | 'past_due' }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { status } = props
  return (
    <section className={styles['notice']} data-tone={status === 'suspended' ? 'bad' : 'caution'}>
      <h2>{text(`billing.overdue.${status}`)}</h2>
      <p>{text(`billing.overdue.${status}.more`)}</p>
      <p>
        <Link to="/$locale/account/$/" params={{ locale, _splat: 'invoice' }}>
          {text('billing.return.invoices')}
        </Link>
      </p>
    </section>
  )
}

function Pay(props: { invoiceId: string; title: 'billing.owed' | 'billing.pay.first'; focus: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const { focus } = props
  // What was just asked for goes on here.
  useEffect(() => {
    if (focus) heading.current?.focus()
  }, [focus])
  return (
    <section className={styles['card']}>
      <h2 ref={heading} tabIndex={-1}>
        {text(props.title)}
      </h2>
      <PayInvoice
        key={props.invoiceId}
        invoiceId={props.invoiceId}
        returnTo={`/${locale}/account/subscription/`}
        onPaid={() => {
          notify('success', text('billing.return.paid'), text('ui.notice.dismiss'))
          void client.invalidateQueries({ queryKey: moneyKey })
        }}
      />
    </section>
  )
}

function ToBePaid(props: {
  subscription: SubscriptionOnTheWire
  pending: Pending
  invoiceId: string | null
  asked: boolean
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const words = useFormulaWords()
  const { subscription, pending, invoiceId } = props
  return (
    <>
      <section className={styles['notice']} data-tone="plain">
        <h2>{text('billing.pending.payment', { plan: words.plan(pending), payment: words.payment(pending) })}</h2>
        <p>
          {pending.until === null
            ? text('billing.pending.payment.more')
            : text('billing.pending.payment.until', { until: formatInstant(pending.until, locale) })}
        </p>
        <Undo subscription={subscription} />
      </section>
      {invoiceId === null ? null : <Pay invoiceId={invoiceId} title="billing.pay.first" focus={props.asked} />}
    </>
  )
}

function AtTerm(props: { subscription: SubscriptionOnTheWire; pending: Pending }): ReactNode {
  const text = useText()
  const words = useFormulaWords()
  const { day } = useMoney()
  const { subscription, pending } = props
  return (
    <section className={styles['notice']} data-tone="plain">
      <h2>{text('billing.pending.term', { plan: words.plan(pending), day: day(pending.on) })}</h2>
      <p>{text('billing.pending.term.more', { plan: words.plan(subscription) })}</p>
      <Undo subscription={subscription} />
    </section>
  )
}

/** S-13. */
function Undo(props: { subscription: SubscriptionOnTheWire }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const undoing = useMutation({
    mutationFn: () => call(changeSubscription, { params: { id: props.subscription.id }, body: { cancel_pending: true } }),
    onSuccess: async (subscription) => {
      keepAnswer(client, subscriptionQuery.queryKey, subscription)
      notify('success', text('billing.pending.undone'), text('ui.notice.dismiss'))
      await client.invalidateQueries({ queryKey: moneyKey })
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <Button variant="default" size="md" loading={undoing.isPending} onClick={() => undoing.mutate()}>
      {text('billing.pending.undo')}
    </Button>
  )
}
