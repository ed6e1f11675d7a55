import { Button } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { ApiError, statusOf } from '../api/api-error.ts'
import { connection } from '../api/connection.ts'
import { CopyButton } from '../controls/CopyButton.tsx'
import { useLocale, useText } from '../intl/text.tsx'
import styles from './error-pages.module.css'

/** L-16, R-26, X-01. */
export function NotFoundPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <div className={styles['page']}>
      <p className={styles['status']}>404</p>
      <h1>{text('ui.not_found.title')}</h1>
      <p>{text('ui.not_found.text')}</p>
      <p>{text('ui.not_found.more')}</p>
      <p className={styles['actions']}>
        <Button component="a" href={`/${locale}/`} size="md">
          {text('ui.error.home')}
        </Button>
      </p>
    </div>
  )
}

/** No answer came: nothing is broken, and the page goes on by itself. */
function NoConnectionPage(props: { onBack: () => void }): ReactNode {
  const text = useText()
  const { onBack } = props
  useEffect(() => {
    let here = true
    void connection
      .check()
      .then(() => connection.isBack())
      .then(() => {
        if (here) onBack()
      })
    return () => {
      here = false
    }
  }, [onBack])
  return (
    <div className={styles['page']} role="alert">
      <h1>{text('ui.connection.title')}</h1>
      <p>{text('ui.connection.lost')}</p>
    </div>
  )
}

/**
 * L-17, X-02: what happened, what was kept, what to do, and the id that support needs.
 * @param props.onBack asks for the page again, once a server that could not be reached answers
 */
export function ErrorPage(props: { error: unknown; onBack: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  if (props.error instanceof ApiError && props.error.status === 0) return <NoConnectionPage onBack={props.onBack} />
  const requestId = props.error instanceof ApiError ? props.error.requestId : ''
  return (
    <div className={styles['page']} role="alert">
      <p className={styles['status']}>{text('ui.error.status', { status: String(statusOf(props.error)) })}</p>
      <h1>{text('ui.error.title')}</h1>
      {props.error instanceof Error && props.error.name === 'UnknownMiddleware' ? (
        <p>{text('ui.error.unknown_middleware')}</p>
      ) : null}
      <p>{text('ui.error.more')}</p>
      {requestId === '' ? null : (
        <p>
          {text('ui.error.request_id')} <code>{requestId}</code>{' '}
          <CopyButton value={requestId} what={text('ui.error.request_id')} />
        </p>
      )}
      <p className={styles['actions']}>
        <Button size="md" onClick={() => location.reload()}>
          {text('ui.error.reload')}
        </Button>
        <Button component="a" href={`/${locale}/`} size="md" variant="default">
          {text('ui.error.home')}
        </Button>
      </p>
    </div>
  )
}
