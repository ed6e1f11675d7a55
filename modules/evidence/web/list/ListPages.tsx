import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { pageSizes, type ListView } from './list-view.ts'
import pageStyles from '../../../../ui/list/rows.module.css'
import styles from '../../../../ui/list/list.module.css'

export function ListPages(props: {
  view: ListView
  /** null: there are more than were counted. */
  pages: number | null
  next: boolean
  onPage: (page: number) => void
  onSize: (size: ListView['size']) => void
}): ReactNode {
  const text = useText()
  const id = useId()
  const { pages, next } = props
  const { page, size } = props.view
  // All of them stand on the smallest page.
  if (page === 1 && !next && size === pageSizes[0]) return null
  return (
    <nav className={pageStyles['pages']} aria-label={text('evidence.account.pages')}>
      <Button variant="default" size="md" disabled={page === 1} onClick={() => props.onPage(page - 1)}>
        {text('evidence.account.previous')}
      </Button>
      <span>
        {pages === null ? text('evidence.account.page.of_more', { page }) : text('evidence.account.page', { page, pages })}
      </span>
      <Button variant="default" size="md" disabled={!next} onClick={() => props.onPage(page + 1)}>
        {text('evidence.account.next')}
      </Button>
      <span className={styles['size']}>
        <label htmlFor={id}>{text('evidence.account.size')}</label>
        <select
          id={id}
          value={size}
          onChange={(event) => {
            const chosen = pageSizes.find((each) => String(each) === event.currentTarget.value)
            if (chosen !== undefined) props.onSize(chosen)
          }}
        >
          {pageSizes.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </span>
    </nav>
  )
}
