import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import rows from './rows.module.css'

/** From page to page of what is counted; nothing where one page holds it all. */
export function Pager(props: {
  page: number
  pages: number
  words: { readonly label: string; readonly previous: string; readonly next: string; readonly place: string }
  /** Of the keyboard, for what the buttons do. */
  keys?: { readonly previous: string; readonly next: string }
  onPage: (page: number) => void
}): ReactNode {
  const { page, pages, words, keys } = props
  if (pages === 1 && page === 1) return null
  return (
    <nav className={rows['pages']} aria-label={words.label}>
      <Button
        variant="default"
        aria-keyshortcuts={keys?.previous}
        disabled={page <= 1}
        onClick={() => props.onPage(Math.min(page - 1, pages))}
      >
        {words.previous}
      </Button>
      <span>{words.place}</span>
      <Button variant="default" aria-keyshortcuts={keys?.next} disabled={page >= pages} onClick={() => props.onPage(page + 1)}>
        {words.next}
      </Button>
    </nav>
  )
}
