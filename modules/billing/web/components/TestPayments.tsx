import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { plansQuery } from './plans-query.ts'
import styles from './billing.module.css'

/** Where no money moves, every screen that speaks of a payment says so. */
export function TestPayments(props: { test: boolean }): ReactNode {
  const text = useText()
  return props.test ? (
    <p className={styles['test']}>
      <strong>{text('billing.test')}</strong> {text('billing.test.more')}
    </p>
  ) : null
}

/** The same, on a screen where nothing else that is read tells it. */
export function TestPaymentsHere(): ReactNode {
  const { data } = useQuery(plansQuery)
  return <TestPayments test={data?.test ?? false} />
}
