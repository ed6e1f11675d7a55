import type { ReactNode } from 'react'
import styles from './health.module.css'

export type Badge = { readonly tone: 'good' | 'caution' | 'plain'; readonly words: string }

/** A few words each, in a row of a list or above details. */
export function Badges(props: { badges: readonly Badge[] }): ReactNode {
  if (props.badges.length === 0) return null
  return (
    <p className={styles['badges']}>
      {props.badges.map(({ tone, words }) => (
        <span key={words} data-tone={tone}>
          {words}
        </span>
      ))}
    </p>
  )
}
