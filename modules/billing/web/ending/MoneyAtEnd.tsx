import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { foreseeEnding, type EndingOnTheWire } from '../../contract/ending.ts'
import { moneyKey } from '../components/queries.ts'
import { useMoney } from '../components/use-money.ts'
import styles from '../components/billing.module.css'

const endingQuery = {
  queryKey: [...moneyKey, 'ending'] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(foreseeEnding, { signal }),
}

/** What becomes of what was paid and is owed, to the cent, before an account is closed. */
export function MoneyAtEnd(): ReactNode {
  const text = useText()
  const ending = useQuery(endingQuery)
  return (
    <section className={styles['section']}>
      <h3>{text('billing.ending.title')}</h3>
      <Loaded query={ending} loading={text('ui.loading')} failed={text('billing.ending.failed')}>
        {(foreseen) => <Foreseen ending={foreseen} />}
      </Loaded>
    </section>
  )
}

/** One line for each thing, in the order in which they are done. */
function useLines({ credit_cents: credit, invoices, set_off_cents: setOff, refunds, waiting_cents: waiting }: EndingOnTheWire) {
  const text = useText()
  const { money } = useMoney()
  return [
    ...(credit === 0 ? [] : [text('billing.ending.credit', { amount: money(credit) })]),
    ...invoices.map(({ kind, credits, gross_cents: gross }) =>
      text(`billing.ending.${kind}`, { amount: money(gross), number: credits ?? '' }),
    ),
    ...(setOff === 0 ? [] : [text('billing.ending.set_off', { amount: money(setOff) })]),
    ...refunds.map(({ by, invoice, amount_cents: cents }) =>
      text(`billing.ending.refund.${by}`, { amount: money(cents), number: invoice ?? '' }),
    ),
    ...(waiting === 0 ? [] : [text('billing.ending.waiting', { amount: money(waiting) })]),
  ]
}

function Foreseen({ ending }: { ending: EndingOnTheWire }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { money, day } = useMoney()
  const lines = useLines(ending)
  const { plan, on, owed_cents: owed } = ending
  return (
    <>
      {lines.length === 0 ? (
        <p>{text(owed === 0 ? 'billing.ending.nothing' : 'billing.ending.no_credit')}</p>
      ) : (
        <>
          <p>{text('billing.ending.lead', { day: day(on) })}</p>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {plan === 'unit' ? null : (
        <p className={styles['soft']}>
          {text('billing.ending.plan')}{' '}
          <Link to="/$locale/account/$/" params={{ locale, _splat: 'subscription' }}>
            {text('billing.ending.to_plan')}
          </Link>
        </p>
      )}
      {owed === 0 ? null : (
        <div className={styles['notice']} data-tone="caution">
          <p>{text('billing.ending.owed', { amount: money(owed) })}</p>
          <Link to="/$locale/account/$/" params={{ locale, _splat: 'invoice' }}>
            {text('billing.ending.to_invoices')}
          </Link>
        </div>
      )}
    </>
  )
}
