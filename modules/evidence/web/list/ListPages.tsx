import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { ListPages as Pages } from '../../../../ui/list/ListPages.tsx'
import { pageSizes, type ListView } from './list-view.ts'

export function ListPages(props: {
  view: ListView
  /** null: there are more than were counted. */
  pages: number | null
  next: boolean
  onPage: (page: number) => void
  onSize: (size: ListView['size']) => void
}): ReactNode {
  const text = useText()
  const { pages } = props
  const { page, size } = props.view
  return (
    <Pages
      page={page}
      size={size}
      sizes={pageSizes}
      next={props.next}
      words={{
        label: text('evidence.account.pages'),
        previous: text('evidence.account.previous'),
        next: text('evidence.account.next'),
        size: text('evidence.account.size'),
        here: pages === null ? text('evidence.account.page.of_more', { page }) : text('evidence.account.page', { page, pages }),
      }}
      onPage={props.onPage}
      onSize={props.onSize}
    />
  )
}
