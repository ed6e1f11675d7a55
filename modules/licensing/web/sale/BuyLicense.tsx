import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Beneficiary } from '../../../../kernel/license-request.ts'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { askToSignIn } from '../../../../ui/api/ask-to-sign-in.ts'
import { call } from '../../../../ui/api/call.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { PayInvoice, TestPaymentsHere } from '../../../billing/web/index.ts'
import { changeLicense, checkOut, createLicense, type License } from '../../contract/licenses.ts'
import type { Sale } from '../../contract/sales.ts'
import { NotRead } from '../components/NotRead.tsx'
import { licenseQuery, licensingKey } from '../components/queries.ts'
import { LicenseFiles } from '../license/LicenseFiles.tsx'
import { BeneficiaryForm } from './BeneficiaryForm.tsx'
import styles from '../components/licensing.module.css'

/** What is asked of a visitor who registers with it, and of whoever must be invoiced: pages of other modules, which whoever puts the application together hands over. */
export type Elsewhere = {
  readonly Register: (props: { token: string; beneficiary: Beneficiary; onSignedIn: () => void; below: ReactNode }) => ReactNode
  readonly InvoiceDetails: (props: { onComplete: () => void }) => ReactNode
}

/** P-03: who it is for, who buys it, how it is paid, and what he then has; at each step what was done before stays. */
export function BuyLicense(props: { sale: Sale; token: string } & Elsewhere): ReactNode {
  const { sale, token } = props
  const session = useSession()
  if (session === null) return <AsVisitor {...props} />
  return sale.license === null ? <Ask token={token} sale={sale} /> : <Held {...props} id={sale.license} />
}

/** He is told what he registers for before he registers. */
function AsVisitor(props: { sale: Sale; token: string } & Elsewhere): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { sale, token, Register } = props
  const [beneficiary, setBeneficiary] = useState<Beneficiary | null>(null)
  const refresh = () => void client.invalidateQueries({ queryKey: licensingKey })
  const asking = useAsk(token)
  const signIn = async (given: Beneficiary) => {
    if (await askToSignIn('required')) asking.mutate(given)
  }
  if (sale.status !== 'open') return <Over sale={sale} />
  if (beneficiary === null)
    return (
      <section className={styles['card']} aria-labelledby="buy-heading" data-screen="">
        <h2 id="buy-heading">{text('licensing.buy.title')}</h2>
        <TestPaymentsHere />
        <BeneficiaryForm action={text('licensing.buy.next')} busy={false} onSent={setBeneficiary} />
      </section>
    )
  return (
    <section className={styles['card']} aria-labelledby="buy-heading" data-screen="">
      <h2 id="buy-heading">{text('licensing.buy.account')}</h2>
      <For beneficiary={beneficiary} onChange={() => setBeneficiary(null)} />
      <p>{text('licensing.buy.account.why')}</p>
      <Register
        token={token}
        beneficiary={beneficiary}
        onSignedIn={refresh}
        below={
          <Button variant="default" size="md" fullWidth onClick={() => void signIn(beneficiary)}>
            {text('licensing.buy.sign_in')}
          </Button>
        }
      />
      {asking.error === null ? null : <p role="alert">{errorText(asking.error)}</p>}
    </section>
  )
}

function useAsk(token: string) {
  const text = useText()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (beneficiary: Beneficiary) =>
      await call(createLicense, {
        body: { sale_token: token, beneficiary, terms_accepted: true, withdrawal_waived: true },
      }),
    onSuccess: () => notify('success', text('licensing.buy.asked'), text('ui.notice.dismiss'), 'license-asked'),
    onSettled: async () => await client.invalidateQueries({ queryKey: licensingKey }),
  })
}

/** @param props.before what was asked for and is not paid, to be corrected */
function Ask(props: { sale: Sale; token: string; before?: License; onDone?: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { sale, before } = props
  const asking = useAsk(props.token)
  if (sale.status !== 'open' && before === undefined) return <Over sale={sale} />
  return (
    <section className={styles['card']} aria-labelledby="buy-heading" data-screen="">
      <h2 id="buy-heading">{text('licensing.buy.title')}</h2>
      <TestPaymentsHere />
      <BeneficiaryForm
        {...(before === undefined ? {} : { start: before.beneficiary })}
        action={text('licensing.buy.next')}
        busy={asking.isPending}
        onSent={(beneficiary) => asking.mutate(beneficiary, { onSuccess: () => props.onDone?.() })}
      />
      {asking.error === null ? null : (
        <p role="alert" className={styles['notice']} data-tone="bad">
          {text('licensing.buy.not_asked')} {errorText(asking.error)}
        </p>
      )}
    </section>
  )
}

/** Nothing is sold here now. */
function Over({ sale }: { sale: Sale }): ReactNode {
  const text = useText()
  return (
    <p role="status" className={styles['notice']} data-tone="caution">
      {text(sale.status === 'sold_out' ? 'licensing.sold_out' : 'licensing.sale_stopped')}
    </p>
  )
}

function For(props: { beneficiary: Beneficiary; onChange?: () => void }): ReactNode {
  const text = useText()
  const { first_name, last_name, company, email } = props.beneficiary
  return (
    <div>
      <p>
        {text('licensing.buy.for')} <strong>{visible(`${first_name} ${last_name}`)}</strong>
        {company === '' ? null : `, ${visible(company)}`} · <span className={styles['link']}>{visible(email)}</span>
      </p>
      {props.onChange === undefined ? null : (
        <Button variant="default" size="md" onClick={props.onChange}>
          {text('licensing.buy.change')}
        </Button>
      )}
    </div>
  )
}

/** A document is made within moments of the payment: it is looked for less and less often. */
const lookAgain = (times: number): number => Math.min(30_000, 1000 * 1.5 ** times)

function Held(props: { sale: Sale; token: string; id: string } & Elsewhere): ReactNode {
  const text = useText()
  const { sale, token, id } = props
  const [again, setAgain] = useState(false)
  const {
    data: license,
    error,
    refetch,
  } = useQuery({
    ...licenseQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'paid' ? lookAgain(state.dataUpdateCount) : false),
  })
  if (license === undefined)
    return (
      <NotRead
        level="h2"
        missing={{ title: text('licensing.page.not_read'), text: text('licensing.license_unknown') }}
        error={error}
        onAgain={() => void refetch()}
      />
    )
  if (license.status === 'lapsed' || again) return <Ask token={token} sale={sale} onDone={() => setAgain(false)} />
  if (license.status === 'pending') return <ToBePaid {...props} license={license} />
  return (
    <section className={styles['card']} aria-labelledby="buy-heading">
      <h2 id="buy-heading">{text('licensing.buy.yours')}</h2>
      <For beneficiary={license.beneficiary} />
      <LicenseFiles license={license} />
      {sale.status === 'open' ? (
        <Button variant="default" size="md" onClick={() => setAgain(true)}>
          {text('licensing.buy.another')}
        </Button>
      ) : null}
    </section>
  )
}

function ToBePaid(props: { sale: Sale; token: string; license: License } & Elsewhere): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { sale, token, license, InvoiceDetails } = props
  const [correcting, setCorrecting] = useState(false)
  const [complete, setComplete] = useState(false)
  const refresh = () => void client.invalidateQueries({ queryKey: licensingKey })
  const opening = useMutation({
    mutationFn: async () => await call(checkOut, { params: { id: license.id } }),
    onSuccess: ({ license: with_ }) => keepAnswer(client, licenseQuery(license.id).queryKey, with_),
    onError: () => void client.invalidateQueries({ queryKey: [...licensingKey, 'sale'] }),
  })
  const givingUp = useMutation({
    mutationFn: async () => await call(changeLicense, { params: { id: license.id }, body: { status: 'lapsed' } }),
    onSuccess: refresh,
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  const incomplete = opening.error instanceof ApiError && opening.error.code === 'billing.profile_incomplete'
  if (correcting) return <Ask token={token} sale={sale} before={license} onDone={() => setCorrecting(false)} />
  return (
    <section className={styles['card']} aria-labelledby="buy-heading" data-screen="">
      <h2 id="buy-heading">{text('licensing.buy.pay')}</h2>
      <For beneficiary={license.beneficiary} onChange={() => setCorrecting(true)} />
      {license.invoice !== null ? (
        <PayInvoice
          invoiceId={license.invoice}
          returnTo={`/${locale}/sale/${token}/`}
          onPaid={() => {
            notify('success', text('licensing.buy.bought'), text('ui.notice.dismiss'), 'license-bought')
            refresh()
          }}
        />
      ) : (
        <>
          {incomplete ? (
            <>
              <p>{text('licensing.buy.invoice_needs')}</p>
              <InvoiceDetails onComplete={() => setComplete(true)} />
            </>
          ) : opening.error === null ? null : (
            <p role="alert" className={styles['notice']} data-tone="bad">
              {errorText(opening.error)}
            </p>
          )}
          <Button size="md" loading={opening.isPending} disabled={incomplete && !complete} onClick={() => opening.mutate()}>
            {text('licensing.buy.to_payment')}
          </Button>
        </>
      )}
      <Button variant="subtle" size="md" loading={givingUp.isPending} onClick={() => givingUp.mutate()}>
        {text('licensing.buy.give_up')}
      </Button>
    </section>
  )
}
