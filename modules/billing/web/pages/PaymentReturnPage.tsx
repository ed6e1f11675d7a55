import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { PayInvoice } from '../pay/lazy-pay-invoice.tsx'
import { readReturn } from '../pay/return-address.ts'
import { moneyKey } from '../components/queries.ts'
import styles from '../components/billing.module.css'

/** S-04, S-05: back from the bank. Waits for what became of the payment, and leads back to where it was asked for. */
export function PaymentReturnPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const router = useRouter()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { invoice, to } = readReturn(useSearch({ strict: false }))
  const onPaid = () => {
    void client.invalidateQueries({ queryKey: moneyKey })
    notify('success', text('billing.return.paid'), text('ui.notice.dismiss'))
    if (to !== null) router.history.replace(to)
    else if (invoice !== null)
      void navigate({ to: '/$locale/account/$/', params: { locale, _splat: `invoice/${invoice}` }, replace: true })
  }
  return (
    <div className={styles['section']}>
      <h1>{text('billing.return.title')}</h1>
      {invoice === null ? (
        <>
          <p>{text('billing.return.nothing')}</p>
          <p>
            <Link to="/$locale/account/$/" params={{ locale, _splat: 'invoice' }}>
              {text('billing.return.invoices')}
            </Link>
          </p>
        </>
      ) : (
        <>
          <PayInvoice invoiceId={invoice} returnTo={to ?? `/${locale}/account/invoice/${invoice}/`} onPaid={onPaid} />
          {to === null ? null : (
            <p>
              <a href={to}>{text('billing.return.back')}</a>
            </p>
          )}
        </>
      )}
    </div>
  )
}
