import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { SelectionBar as Bar } from '../../../../ui/list/SelectionBar.tsx'
import type { Selection } from '../../../../ui/list/use-selection.ts'
import { listEvidences } from '../../contract/endpoints.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { AskFirst } from './AskFirst.tsx'
import { queryOfView, type Category, type ListView } from './list-view.ts'
import { actionsIn, actionsOf, allows, isAsked, type RowAction } from './row-changes.ts'
import { useDownload, useListChange } from './use-list-change.ts'

/** What is done to all that is selected. */
export function SelectionBar(props: {
  category: Category
  view: ListView
  manage: boolean
  selection: Selection<Evidence>
  /** How many match in all, where that was counted; and how many of them stand on the page. */
  count: number | null
  shown: number
  onDone: () => void
}): ReactNode {
  const text = useText()
  const { category, view, selection, manage } = props
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
    <>
      <Bar
        selection={selection}
        count={props.count}
        shown={props.shown}
        read={async (page, size) =>
          await call(listEvidences, { query: { ...queryOfView(category, view), page, page_size: size } })
        }
        isSelectable={(each) => actionsOf(each, category, manage).length > 0}
      >
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
      </Bar>
      <AskFirst
        asking={asking}
        count={asking === null ? 0 : idsFor(asking).length}
        busy={changing.isPending}
        onClose={() => setAsking(null)}
        onConfirm={(change) => changing.mutate({ change, ids: idsFor(change) }, { onSettled: () => setAsking(null) })}
      />
    </>
  )
}
