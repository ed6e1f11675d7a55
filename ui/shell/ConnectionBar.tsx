import { Button } from '@mantine/core'
import { useSyncExternalStore, type ReactNode } from 'react'
import { connection } from '../api/connection.ts'
import { useText } from '../intl/text.tsx'
import { isStale, onStale } from './chunk-failure.ts'
import styles from './connection-bar.module.css'

/** One bar says that the server is out of reach, what is kept, and goes by itself; the live region is there before its words are. */
export function ConnectionBar(): ReactNode {
  const text = useText()
  const lost = useSyncExternalStore(connection.onChange, connection.isLost)
  const stale = useSyncExternalStore(onStale, isStale)
  return (
    <div aria-live="polite" className={styles['region']}>
      {lost ? (
        <p className={styles['bar']} data-connection="lost">
          {text('ui.connection.lost')}
        </p>
      ) : stale ? (
        <p className={styles['bar']} data-connection="stale">
          <span>{text('ui.connection.stale')}</span>
          <Button variant="default" onClick={() => location.reload()}>
            {text('ui.error.reload')}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
