import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import styles from './list.module.css'
import rows from './rows.module.css'

export type PagesWords = {
  readonly label: string
  readonly previous: string
  readonly next: string
  readonly size: string
  /** Where one is. */
  readonly here: string
}

/** From page to page of a list, and how long one is. @param props.sizes the smallest first */
export function ListPages<Size extends number>(props: {
  page: number
  size: Size
  sizes: readonly Size[]
  next: boolean
  words: PagesWords
  onPage: (page: number) => void
  onSize: (size: Size) => void
}): ReactNode {
  const id = useId()
  const { page, size, sizes, next, words } = props
  // All of them stand on the smallest page.
  if (page === 1 && !next && size === sizes[0]) return null
  return (
    <nav className={rows['pages']} aria-label={words.label}>
      <Button variant="default" size="md" disabled={page === 1} onClick={() => props.onPage(page - 1)}>
        {words.previous}
      </Button>
      <span>{words.here}</span>
      <Button variant="default" size="md" disabled={!next} onClick={() => props.onPage(page + 1)}>
        {words.next}
      </Button>
      <span className={styles['size']}>
        <label htmlFor={id}>{words.size}</label>
        <select
          id={id}
          value={size}
          onChange={(event) => {
            const chosen = sizes.find((each) => String(each) === event.currentTarget.value)
            if (chosen !== undefined) props.onSize(chosen)
          }}
        >
          {sizes.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </span>
    </nav>
  )
}
