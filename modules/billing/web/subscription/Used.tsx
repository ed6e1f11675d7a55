import { useId, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import gauge from '../../../../ui/controls/gauge.module.css'
import styles from './subscription.module.css'

/** How much of what a plan includes is used. */
export function Used(props: { label: string; used: number; included: number | null }): ReactNode {
  const text = useText()
  const id = useId()
  const { label, used, included } = props
  return (
    <div className={styles['used']}>
      <span id={id}>{label}</span>
      <span>{included === null ? text('billing.quota.any', { used }) : text('billing.quota.of', { used, included })}</span>
      {included === null ? null : (
        <progress className={gauge['gauge']} aria-labelledby={id} value={Math.min(used, included)} max={included} />
      )}
    </div>
  )
}
