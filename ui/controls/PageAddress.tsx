import type { ReactNode } from 'react'
import { visible } from '../intl/visible.ts'
import styles from './page-address.module.css'

/**
 * The address of a captured page is a stranger's text: shown as text, isolated from the direction of what surrounds it, with the
 * characters that reverse or hide others made visible.
 */
export function PageAddress(props: { url: string }): ReactNode {
  return (
    <bdi className={styles['address']} dir="ltr">
      {visible(props.url)}
    </bdi>
  )
}
