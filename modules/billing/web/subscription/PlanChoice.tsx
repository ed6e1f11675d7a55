import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { CompleteProfile } from '../../../account/web/index.ts'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import {
  changeSubscription,
  createSubscription,
  previewSubscription,
  type QuoteOnTheWire,
  type SubscriptionOnTheWire,
} from '../../contract/subscriptions.ts'
import { SupportLink } from '../components/SupportLink.tsx'
import { PlanWords } from '../components/PlanWords.tsx'
import { useMoney } from '../components/use-money.ts'
import { moneyKey, subscriptionQuery } from '../components/queries.ts'
import { WhatToDo } from '../components/WhatToDo.tsx'
import { useFormulaWords } from './formula-words.ts'
import { QuoteTable } from './QuoteTable.tsx'
import account from '../components/billing.module.css'
import styles from './subscription.module.css'

type Wish = { readonly plan: PlanTermsOnTheWire['plan']; readonly cycle: 'month' | 'year'; readonly instalments: 1 | 4 }

/** Custom is to be had by whom it was quoted to. */
const isOffered = (one: PlanTermsOnTheWire): boolean =>
  one.plan !== 'custom' || one.month_cents !== null || one.year_cents !== null

const quoteQuery = (wish: Wish) => ({
  queryKey: [...moneyKey, 'quote', wish] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(previewSubscription, { body: wish, signal }),
  // What is shown is what is asked for: never what it was a while ago.
  staleTime: 0,
})

/** K-10, K-14, K-15: a plan, how often it is renewed and in how many payments, with each invoice to come before anything binds. */
export function PlanChoice(props: {
  subscription: SubscriptionOnTheWire | null
  plans: readonly PlanTermsOnTheWire[]
  onAsked: () => void
}): ReactNode {
  const text = useText()
  const words = useFormulaWords()
  const { subscription, plans } = props
  const present: Wish = {
    plan: subscription?.plan ?? 'unit',
    cycle: subscription?.cycle ?? 'month',
    instalments: subscription?.instalments ?? 1,
  }
  const [wish, setWish] = useState<Wish>(present)
  const isPresent =
    wish.plan === present.plan &&
    (wish.plan === 'unit' || (wish.cycle === present.cycle && wish.instalments === present.instalments))
  const cyclesOf = (plan: Wish['plan']) => {
    const terms = plans.find((each) => each.plan === plan)
    return (['month', 'year'] as const).filter((cycle) => terms !== undefined && terms[`${cycle}_cents`] !== null)
  }
  const radio = <K extends keyof Wish>(name: K, value: Wish[K], label: ReactNode, more: ReactNode) => (
    <label key={String(value)} className={account['choice']}>
      <input
        type="radio"
        name={name}
        checked={wish[name] === value}
        onChange={() =>
          setWish((before) => {
            const chosen = { ...before, [name]: value }
            const cycles = cyclesOf(chosen.plan)
            const next = { ...chosen, cycle: cycles.includes(chosen.cycle) ? chosen.cycle : (cycles[0] ?? chosen.cycle) }
            return next.cycle === 'month' ? { ...next, instalments: 1 } : next
          })
        }
      />
      <span>{label}</span>
      {more === null ? null : <small>{more}</small>}
    </label>
  )
  return (
    <section className={account['section']} aria-labelledby="choose-plan">
      <h2 id="choose-plan">{text('billing.choose')}</h2>
      <fieldset className={account['group']}>
        <legend>{text('billing.choose.plan')}</legend>
        {plans
          .filter(isOffered)
          .map((terms) => radio('plan', terms.plan, <strong>{words.plan(terms)}</strong>, <PlanWords terms={terms} />))}
      </fieldset>
      <p className={account['soft']}>
        {text('billing.choose.custom')} <SupportLink />
      </p>
      {wish.plan === 'unit' ? null : (
        <div className={styles['ways']}>
          <fieldset className={account['group']}>
            <legend>{text('billing.choose.cycle')}</legend>
            {cyclesOf(wish.plan).map((cycle) =>
              radio(
                'cycle',
                cycle,
                text(`billing.cycle.${cycle}`),
                cycle === 'year' && wish.plan !== 'custom' ? text('billing.cycle.year.more') : null,
              ),
            )}
          </fieldset>
          {wish.cycle === 'month' ? null : (
            <fieldset className={account['group']}>
              <legend>{text('billing.choose.instalments')}</legend>
              {radio('instalments', 1, text('billing.instalments.1'), null)}
              {radio('instalments', 4, text('billing.instalments.4'), text('billing.instalments.4.more'))}
            </fieldset>
          )}
        </div>
      )}
      {subscription === null || subscription.pending !== null || present.plan === 'unit' ? null : (
        <p>
          <Button variant="default" size="md" onClick={() => setWish({ plan: 'unit', cycle: 'month', instalments: 1 })}>
            {text('billing.choose.end')}
          </Button>
        </p>
      )}
      {isPresent ? (
        <p className={account['soft']}>{text('billing.choose.hint')}</p>
      ) : (
        <Foreseen key={JSON.stringify(wish)} wish={wish} subscription={subscription} onAsked={props.onAsked} />
      )}
    </section>
  )
}

/** What was asked for cannot be done, and what to do about it. */
function Impossible(props: { error: Error; onAgain: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { error } = props
  const code = error instanceof ApiError ? error.code : null
  return (
    <div className={account['notice']} data-tone="caution" role="alert">
      <p>{errorText(error)}</p>
      <WhatToDo error={error} />
      {code === 'billing.custom_by_quote' ? null : code === 'billing.profile_incomplete' ? (
        <CompleteProfile onSaved={props.onAgain} />
      ) : (
        <Button variant="default" size="md" onClick={props.onAgain}>
          {text('ui.retry')}
        </Button>
      )}
    </div>
  )
}

function Foreseen(props: { wish: Wish; subscription: SubscriptionOnTheWire | null; onAsked: () => void }): ReactNode {
  const text = useText()
  const { wish } = props
  const quote = useQuery(quoteQuery(wish))
  if (quote.error !== null) return <Impossible error={quote.error} onAgain={() => void quote.refetch()} />
  if (quote.data === undefined) return <p role="status">{text('billing.quote.loading')}</p>
  return <Agree {...props} quote={quote.data} stale={quote.isFetching} />
}

function Agree(props: {
  wish: Wish
  quote: QuoteOnTheWire
  stale: boolean
  subscription: SubscriptionOnTheWire | null
  onAsked: () => void
}): ReactNode {
  const text = useText()
  const words = useFormulaWords()
  const { money, day } = useMoney()
  const client = useQueryClient()
  const { wish, quote, subscription } = props
  const asking = useMutation({
    mutationFn: async () => {
      const body = { ...wish, accepted_cents: quote.due_now_cents }
      return subscription === null
        ? await call(createSubscription, { body })
        : await call(changeSubscription, { params: { id: subscription.id }, body })
    },
    onSuccess: async (made) => {
      keepAnswer(client, subscriptionQuery.queryKey, made)
      props.onAsked()
      //
      notify(
        'success',
        made.pending === null
          ? text('billing.asked.done', { plan: words.plan(made) })
          : made.pending.kind === 'term'
            ? text('billing.asked.term', { day: day(made.pending.on) })
            : text('billing.asked.payment'),
        text('ui.notice.dismiss'),
      )
      await client.invalidateQueries({ queryKey: moneyKey, predicate: ({ queryKey }) => queryKey[1] !== 'subscription' })
    },
    // It is shown anew: what changed is seen before it is agreed to.
    onError: () => void client.invalidateQueries({ queryKey: [...moneyKey, 'quote'] }),
  })
  return (
    <section className={account['card']} aria-labelledby="foreseen" aria-busy={props.stale}>
      <h3 id="foreseen">{text('billing.quote.title', { plan: words.plan(wish) })}</h3>
      <p>
        {quote.when === 'at_term'
          ? text('billing.quote.at_term', { day: day(quote.on) })
          : quote.due_now_cents === 0
            ? text('billing.quote.nothing_now')
            : text('billing.quote.now', { amount: money(quote.due_now_cents) })}
      </p>
      <QuoteTable quote={quote} />
      {asking.error === null ? null : <Impossible error={asking.error} onAgain={() => asking.reset()} />}
      <div className={account['actions']}>
        <Button size="md" loading={asking.isPending} disabled={props.stale} onClick={() => asking.mutate()}>
          {quote.when === 'at_term'
            ? text('billing.quote.agree_term', { day: day(quote.on) })
            : quote.due_now_cents === 0
              ? text('billing.quote.agree_now')
              : text('billing.quote.agree', { amount: money(quote.due_now_cents) })}
        </Button>
      </div>
    </section>
  )
}
