import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import account from '../account.module.css'
import styles from '../acts/acts.module.css'
import { ActsList } from '../acts/ActsList.tsx'
import { VerifyActs } from '../acts/VerifyActs.tsx'

/** H-20, H-43: the whole record of acts, for administrators. */
export function ActsPage(): ReactNode {
  const text = useText()
  return (
    <div className={account['page']}>
      <header className={styles['header']}>
        <h1>{text('ui.page.acts')}</h1>
        <p className={account['soft']}>{text('identity.acts.lead')}</p>
      </header>
      <VerifyActs />
      <section className={account['page']} aria-label={text('identity.acts.lines')}>
        <ActsList whole />
      </section>
    </div>
  )
}
