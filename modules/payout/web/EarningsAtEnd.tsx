import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { payoutsQuery } from './queries.ts'
import { usePayoutWords } from './use-words.ts'
import styles from './payout.module.css'

/** What somebody earned and was not paid: told before his account is closed, since afterwards it can be paid to nobody (0417). */
export function EarningsAtEnd(): ReactNode {
  const { text, locale, money, day } = usePayoutWords()
  const { data } = useQuery(payoutsQuery(1))
  const coming = data?.coming
  const left = coming === undefined ? 0 : Math.max(0, coming.amount_cents) + coming.accrued_cents
  if (coming === undefined || left === 0) return null
  return (
    <div className={styles['warning']} role="note">
      <p>{text('payout.ending', { amount: money(left), day: day(coming.on), due: money(Math.max(0, coming.amount_cents)) })}</p>
      <Link to="/$locale/account/$/" params={{ locale, _splat: 'payout' }}>
        {text('payout.ending.link')}
      </Link>
    </div>
  )
}
