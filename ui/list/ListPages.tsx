import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import { pageSizes, type Place } from './list-view.ts'
import styles from './list.module.css'
import rows from './rows.module.css'

/** From page to page of a list, and how long one is. @param props.pages null: there are more than were counted */
export function ListPages(props: {
  page: number
  size: Place<string>['size']
  pages: number | null
  next: boolean
  onPage: (page: number) => void
  onSize: (size: Place<string>['size']) => void
}): ReactNode {
  const text = useText()
  const id = useId()
  const { page, size, pages, next } = props
  // All of them stand on the smallest page.
  if (page === 1 && !next && size === pageSizes[0]) return null
  return (
    <nav className={rows['pages']} aria-label={text('ui.list.pages')}>
      <Button variant="default" size="md" disabled={page === 1} onClick={() => props.onPage(page - 1)}>
        {text('ui.list.previous')}
      </Button>
      <span>{pages === null ? text('ui.list.page.of_more', { page }) : text('ui.list.page', { page, pages })}</span>
      <Button variant="default" size="md" disabled={!next} onClick={() => props.onPage(page + 1)}>
        {text('ui.list.next')}
      </Button>
      <span className={styles['size']}>
        <label htmlFor={id}>{text('ui.list.size')}</label>
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
