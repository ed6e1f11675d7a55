import type { ReactNode } from 'react'
import { DropZone as Zone } from '../../../../ui/files/DropZone.tsx'
import { filesOfInput, filesOfTransfer, type GivenFile } from '../run/read-files.ts'

/** One place for everything that is to be verified together. */
export function DropZone(props: {
  lead: string
  note: string
  choices: readonly { readonly label: string; readonly folder?: boolean }[]
  onFiles: (files: readonly GivenFile[]) => void
  onNothing: () => void
  children?: ReactNode
}): ReactNode {
  const { onFiles, onNothing } = props
  const give = (files: readonly GivenFile[]) => (files.length === 0 ? onNothing() : onFiles(files))
  return (
    <Zone
      lead={props.lead}
      note={props.note}
      choices={props.choices}
      onDropped={(transfer) => void filesOfTransfer(transfer).then(give, onNothing)}
      onChosen={(files) => give(filesOfInput(files))}
    >
      {props.children}
    </Zone>
  )
}
