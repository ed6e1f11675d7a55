import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import styles from './deposit.module.css'

/** In place of a deposit: it is being read, is not there, or could not be read. @param props.error null: it is being read */
export function NotRead(props: { of: 'page' | 'shared'; error: Error | null; onAgain: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { of, error } = props
  if (error === null) return <p role="status">{text('ui.loading')}</p>
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return (
    <div role="alert" className={styles['section']}>
      <h1>{text(`document.${of}.missing`)}</h1>
      <p>{missing ? text(`document.${of}.missing.text`) : errorText(error)}</p>
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
