import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { visible } from '../../../../ui/intl/visible.ts'
import { usePayoutWords } from '../use-words.ts'
import { payToQuery } from './queries.ts'

type Named = { readonly id: string; readonly reference: string }

/** S-20: to whom the operator transfers what, as his bank asks for it. */
export function PayTo(props: { payout: Named | null; onClose: () => void }): ReactNode {
  const { text } = usePayoutWords()
  const { payout } = props
  const title = payout === null ? '' : text('payout.admin.pay_to.of', { reference: payout.reference })
  return (
    <Dialog open={payout !== null} onClose={props.onClose} title={title}>
      {payout === null ? null : <Account key={payout.id} id={payout.id} />}
    </Dialog>
  )
}

function Account(props: { id: string }): ReactNode {
  const { text, money } = usePayoutWords()
  const errorText = useErrorText()
  const { data, error } = useQuery(payToQuery(props.id))
  if (error !== null) return <p role="alert">{errorText(error)}</p>
  if (data === undefined) return <p role="status">{text('ui.loading')}</p>
  const iban = data.iban.replaceAll(/(.{4})(?=.)/g, '$1 ')
  return (
    <>
      <p>{text('payout.admin.pay_to.lead')}</p>
      <Facts
        rows={[
          [text('payout.admin.owner'), visible(data.owner_name)],
          [text('payout.admin.iban'), iban],
          ...(data.bic === null ? [] : [[text('payout.admin.bic'), data.bic] as const]),
          [text('payout.admin.amount'), money(data.amount_cents)],
          [text('payout.admin.reference'), data.reference],
        ]}
      />
    </>
  )
}
