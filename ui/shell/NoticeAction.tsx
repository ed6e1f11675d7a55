import type { ReactNode } from 'react'
import styles from './notice-action.module.css'

/** What a notice says, and the button that takes it back. */
export function NoticeAction(props: { message: string; label: string; onAct: () => void }): ReactNode {
  return (
    <span className={styles['notice']}>
      <span>{props.message}</span>
      <button type="button" className={styles['act']} onClick={props.onAct}>
        {props.label}
      </button>
    </span>
  )
}
