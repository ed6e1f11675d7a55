import type { ReactNode } from 'react'
import { withWholeNames } from '../intl/whole.tsx'
import styles from './controls.module.css'

/** Names and values, side by side on wide screens. A value that was not measured must be given as such by the caller. */
export function Facts(props: { rows: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode {
  return (
    <dl className={styles['facts']}>
      {props.rows.map(([name, value], i) => (
        <div key={i}>
          <dt>{withWholeNames(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
