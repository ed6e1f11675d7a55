import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PayoutOnTheWire } from '../contract/payouts.ts'
import { usePayoutWords } from './use-words.ts'
import styles from './payout.module.css'

/** S-21: why it did not reach him, what becomes of the money, and where he mends what is his to mend. */
export function WhatBecame(props: { payout: Pick<PayoutOnTheWire, 'status' | 'failure'> }): ReactNode {
  const { text, locale } = usePayoutWords()
  const { status, failure } = props.payout
  if (failure === null && status !== 'returned') return null
  return (
    <>
      <p className={styles['soft']}>
        {failure === null ? text('payout.page.returned') : text('payout.page.why', { why: text(`payout.failure.${failure}`) })}
      </p>
      {failure === null || failure === 'account_refused' ? (
        <p>
          <Link to="/$locale/account/$/" params={{ locale, _splat: 'bank' }}>
            {text('payout.lack.provider_account.link')}
          </Link>
        </p>
      ) : null}
    </>
  )
}
