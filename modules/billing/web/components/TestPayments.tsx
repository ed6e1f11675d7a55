import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
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
