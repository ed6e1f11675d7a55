import { Fragment, type ReactNode } from 'react'
import styles from './whole.module.css'

/**
 * Names of algorithms, numbers of invoices, the French word for mail and those that point to what stands near (« ci-dessous ») are not broken
 * at their hyphen, which stays a plain one for whoever copies it.
 */
export function withWholeNames(text: string): ReactNode {
  const parts = text.split(
    /(SHA-\d+(?:-\d+)?|\b[A-Z]{1,3}\d{4}-\d{6}\b|\be-mails?\b|\b[Cc]i-[a-zè]+|\b[Cc]e(?:ux|lui|lles?)-(?:ci\b|là))/,
  )
  if (parts.length === 1) return text
  return parts.map((part, i) =>
    i % 2 === 1 ? (
      <span key={i} className={styles['whole']}>
        {part}
      </span>
    ) : (
      <Fragment key={i}>{part}</Fragment>
    ),
  )
}
