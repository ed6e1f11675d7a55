import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { useBrand } from '../../../../ui/shell/brand.ts'
import { Sign } from '../../../../ui/shell/Sign.tsx'
import type { Brand } from '../sign-in.ts'
import styles from '../identity.module.css'

/** L-01: what stands in the middle of an authentication page; whose door it is, the way home, and to a partner's help. */
export function Panel(props: { title: string; brand: Brand; children: ReactNode }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const brand = useBrand()
  return (
    <div className={styles['panel']} data-brand={brand?.id ?? props.brand ?? undefined}>
      <Link className={styles['brand']} to="/$locale/" params={{ locale }}>
        <Sign />
        {props.brand === null || brand !== null ? null : <span className={styles['door']}>{text('identity.page.partner')}</span>}
      </Link>
      <div className={styles['sheet']}>
        <h1>{props.title}</h1>
        {props.children}
      </div>
      {brand === null || brand.support === null ? null : (
        <p className={styles['links']}>
          <a href={`mailto:${brand.support}`}>{text('ui.brand.support', { address: brand.support })}</a>
        </p>
      )}
    </div>
  )
}
