import { useState, type ReactNode } from 'react'
import styles from './rows.module.css'

/** What it looks like, small; where there is no picture, or it cannot be had, a few letters of what it is. */
export function RowPicture(props: { url: string | null; instead: ReactNode }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null)
  const { url } = props
  return (
    <div className={styles['thumbnail']} aria-hidden="true">
      {url === null || failed === url ? (
        props.instead
      ) : (
        <img src={url} alt="" width={60} height={37} loading="lazy" decoding="async" onError={() => setFailed(url)} />
      )}
    </div>
  )
}
