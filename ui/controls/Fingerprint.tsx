import type { ReactNode } from 'react'
import { groupHex } from '../intl/format.ts'
import { CopyButton } from './CopyButton.tsx'
import styles from './fingerprint.module.css'

/** A hash in rows of four groups, whatever the width, so that two of them are compared row by row; and its copy. */
export function Fingerprint(props: { value: string; what: string }): ReactNode {
  return (
    <span className={styles['fingerprint']}>
      <code className={styles['groups']}>{groupHex(props.value)}</code>
      <CopyButton value={props.value} what={props.what} />
    </span>
  )
}
