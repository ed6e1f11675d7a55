import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Evidence } from '../../contract/evidence.ts'
import { AskFirst } from './AskFirst.tsx'
import type { Category } from './list-view.ts'
import { actionsOf, isAsked, type RowAction } from './row-changes.ts'
import { useDownload, useListChange } from './use-list-change.ts'
import styles from '../../../../ui/list/list.module.css'

/** What may be done to one row; nothing that the server would refuse is offered. */
export function RowActions(props: { evidence: Evidence; category: Category; manage: boolean; onDone: () => void }): ReactNode {
  const text = useText()
  const { evidence, category } = props
  const [asking, setAsking] = useState<'discard' | 'delete' | null>(null)
  const changing = useListChange(props.onDone)
  const downloading = useDownload()
  const ids = [evidence.id]
  const act = (action: RowAction) => {
    if (action === 'download') downloading.mutate(ids)
    else if (isAsked(action)) setAsking(action)
    else changing.mutate({ change: action, ids })
  }
  return (
    <div className={styles['rowActions']}>
      {actionsOf(evidence, category, props.manage).map((action) => (
        <Button
          key={action}
          variant="default"
          size="compact-sm"
          mih={44}
          px="sm"
          aria-label={`${text(`evidence.account.do.${action}`)} – ${evidence.page_url}`}
          loading={action === 'download' ? downloading.isPending : changing.isPending && changing.variables.change === action}
          onClick={() => act(action)}
        >
          {text(`evidence.account.do.${action}`)}
        </Button>
      ))}
      <AskFirst
        asking={asking}
        count={1}
        busy={changing.isPending}
        onClose={() => setAsking(null)}
        onConfirm={(change) => changing.mutate({ change, ids }, { onSettled: () => setAsking(null) })}
      />
    </div>
  )
}
