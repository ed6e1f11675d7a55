import { Button, type ButtonProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../controls/ConfirmDialog.tsx'
import type { useBulkChange } from './use-list-change.ts'

type Wanted<Change> = { readonly change: Change; readonly ids: readonly string[] }

/**
 * What may be done to rows of a list; before what cannot be had back, the question.
 * @param props.name of the one that is meant, where there are others beside it
 */
export function ChangeButtons<Change extends string, Asked extends Change>(props: {
  changes: readonly Wanted<Change>[]
  changing: ReturnType<typeof useBulkChange<Change>>
  isAsked: (change: Change) => change is Asked
  words: {
    readonly toDo: (change: Change) => string
    readonly ask: (change: Asked, count: number) => { readonly title: string; readonly text: string }
    readonly cancel: string
  }
  name: string | undefined
  look: (change: Change) => Pick<ButtonProps, 'variant' | 'color' | 'size' | 'px'>
}): ReactNode {
  const { changing, words, name } = props
  const [asking, setAsking] = useState<Wanted<Asked> | null>(null)
  const question = asking === null ? null : words.ask(asking.change, asking.ids.length)
  return (
    <>
      {props.changes.map(({ change, ids }) => (
        <Button
          key={change}
          {...props.look(change)}
          {...(name === undefined ? {} : { 'aria-label': `${words.toDo(change)} – ${name}` })}
          disabled={ids.length === 0}
          loading={changing.isPending && changing.variables.change === change}
          onClick={() => (props.isAsked(change) ? setAsking({ change, ids }) : changing.mutate({ change, ids }))}
        >
          {words.toDo(change)}
        </Button>
      ))}
      <ConfirmDialog
        open={asking !== null}
        title={question?.title ?? ''}
        text={question?.text ?? ''}
        confirm={asking === null ? '' : words.toDo(asking.change)}
        cancel={words.cancel}
        destructive
        busy={changing.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => {
          if (asking !== null) changing.mutate(asking, { onSettled: () => setAsking(null) })
        }}
      />
    </>
  )
}
