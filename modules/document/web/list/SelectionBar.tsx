import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { SelectionBar as Bar } from '../../../../ui/list/SelectionBar.tsx'
import type { Selection } from '../../../../ui/list/use-selection.ts'
import type { Document } from '../../contract/document.ts'
import { listDocuments } from '../../contract/endpoints.ts'
import type { Category } from '../../domain/status.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { queryOfView, type ListView } from './list-view.ts'
import { allows, changesIn, hasProofs, isSelectable } from './row-changes.ts'
import { useProofsOfMany } from './use-list-change.ts'

/** What is done to all that is selected. */
export function SelectionBar(props: {
  category: Category
  view: ListView
  manage: boolean
  selection: Selection<Document>
  /** How many match in all, where that was counted; and how many of them stand on the page. */
  count: number | null
  shown: number
  onDone: () => void
}): ReactNode {
  const text = useText()
  const { category, view, selection, manage } = props
  const selected = [...selection.rows.values()]
  const downloading = useProofsOfMany()
  const proven = selected.filter(hasProofs).map(({ id }) => id)
  return (
    <Bar
      selection={selection}
      count={props.count}
      shown={props.shown}
      read={async (page, size) => await call(listDocuments, { query: { ...queryOfView(category, view), page, page_size: size } })}
      isSelectable={(each) => isSelectable(each, category, manage)}
    >
      {category === 'pending' ? null : (
        <Button
          variant="default"
          mih={44}
          disabled={proven.length === 0}
          loading={downloading.isPending}
          onClick={() => downloading.mutate(proven)}
        >
          {text('document.do.proofs')}
        </Button>
      )}
      {manage ? (
        <ChangeButtons
          changes={changesIn[category].map((change) => ({
            change,
            ids: selected.filter((each) => allows(each, change)).map(({ id }) => id),
          }))}
          buttons={{}}
          onDone={() => {
            selection.clear()
            props.onDone()
          }}
        />
      ) : null}
    </Bar>
  )
}
