import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { ChangeButtons as Buttons } from '../../../../ui/list/ChangeButtons.tsx'
import type { Evidence } from '../../contract/evidence.ts'
import { allows, isAsked, isChange, type Change, type RowAction } from './row-changes.ts'
import { useDownload, useListChange } from './use-list-change.ts'

/** What is done to rows: their packages saved, and what changes them. @param props.name of the one that is meant, where there are others beside it */
export function ChangeButtons(props: {
  actions: readonly RowAction[]
  rows: readonly Evidence[]
  name?: string
  look: (change: Change | null) => Pick<ButtonProps, 'variant' | 'color' | 'size' | 'px'>
  onDone: () => void
}): ReactNode {
  const text = useText()
  const { actions, name } = props
  const downloading = useDownload()
  const toDo = (action: RowAction) => text(`evidence.account.do.${action}`)
  const idsFor = (action: RowAction) => props.rows.filter((each) => allows(each, action)).map(({ id }) => id)
  return (
    <>
      {actions.includes('download') ? (
        <Button
          {...props.look(null)}
          {...(name === undefined ? {} : { 'aria-label': `${toDo('download')} – ${name}` })}
          disabled={idsFor('download').length === 0}
          loading={downloading.isPending}
          onClick={() => downloading.mutate(idsFor('download'))}
        >
          {toDo('download')}
        </Button>
      ) : null}
      <Buttons
        changes={actions.filter(isChange).map((change) => ({ change, ids: idsFor(change) }))}
        changing={useListChange(props.onDone)}
        isAsked={isAsked}
        words={{
          toDo,
          ask: (change, count) => ({
            title: text(`evidence.account.ask.${change}`, { count }),
            text: text(`evidence.account.ask.${change}.text`, { count }),
          }),
          cancel: text('evidence.account.ask.cancel'),
        }}
        name={name}
        look={props.look}
      />
    </>
  )
}
