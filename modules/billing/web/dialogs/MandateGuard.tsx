import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { usableMandate } from '../pay/Means.tsx'
import { methodsQuery } from '../components/queries.ts'

/** D-09, S-46: whoever changes his bank account is told first that his mandate ends with it. */
export function MandateGuard(props: { children: (guard: (change: () => void) => void) => ReactNode }): ReactNode {
  const text = useText()
  const { data } = useQuery(methodsQuery)
  const [change, setChange] = useState<(() => void) | null>(null)
  const ends = data !== undefined && usableMandate(data.mandate)
  return (
    <>
      {props.children((wanted) => {
        if (ends) setChange(() => wanted)
        else wanted()
      })}
      <ConfirmDialog
        open={change !== null}
        title={text('billing.mandate.ends')}
        text={text(data?.renewals?.by === 'mandate' ? 'billing.mandate.ends.renewals' : 'billing.mandate.ends.text')}
        confirm={text('billing.mandate.ends.action')}
        cancel={text('billing.cancel')}
        destructive
        busy={false}
        onConfirm={() => {
          change?.()
          setChange(null)
        }}
        onClose={() => setChange(null)}
      />
    </>
  )
}
