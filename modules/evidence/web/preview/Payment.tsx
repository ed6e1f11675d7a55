import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatCountdown, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { outlookQuery, PaidByOwner, PayInvoice, usePaymentState } from '../../../billing/web/index.ts'
import type { Evidence } from '../../contract/evidence.ts'
import type { EvidenceToken } from '../held/held-evidences.ts'
import { useDecision } from '../life/queries.ts'
import styles from './preview.module.css'

/** S-38: agreed to, and to be paid. Whatever becomes of a card, what was sealed stays for its day; the agreement can be taken back. */
export function Payment(props: { evidence: Evidence; token: EvidenceToken; refresh: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { evidence, token } = props
  const { payment } = evidence
  const { withdraw } = useDecision(evidence.id, token)
  const outlook = useQuery(outlookQuery('evidence', 1))
  const state = usePaymentState(payment, outlook.data?.may_pay === true)
  return (
    <section className={styles['payment']} aria-labelledby="payment-of-report">
      <h2 id="payment-of-report">{text('evidence.pay.heading')}</h2>
      {evidence.expires_at === null ? null : <Kept until={evidence.expires_at} failed={state === 'failed'} />}
      {payment === null || outlook.data === undefined ? null : outlook.data.may_pay ? (
        <PayInvoice
          invoiceId={payment.invoice_id}
          returnTo={`/${locale}/capture/${evidence.id}/`}
          onPaid={() => {
            void client.invalidateQueries({ queryKey: ['evidence', evidence.id] })
            props.refresh()
          }}
        />
      ) : (
        <PaidByOwner outlook={outlook.data} />
      )}
      {state === 'processing' ? null : (
        <p>
          <Button
            variant="default"
            loading={withdraw.isPending}
            onClick={() =>
              withdraw.mutate(undefined, {
                onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
              })
            }
          >
            {text('evidence.pay.withdraw')}
          </Button>
        </p>
      )}
    </section>
  )
}

function Kept(props: { until: string; failed: boolean }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const left = Date.parse(props.until) - useServerTime(10_000)
  return (
    <p role={props.failed ? 'alert' : undefined}>
      {left <= 0
        ? text('evidence.pay.outcome')
        : text(props.failed ? 'evidence.pay.kept_after_refusal' : 'evidence.pay.kept', {
            time: formatCountdown(left),
            date: formatInstant(props.until, locale),
          })}
    </p>
  )
}
