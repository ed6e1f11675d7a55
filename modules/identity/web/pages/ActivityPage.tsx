import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import account from '../account.module.css'
import styles from '../acts/acts.module.css'
import { ActsList } from '../acts/ActsList.tsx'

/** H-43: what was done in one's account and to it, by whoever it was. */
export function ActivityPage(): ReactNode {
  const text = useText()
  return (
    <section className={styles['section']}>
      <p className={account['soft']}>{text('identity.acts.own.lead')}</p>
      <ActsList whole={false} />
    </section>
  )
}
