import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import type { BodyInputOf, ResponseOf } from '../../../../kernel/endpoint.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useLightForm } from '../../../../ui/forms/use-light-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { createMandate, payInvoice, type listPaymentMethods, type PaymentOnTheWire } from '../../contract/payments.ts'
import { SupportLink } from '../components/SupportLink.tsx'
import { TestPayments } from '../components/TestPayments.tsx'
import { useMoney } from '../components/use-money.ts'
import { methodsQuery, moneyKey, paymentQuery } from '../components/queries.ts'
import { faultsOfCard, type CardFields } from './card-rule.ts'
import { CardInput } from './CardInput.tsx'
import { Means, usableMandate, type Chosen } from './Means.tsx'
import { Refused, Standing, ToPay } from './Outcome.tsx'
import { registerCard } from './register-card.ts'
import { returnAddress } from './return-address.ts'
import styles from '../components/billing.module.css'

type Methods = ResponseOf<typeof listPaymentMethods>
type Payment = BodyInputOf<typeof payInvoice>

const nothingTyped: CardFields = { number: '', expiry: '', cvc: '' }

/** A payment that is under way is looked at again, less and less often. */
const lookAgain = (times: number): number => Math.min(30_000, 1000 * 1.5 ** times)

/**
 * Pays an invoice, wherever it is asked for: by a card that is kept or a new one, a mandate, or a transfer; waits for what becomes of it,
 * and says so.
 * @param props.returnTo path of this page, with the language, to which one comes back from one's bank
 * @param props.onPaid once; also where it was paid already
 */
export function PayInvoice(props: { invoiceId: string; returnTo: string; onPaid: () => void }): ReactNode {
  const text = useText()
  const { invoiceId } = props
  const methods = useQuery(methodsQuery)
  const payment = useQuery({
    ...paymentQuery(invoiceId),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const status = state.data?.status
      return status === 'processing' || status === 'action_required' ? lookAgain(state.dataUpdateCount) : false
    },
  })
  const paid = payment.data?.status === 'success'
  const onPaid = useEffectEvent(props.onPaid)
  useEffect(() => {
    if (paid) onPaid()
  }, [paid])
  return (
    <div className={styles['section']} aria-busy={payment.data === undefined}>
      <Loaded query={payment} loading={text('billing.pay.loading')} failed={text('billing.pay.failed')}>
        {(known) => (
          <>
            <TestPayments test={known.test} />
            <p role="status" className="visually-hidden">
              {text(`billing.pay.status.${known.status}`)}
            </p>
            {known.status === 'none' || known.status === 'failed' ? (
              <Loaded query={methods} loading={text('billing.pay.loading')} failed={text('billing.pay.failed')}>
                {(loaded) => <PayForm {...props} payment={known} methods={loaded} />}
              </Loaded>
            ) : (
              <Standing payment={known} />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

/** What the cardholder's bank wants to know of this browser. */
function thisBrowser(): NonNullable<Payment['browser']> {
  return {
    language: navigator.language,
    java_enabled: false,
    color_depth: screen.colorDepth,
    screen_width: screen.width,
    screen_height: screen.height,
    time_zone_offset: new Date().getTimezoneOffset(),
  }
}

function firstChoice({ cards, mandate, by, renewals }: Methods): Chosen {
  const usual = cards.find(({ id, expired }) => id === renewals?.card && !expired) ?? cards.find(({ expired }) => !expired)
  if (usual !== undefined) return usual.id
  if (usableMandate(mandate)) return 'mandate'
  return by.includes('card') ? 'new' : by.includes('mandate') ? 'mandate' : 'transfer'
}

function PayForm(props: { invoiceId: string; returnTo: string; payment: PaymentOnTheWire; methods: Methods }): ReactNode {
  const { invoiceId, payment, methods } = props
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { money } = useMoney()
  const [chosen, setChosen] = useState<Chosen>(() => firstChoice(methods))
  const [manager, setManager] = useState<Payment['referral_manager']>(methods.referred ? 'referrer' : 'none')
  const form = useLightForm<CardFields>(
    (values) => faultsOfCard(values, new Date(serverNow())),
    nothingTyped,
    () => undefined,
  )
  const signs = chosen === 'mandate' && !usableMandate(methods.mandate)
  const back = returnAddress(locale, invoiceId, props.returnTo)
  const paying = useMutation({
    mutationFn: async (): Promise<PaymentOnTheWire | string | null> => {
      if (signs) return (await call(createMandate, { body: { return_to: back } })).mandate.redirect_url
      let card: string | null = chosen
      if (chosen === 'new') {
        card = (await registerCard(form.values())).id
        // It is kept now: whatever becomes of the payment, it need not be typed again.
        await client.invalidateQueries({ queryKey: methodsQuery.queryKey })
        setChosen(card)
        form.clear()
      }
      const by = chosen === 'mandate' || chosen === 'transfer' ? chosen : ('card' as const)
      return await call(payInvoice, {
        params: { id: invoiceId },
        body: {
          by,
          ...(by === 'card' ? { card, browser: thisBrowser() } : {}),
          return_to: back,
          referral_manager: manager,
          accepted_cents: payment.amount_cents,
        },
      })
    },
    onSuccess: async (answer) => {
      const address = typeof answer === 'string' ? answer : (answer?.redirect_url ?? null)
      if (answer !== null && typeof answer === 'object') keepAnswer(client, paymentQuery(invoiceId).queryKey, answer)
      // To the bank's own page, which the provider named.
      if (address !== null) location.assign(address)
      else await client.invalidateQueries({ queryKey: moneyKey })
    },
  })
  return (
    <form
      className={styles['section']}
      noValidate
      onSubmit={(event) => {
        if (chosen === 'new') form.submit(() => paying.mutate())(event)
        else {
          event.preventDefault()
          paying.mutate()
        }
      }}
    >
      <ToPay cents={payment.amount_cents} />
      {payment.failure === null || paying.isPending ? null : (
        <Refused payment={payment}>
          <p>
            <SupportLink />
          </p>
        </Refused>
      )}
      <Means
        methods={methods}
        chosen={chosen}
        onChoose={(next) => {
          setChosen(next)
          paying.reset()
        }}
        newCard={<CardInput form={form} />}
      />
      {/* V-44, H-24: where nobody is known to have referred the account there is nothing to choose, and “nobody” is what is sent. */}
      {methods.referred ? (
        <fieldset className={styles['group']}>
          <legend>{text('billing.pay.manager')}</legend>
          {(['referrer', 'none'] as const).map((each) => (
            <label key={each} className={styles['choice']}>
              <input type="radio" name="manager" checked={manager === each} onChange={() => setManager(each)} />
              {text(`billing.pay.manager.${each}`)}
            </label>
          ))}
        </fieldset>
      ) : null}
      <div role="alert">
        {paying.error === null ? null : (
          <div className={styles['notice']} data-tone="bad">
            <strong>{text('billing.pay.not_paid')}</strong>
            <p>{errorText(paying.error)}</p>
          </div>
        )}
      </div>
      <div className={styles['actions']}>
        <Button type="submit" size="md" loading={paying.isPending || (paying.isSuccess && payment.status === 'none')}>
          {signs
            ? text('billing.pay.sign')
            : chosen === 'transfer'
              ? text('billing.pay.by_transfer')
              : text('billing.pay.action', { amount: money(payment.amount_cents) })}
        </Button>
      </div>
    </form>
  )
}
