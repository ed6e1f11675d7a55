import type { ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'

/** Before what cannot be had back. */
export function AskFirst(props: {
  asking: 'discard' | 'delete' | null
  count: number
  busy: boolean
  onClose: () => void
  onConfirm: (change: 'discard' | 'delete') => void
}): ReactNode {
  const text = useText()
  const { asking, count } = props
  const change = asking ?? 'discard'
  return (
    <ConfirmDialog
      open={asking !== null}
      title={text(`evidence.account.ask.${change}`, { count })}
      text={text(`evidence.account.ask.${change}.text`, { count })}
      confirm={text(`evidence.account.do.${change}`)}
      cancel={text('evidence.account.ask.cancel')}
      destructive
      busy={props.busy}
      onClose={props.onClose}
      onConfirm={() => props.onConfirm(change)}
    />
  )
}
