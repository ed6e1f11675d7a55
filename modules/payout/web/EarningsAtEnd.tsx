import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../kernel/endpoint.ts'
import { Loaded } from '../../../ui/controls/ReferencePage.tsx'
import type { listPayouts } from '../contract/payouts.ts'
import { payoutsQuery } from './queries.ts'
import { usePayoutWords } from './use-words.ts'
import styles from './payout.module.css'

/** What somebody earned and was not paid: told before his account is closed, since afterwards it can be paid to nobody (0417). */
export function EarningsAtEnd(): ReactNode {
  const { text } = usePayoutWords()
  const payouts = useQuery(payoutsQuery(1))
  return (
    <Loaded query={payouts} loading={text('ui.loading')} failed={text('payout.page.failed')}>
      {({ coming }) => <Unpaid coming={coming} />}
    </Loaded>
  )
}

function Unpaid({ coming }: Pick<ResponseOf<typeof listPayouts>, 'coming'>): ReactNode {
  const { text, locale, money, day } = usePayoutWords()
  const due = Math.max(0, coming.amount_cents)
  const left = due + coming.accrued_cents
  if (left === 0) return null
  return (
    <div className={styles['warning']} role="note">
      <p>{text('payout.ending', { amount: money(left), day: day(coming.on), due: money(due) })}</p>
      <Link to="/$locale/account/$/" params={{ locale, _splat: 'payout' }}>
        {text('payout.ending.link')}
      </Link>
    </div>
  )
}
