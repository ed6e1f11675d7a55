import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../ui/intl/text.tsx'
import styles from './payout.module.css'

/** To the page before and the next; nothing where there is one. */
export function Turn(props: {
  page: number
  of: { readonly next: string | null; readonly previous: string | null }
  onPage: (page: number) => void
}): ReactNode {
  const text = useText()
  const { page, of, onPage } = props
  if (of.next === null && of.previous === null) return null
  return (
    <div className={styles['turn']}>
      <Button variant="default" size="md" disabled={of.previous === null} onClick={() => onPage(page - 1)}>
        {text('payout.page.newer')}
      </Button>
      <Button variant="default" size="md" disabled={of.next === null} onClick={() => onPage(page + 1)}>
        {text('payout.page.older')}
      </Button>
    </div>
  )
}
