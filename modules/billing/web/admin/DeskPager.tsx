import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { pageSize } from './queries.ts'
import styles from './admin.module.css'

/** How many there are, as far as was counted. */
export function DeskCount(props: { count: number; capped: boolean }): ReactNode {
  const text = useText()
  return (
    <p className={styles['soft']} role="status">
      {text(props.capped ? 'billing.admin.count.capped' : 'billing.admin.count', { count: props.count })}
    </p>
  )
}

export function DeskPager(props: { page: number; count: number; onPage: (page: number) => void }): ReactNode {
  const text = useText()
  const pages = Math.max(1, Math.ceil(props.count / pageSize))
  return (
    <Pager
      page={props.page}
      pages={pages}
      words={{
        label: text('billing.admin.pages'),
        previous: text('billing.admin.previous'),
        next: text('billing.admin.next'),
        place: text('billing.admin.page', { page: props.page, pages }),
      }}
      onPage={props.onPage}
    />
  )
}
