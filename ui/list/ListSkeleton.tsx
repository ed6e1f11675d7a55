import type { ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import styles from './list.module.css'

/** Where the rows will be, while they are read. */
export function ListSkeleton(): ReactNode {
  const text = useText()
  return (
    <div className={styles['skeleton']}>
      <p className="visually-hidden" role="status">
        {text('ui.loading')}
      </p>
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className={styles['bone']} aria-hidden="true">
          <span />
          <span>
            <i />
            <i />
          </span>
        </div>
      ))}
    </div>
  )
}
