import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Badge } from '../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../ui/controls/ReferencePage.tsx'
import type { ComingPayout, EarningOnTheWire, PayoutOnTheWire } from '../contract/payouts.ts'
import { Coming } from './Coming.tsx'
import { earningsQuery, payoutsQuery } from './queries.ts'
import { Statement } from './Statement.tsx'
import { Turn } from './Turn.tsx'
import { WhatBecame } from './WhatBecame.tsx'
import { usePayoutWords } from './use-words.ts'
import styles from './payout.module.css'

/** C-54, C-55: what comes next, what was paid, and what it was earned by; or the payout that the address names. */
export function PayoutPage(): ReactNode {
  const { _splat = '' } = useParams({ strict: false })
  const [, id = ''] = _splat.split('/')
  return id === '' ? <Payouts /> : <Statement key={id} id={id} />
}

function Payouts(): ReactNode {
  const { text, percent, money } = usePayoutWords()
  const [page, setPage] = useState(1)
  const payouts = useQuery({ ...payoutsQuery(page), placeholderData: keepPreviousData })
  const rules = ({ rules: told }: ComingPayout) =>
    text('payout.page.rules', {
      rate: percent(told.referral_rate),
      months: told.referral_months,
      share: percent(10_000 - told.license_fee_rate),
      minimum: money(told.minimum_cents),
      days: told.delay_days,
    })
  return (
    <section className={styles['page']}>
      <h2 className="visually-hidden">{text('payout.page.title')}</h2>
      <Loaded query={payouts} loading={text('ui.loading')} failed={text('payout.page.failed')}>
        {(read) => (
          <>
            {read.coming.test ? <p className={styles['test']}>{text('payout.page.test')}</p> : null}
            <p className={styles['soft']}>{rules(read.coming)}</p>
            <Coming coming={read.coming} />
            <section className={styles['section']}>
              <h3>{text('payout.page.list')}</h3>
              {read.count === 0 ? (
                <p className={styles['soft']}>{text('payout.page.none')}</p>
              ) : (
                <ul className={styles['list']}>
                  {read.results.map((each) => (
                    <PayoutRow key={each.id} payout={each} />
                  ))}
                </ul>
              )}
              <Turn page={page} of={read} onPage={setPage} />
            </section>
          </>
        )}
      </Loaded>
      <Earnings />
    </section>
  )
}

/** E-41. */
function PayoutRow(props: { payout: PayoutOnTheWire }): ReactNode {
  const { text, locale, money, day, tone } = usePayoutWords()
  const { payout } = props
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <Link to="/$locale/account/$/" params={{ locale, _splat: `payout/${payout.id}` }}>
          {text('payout.page.of', { day: day(payout.date) })}
        </Link>
        <WhatBecame payout={payout} />
      </div>
      <strong className={styles['figure']}>{money(payout.gross_cents)}</strong>
      <Badge tone={tone(payout)}>{text(`payout.status.${payout.status}`)}</Badge>
    </li>
  )
}

function Earnings(): ReactNode {
  const { text } = usePayoutWords()
  const [page, setPage] = useState(1)
  const earnings = useQuery({ ...earningsQuery(page), placeholderData: keepPreviousData })
  return (
    <section className={styles['section']}>
      <h3>{text('payout.page.earnings')}</h3>
      <Loaded query={earnings} loading={text('ui.loading')} failed={text('payout.page.failed')}>
        {(read) =>
          read.count === 0 ? (
            <p className={styles['soft']}>{text('payout.page.no_earning')}</p>
          ) : (
            <>
              <ul className={styles['list']}>
                {read.results.map((each) => (
                  <EarningRow key={each.id} earning={each} />
                ))}
              </ul>
              <Turn page={page} of={read} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** Each euro, with the line of the invoice that it comes from. */
function EarningRow(props: { earning: EarningOnTheWire }): ReactNode {
  const { text, money, day, earningTone, origin } = usePayoutWords()
  const { earning } = props
  const isLess = earning.standing_cents < earning.amount_cents
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>
          {text(`payout.source.${earning.source}`)} · {text(`payout.item.${earning.item}`)}
        </strong>
        <p className={styles['soft']}>
          {day(earning.date)} · {origin(earning)}
        </p>
        {earning.status === 'accrued' ? (
          <p className={styles['soft']}>{text('payout.page.matures', { day: day(earning.matures_on) })}</p>
        ) : null}
        {isLess ? <p className={styles['soft']}>{text('payout.page.was', { amount: money(earning.amount_cents) })}</p> : null}
      </div>
      <strong className={styles['figure']}>{money(earning.standing_cents)}</strong>
      <Badge tone={earningTone(earning)}>{text(`payout.earning.${earning.status}`)}</Badge>
    </li>
  )
}
