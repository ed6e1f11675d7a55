import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import styles from '../account-pages.module.css'

/** The way to the other pages of a list; nothing where one page holds it all. */
export function Pages(props: {
  previous: string | null
  next: string | null
  page: number
  onPage: (page: number) => void
}): ReactNode {
  const text = useText()
  if (props.previous === null && props.next === null) return null
  return (
    <div className={styles['actions']}>
      <Button variant="default" disabled={props.previous === null} onClick={() => props.onPage(props.page - 1)}>
        {text('account.page.previous')}
      </Button>
      <Button variant="default" disabled={props.next === null} onClick={() => props.onPage(props.page + 1)}>
        {text('account.page.next')}
      </Button>
    </div>
  )
}
