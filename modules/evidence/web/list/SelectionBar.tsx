import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { listEvidences } from '../../contract/endpoints.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { useErrorText } from '../error-text.ts'
import { AskFirst } from './AskFirst.tsx'
import { actionsIn, actionsOf, allows, isAsked, type RowAction } from './row-changes.ts'
import { queryOfView, type Category, type ListView } from './list-view.ts'
import { useDownload, useListChange } from './use-list-change.ts'
import { mostSelected, type Selection } from '../../../../ui/list/use-selection.ts'
import styles from '../../../../ui/list/list.module.css'

/** What is done to all that is selected; it stays in sight. */
export function SelectionBar(props: {
  category: Category
  view: ListView
  manage: boolean
  selection: Selection<Evidence>
  /** How many match in all, where that was counted. */
  count: number | null
  onDone: () => void
}): ReactNode {
  const text = useText()
  const { category, selection, manage } = props
  const [asking, setAsking] = useState<'discard' | 'delete' | null>(null)
  const changing = useListChange(() => {
    selection.clear()
    props.onDone()
  })
  const downloading = useDownload()
  const selected = [...selection.rows.values()]
  const idsFor = (action: RowAction) => selected.filter((each) => allows(each, action)).map(({ id }) => id)
  const act = (action: RowAction) => {
    if (action === 'download') downloading.mutate(idsFor(action))
    else if (isAsked(action)) setAsking(action)
    else changing.mutate({ change: action, ids: idsFor(action) })
  }
  const offered = actionsIn[category].filter((action) => manage || action === 'download')
  return (
    <section className={styles['bar']} aria-label={text('evidence.account.selection')}>
      <p role="status">
        <strong>{text('evidence.account.selected', { count: selected.length })}</strong>
      </p>
      <SelectAll {...props} />
      <div className={styles['barActions']}>
        {offered.map((action) => (
          <Button
            key={action}
            variant={action === 'delete' || action === 'discard' ? 'outline' : 'default'}
            {...(isAsked(action) ? { color: 'bad' } : {})}
            mih={44}
            disabled={idsFor(action).length === 0}
            loading={action === 'download' ? downloading.isPending : changing.isPending && changing.variables.change === action}
            onClick={() => act(action)}
          >
            {text(`evidence.account.do.${action}`)}
          </Button>
        ))}
        <Button variant="subtle" mih={44} onClick={selection.clear}>
          {text('evidence.account.select.none')}
        </Button>
      </div>
      <AskFirst
        asking={asking}
        count={asking === null ? 0 : idsFor(asking).length}
        busy={changing.isPending}
        onClose={() => setAsking(null)}
        onConfirm={(change) => changing.mutate({ change, ids: idsFor(change) }, { onSettled: () => setAsking(null) })}
      />
    </section>
  )
}

/** All that match, where they fit into one selection. */
function SelectAll(props: Parameters<typeof SelectionBar>[0]): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { category, view, selection, count, manage } = props
  const adding = useMutation({
    mutationFn: () => call(listEvidences, { query: { ...queryOfView(category, view), page: 1, page_size: mostSelected } }),
    onSuccess: ({ results }) => selection.add(results.filter((each) => actionsOf(each, category, manage).length > 0)),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  if (count === null || count > mostSelected || count <= view.size) return null
  return (
    <Button variant="subtle" mih={44} loading={adding.isPending} onClick={() => adding.mutate()}>
      {text('evidence.account.select.all', { count })}
    </Button>
  )
}
