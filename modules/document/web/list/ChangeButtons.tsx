import { Button, type ButtonProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Change } from './row-changes.ts'
import { useListChange } from './use-list-change.ts'

/** What may be done; before what cannot be had back, the question. @param props.name of the one that is meant, where there are others beside it */
export function ChangeButtons(props: {
  changes: readonly { readonly change: Change; readonly ids: readonly string[] }[]
  name?: string
  buttons: Pick<ButtonProps, 'size' | 'px'>
  onDone: () => void
}): ReactNode {
  const text = useText()
  const [asking, setAsking] = useState<readonly string[] | null>(null)
  const changing = useListChange(props.onDone)
  const count = asking?.length ?? 0
  return (
    <>
      {props.changes.map(({ change, ids }) => (
        <Button
          key={change}
          variant={change === 'agree' && props.name === undefined ? 'filled' : 'default'}
          mih={44}
          {...props.buttons}
          {...(props.name === undefined ? {} : { 'aria-label': `${text(`document.do.${change}`)} – ${props.name}` })}
          disabled={ids.length === 0}
          loading={changing.isPending && changing.variables.change === change}
          onClick={() => (change === 'discard' ? setAsking(ids) : changing.mutate({ change, ids }))}
        >
          {text(`document.do.${change}`)}
        </Button>
      ))}
      <ConfirmDialog
        open={asking !== null}
        title={text('document.ask.discard', { count })}
        text={text('document.ask.discard.text', { count })}
        confirm={text('document.do.discard')}
        cancel={text('document.described.cancel')}
        destructive
        busy={changing.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => changing.mutate({ change: 'discard', ids: asking ?? [] }, { onSettled: () => setAsking(null) })}
      />
    </>
  )
}
