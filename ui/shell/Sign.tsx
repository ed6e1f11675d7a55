import type { ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import { useBrand } from './brand.ts'
import styles from './layouts.module.css'
import { Mark } from './Mark.tsx'

/** A partner's logo (L-18), for either scheme. */
export function Logo(props: { brand: string; name: string }): ReactNode {
  const address = `/brands/${props.brand}/logo`
  return (
    <picture className={styles['logo']}>
      <source srcSet={`${address}-dark`} media="(prefers-color-scheme: dark)" />
      <img src={address} alt={props.name} />
    </picture>
  )
}

/** Who speaks: the product, or a partner with it. */
export function Sign(): ReactNode {
  const text = useText()
  const brand = useBrand()
  if (brand === null)
    return (
      <>
        <Mark />
        {text('ui.product')}
      </>
    )
  return (
    <span className={styles['sign']}>
      <Logo brand={brand.id} name={brand.name} />
      <small>{text('ui.brand.with')}</small>
    </span>
  )
}
