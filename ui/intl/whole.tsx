import { Fragment, type ReactNode } from 'react'
import styles from './whole.module.css'

/** Names of algorithms, numbers of invoices and the French word for mail are not broken at their hyphen, which stays a plain one for whoever copies it. */
export function withWholeNames(text: string): ReactNode {
  const parts = text.split(/(SHA-\d+(?:-\d+)?|\b[A-Z]{1,3}\d{4}-\d{6}\b|\be-mails?\b)/)
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
