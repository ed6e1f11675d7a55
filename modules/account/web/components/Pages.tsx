import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { Pager } from '../../../../ui/list/Pager.tsx'

/** The way to the other pages of a list; nothing where one page holds it all. */
export function Pages(props: { count: number; size: number; page: number; onPage: (page: number) => void }): ReactNode {
  const text = useText()
  const { page } = props
  const pages = Math.max(1, Math.ceil(props.count / props.size))
  return (
    <Pager
      page={page}
      pages={pages}
      words={{
        label: text('ui.list.pages'),
        previous: text('ui.list.previous'),
        next: text('ui.list.next'),
        place: text('ui.list.page', { page, pages }),
      }}
      onPage={props.onPage}
    />
  )
}
