import type { ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { ChangeButtons as Buttons } from '../../../../ui/list/ChangeButtons.tsx'
import type { Change } from './row-changes.ts'
import { useListChange } from './use-list-change.ts'

/** @param props.name of the one that is meant, where there are others beside it */
export function ChangeButtons(props: {
  changes: readonly { readonly change: Change; readonly ids: readonly string[] }[]
  name?: string
  buttons: Pick<ButtonProps, 'size' | 'px' | 'variant'>
  onDone: () => void
}): ReactNode {
  const text = useText()
  return (
    <Buttons
      changes={props.changes}
      changing={useListChange(props.onDone)}
      isAsked={(change) => change === 'discard'}
      words={{
        toDo: (change) => text(`document.do.${change}`),
        ask: (_, count) => ({
          title: text('document.ask.discard', { count }),
          text: text('document.ask.discard.text', { count }),
        }),
        cancel: text('document.described.cancel'),
      }}
      name={props.name}
      look={(change) => ({
        variant: (change === 'agree' || change === 'pay') && props.name === undefined ? 'filled' : 'default',
        ...props.buttons,
      })}
    />
  )
}
