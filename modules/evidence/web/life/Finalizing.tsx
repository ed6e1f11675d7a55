import type { ReactNode } from 'react'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { formatSeconds } from '../../../../ui/intl/format.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Evidence } from '../../contract/evidence.ts'
import { finalizingMinutes, isLate } from '../../domain/told-times.ts'
import styles from './live-capture.module.css'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'

/** Between the agreement and the package (S-42). */
export function Finalizing(props: { evidence: Evidence; connected: boolean }): ReactNode {
  const text = useText()
  const now = useServerTime(1000)
  const { since } = props.evidence.phase
  return (
    <div className={styles['live']}>
      <header className={styles['head']}>
        <h1>{text('evidence.finalizing.heading')}</h1>
        <p>
          <PageAddress url={props.evidence.page_url} />
        </p>
      </header>
      <ol className={styles['phases']}>
        <li data-state="now" aria-current="step">
          <div className={styles['phase']}>
            <span role="status">{text('evidence.status.finalizing')}</span>
            <span className={styles['seconds']}>{formatSeconds((now - Date.parse(since)) / 1000)}</span>
          </div>
          <p className={styles['detail']}>{text('evidence.finalizing.text', { minutes: finalizingMinutes })}</p>
          {isLate(since, now, finalizingMinutes) ? <p className={styles['detail']}>{text('evidence.finalizing.late')}</p> : null}
        </li>
      </ol>
      {props.connected ? null : (
        <p className={styles['lost']} role="status">
          {text('evidence.live.reconnecting')}
        </p>
      )}
      <p className={styles['leave']}>{text('evidence.finalizing.leave')}</p>
    </div>
  )
}
