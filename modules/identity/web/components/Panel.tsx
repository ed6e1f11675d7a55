import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { Mark } from '../../../../ui/shell/Mark.tsx'
import type { Brand } from '../sign-in.ts'
import styles from '../identity.module.css'

/** L-01: what stands in the middle of an authentication page; whose door it is, and the way home. */
export function Panel(props: { title: string; brand: Brand; children: ReactNode }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <div className={styles['panel']} data-brand={props.brand ?? undefined}>
      <Link className={styles['brand']} to="/$locale/" params={{ locale }}>
        <Mark />
        <span>{text('ui.product')}</span>
        {props.brand === null ? null : <span className={styles['door']}>{text('identity.page.partner')}</span>}
      </Link>
      <div className={styles['sheet']}>
        <h1>{props.title}</h1>
        {props.children}
      </div>
    </div>
  )
}
