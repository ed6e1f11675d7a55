import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Document } from '../../contract/document.ts'
import type { Category } from '../../domain/status.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { allows, changesIn, hasProofs } from './row-changes.ts'
import { useProofsOfMany } from './use-list-change.ts'

/** What is done to all that are selected. */
export function SelectionActions(props: {
  category: Category
  manage: boolean
  selected: readonly Document[]
  onDone: () => void
}): ReactNode {
  const text = useText()
  const { category, selected } = props
  const downloading = useProofsOfMany()
  const proven = selected.filter(hasProofs).map(({ id }) => id)
  return (
    <>
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
      {props.manage ? (
        <ChangeButtons
          changes={changesIn[category]
            .map((change) => ({ change, ids: selected.filter((each) => allows(each, change)).map(({ id }) => id) }))
            // Where nothing is paid for, nothing ever waits for it.
            .filter(({ change, ids }) => change !== 'pay' || ids.length > 0)}
          buttons={{}}
          onDone={props.onDone}
        />
      ) : null}
    </>
  )
}
