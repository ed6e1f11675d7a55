import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError, statusOf } from '../api/api-error.ts'
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

/** L-17, X-02: what happened, what was kept, what to do, and the id that support needs. */
export function ErrorPage(props: { error: unknown }): ReactNode {
  const text = useText()
  const locale = useLocale()
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
