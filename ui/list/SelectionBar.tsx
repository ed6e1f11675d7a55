import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useErrorText } from '../intl/error-text.ts'
import { useText } from '../intl/text.tsx'
import { notify } from '../shell/notify.ts'
import type { Listed } from './AccountList.tsx'
import type { Selection } from './use-selection.ts'
import styles from './list.module.css'

/** Rows that one call reads. */
const atOnce = 100

/**
 * What is done to all that is selected; it stays in sight. All that match are offered where they fit into one selection.
 * @param props.count how many match in all; null: not counted. `shown` how many of them stand on the page
 * @param props.read a page of all that match, of so many rows
 */
export function SelectionBar<Row extends { readonly id: string }>(props: {
  selection: Selection<Row>
  count: number | null
  shown: number
  read: (page: number, size: number) => Promise<Pick<Listed<Row>, 'results' | 'next'>>
  isSelectable: (row: Row) => boolean
  children: ReactNode
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { selection, count } = props
  const adding = useMutation({
    mutationFn: async () => {
      const found: Row[] = []
      for (let page = 1; found.length < selection.most; page += 1) {
        const { results, next } = await props.read(page, atOnce)
        found.push(...results)
        if (next === null) break
      }
      return found
    },
    onSuccess: (found) => selection.add(found.filter(props.isSelectable)),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <section className={styles['bar']} aria-label={text('ui.list.selection')}>
      <p role="status">
        <strong>{text('ui.list.selected', { count: selection.rows.size })}</strong>
      </p>
      {count === null || count > selection.most || count <= props.shown || selection.rows.size >= count ? null : (
        <Button variant="subtle" mih={44} loading={adding.isPending} onClick={() => adding.mutate()}>
          {text('ui.list.select.all', { count })}
        </Button>
      )}
      <Button variant="subtle" mih={44} onClick={selection.clear}>
        {text('ui.list.select.none')}
      </Button>
      <div className={styles['barActions']}>{props.children}</div>
    </section>
  )
}
