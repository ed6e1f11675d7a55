import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import styles from './licensing.module.css'

/** In place of what is read: it is on its way, is not there, or could not be read. @param props.missing what is then said */
export function NotRead(props: {
  missing: { readonly title: string; readonly text: string }
  error: Error | null
  level?: 'h1' | 'h2'
  onAgain: () => void
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { error, level: Heading = 'h1' } = props
  if (error === null) return <p role="status">{text('ui.loading')}</p>
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <div role="alert" className={styles['section']}>
      <Heading>{missing ? props.missing.title : text('licensing.page.not_read')}</Heading>
      <p>{missing ? props.missing.text : errorText(error)}</p>
      {missing ? null : (
        <p>
          <Button variant="default" size="md" onClick={props.onAgain}>
            {text('ui.retry')}
          </Button>
        </p>
      )}
    </div>
  )
}
