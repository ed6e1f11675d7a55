import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** A word or two about what it stands beside. */
export function Badge(props: { tone: 'plain' | 'good' | 'caution' | 'bad' | 'accent'; children: ReactNode }): ReactNode {
  return (
    <span className={styles['badge']} data-tone={props.tone}>
      {props.children}
    </span>
  )
}

export function BadgeRow(props: { children: ReactNode }): ReactNode {
  return <div className={styles['badges']}>{props.children}</div>
}
