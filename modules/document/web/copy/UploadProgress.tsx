import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import depositStyles from '../deposit/deposit.module.css'
import styles from '../deposit/panels.module.css'
import type { QueuedCopy } from './uploads.ts'
import { theUploads } from './use-uploads.ts'

/** One copy on its way: how far it is, what it waits for, and what can be done. */
export function UploadProgress(props: { copy: QueuedCopy; onStop: () => void; children?: ReactNode }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const reason = useReason()
  const { id, glance } = props.copy
  const stop = (
    <Button variant="default" mih={44} onClick={props.onStop}>
      {text('document.copy.stop')}
    </Button>
  )
  if (glance.kind === 'sent' || glance.kind === 'absent') return null
  if (glance.kind === 'queued')
    return (
      <div className={styles['working']} data-copy="queued">
        <p role="status">{text('document.copy.queued')}</p>
        <div className={styles['buttons']}>{stop}</div>
      </div>
    )
  if (glance.kind === 'failed')
    return (
      <div className={styles['notice']} data-kind="bad" role="alert" data-copy="failed">
        <p>{reason(glance.reason)}</p>
        <div className={styles['buttons']}>
          {glance.reason === 'unreadable' ? null : (
            <Button variant="default" mih={44} onClick={() => theUploads().again(id)}>
              {text('document.copy.again')}
            </Button>
          )}
          {stop}
        </div>
      </div>
    )
  const paused = glance.kind === 'paused'
  return (
    <div className={styles['working']} data-copy={glance.kind}>
      <p role="status">
        {glance.kind === 'resting' && glance.why instanceof ApiError && glance.why.status > 0
          ? `${reason(glance.why)} ${text('document.copy.goes_on')}`
          : text(`document.copy.${glance.kind}`)}
      </p>
      <p className={depositStyles['soft']}>
        {text('document.copy.sent', { sent: formatBytes(glance.sent, locale), size: formatBytes(glance.size, locale) })}
      </p>
      <progress
        className={styles['whole']}
        value={glance.sent}
        max={Math.max(1, glance.size)}
        aria-label={text('document.copy.progress')}
      />
      <div className={styles['buttons']}>
        <Button variant="default" mih={44} onClick={() => (paused ? theUploads().resume(id) : theUploads().pause(id))}>
          {text(paused ? 'document.copy.resume' : 'document.copy.pause')}
        </Button>
        {stop}
        {props.children}
      </div>
    </div>
  )
}

/** Why a copy was not taken, in words. */
export function useReason(): (reason: unknown) => string {
  const text = useText()
  const errorText = useErrorText()
  return (reason) => (reason === 'unreadable' ? text('document.intake.failed.unreadable') : errorText(reason))
}
