import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatCountdown, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { outlookQuery, PaidByOwner, PayInvoice, usePaymentState } from '../../../billing/web/index.ts'
import type { Document } from '../../contract/document.ts'
import { changeDocument } from '../../contract/endpoints.ts'
import styles from './deposit.module.css'

/** Agreed to, and to be paid, with all that was agreed to with it. Whatever becomes of a card, it stays for its day. */
export function Payment(props: { document: Document; manage: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { document, manage } = props
  const { payment, expires_at: until } = document
  const outlook = useQuery(outlookQuery('document', 1))
  const state = usePaymentState(payment, outlook.data?.may_pay === true)
  const left = Date.parse(until ?? document.created_at) - useServerTime(10_000)
  const looked = async () => {
    await client.invalidateQueries({ queryKey: ['document', document.id] })
    await client.invalidateQueries({ queryKey: ['documents'] })
  }
  const withdraw = useMutation({
    mutationFn: () => call(changeDocument, { params: { id: document.id }, body: { agree: false } }),
    onSuccess: looked,
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  return (
    <section className={styles['section']} aria-labelledby="payment-of-deposit">
      <h2 id="payment-of-deposit">{text('document.pay.heading')}</h2>
      <p role={state === 'failed' ? 'alert' : undefined}>
        {left <= 0 || until === null
          ? text('document.pay.outcome')
          : text(state === 'failed' ? 'document.pay.kept_after_refusal' : 'document.pay.kept', {
              time: formatCountdown(left),
              date: formatInstant(until, locale),
            })}
      </p>
      {payment === null || payment.count === 1 ? null : <p>{text('document.pay.together', { count: payment.count })}</p>}
      {payment === null || outlook.data === undefined ? null : outlook.data.may_pay ? (
        <PayInvoice
          invoiceId={payment.invoice_id}
          returnTo={`/${locale}/documents/deposit/${document.id}/`}
          onPaid={() => void looked()}
        />
      ) : (
        <PaidByOwner outlook={outlook.data} />
      )}
      {!manage || state === 'processing' ? null : (
        <p>
          <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {text('document.pay.withdraw')}
          </Button>
        </p>
      )}
    </section>
  )
}
