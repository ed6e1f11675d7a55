import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { call } from '../../../../ui/api/call.ts'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { endCard, type CardOnTheWire, type listPaymentMethods } from '../../contract/payments.ts'
import { TestPayments } from '../components/TestPayments.tsx'
import { CardTerm, useCardName } from '../pay/Means.tsx'
import { methodsQuery, moneyKey } from '../components/queries.ts'
import styles from '../components/billing.module.css'

type Methods = ResponseOf<typeof listPaymentMethods>

/** Cards and the mandate that are kept, and what renewals are charged to. */
export function PaymentMethodsPage(): ReactNode {
  const text = useText()
  const methods = useQuery(methodsQuery)
  return (
    <section className={styles['section']}>
      <p className={styles['soft']}>{text('billing.methods.lead')}</p>
      <Loaded query={methods} loading={text('ui.loading')} failed={text('billing.methods.failed')}>
        {(loaded) => <Kept methods={loaded} />}
      </Loaded>
    </section>
  )
}

function Kept(props: { methods: Methods }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { cards, mandate, renewals, test, by } = props.methods
  return (
    <>
      <TestPayments test={test} />
      <section className={styles['section']}>
        <h2>{text('billing.methods.cards')}</h2>
        {cards.length === 0 ? <p className={styles['soft']}>{text('billing.methods.no_card')}</p> : null}
        {cards.map((card) => (
          <Card key={card.id} card={card} charged={renewals?.card === card.id} />
        ))}
      </section>
      {by.includes('mandate') || mandate !== null ? (
        <section className={styles['section']}>
          <h2>{text('billing.methods.mandate')}</h2>
          {mandate === null ? (
            <p className={styles['soft']}>{text('billing.methods.no_mandate')}</p>
          ) : (
            <div className={styles['card']}>
              <div className={styles['head']}>
                <span>{text('billing.methods.mandate.reference', { reference: visible(mandate.reference ?? '–') })}</span>
                <Badge tone={mandate.status === 'active' ? 'good' : mandate.status === 'failed' ? 'bad' : 'caution'}>
                  {text(`billing.mandate.${mandate.status}`)}
                </Badge>
                {renewals?.by === 'mandate' ? <Badge tone="accent">{text('billing.methods.renewals')}</Badge> : null}
              </div>
              {mandate.redirect_url === null ? null : (
                <p>
                  <a href={mandate.redirect_url}>{text('billing.pay.sign')}</a>
                </p>
              )}
            </div>
          )}
          {mandate === null ? null : (
            <p>
              {text('billing.methods.bank')}{' '}
              <Link to="/$locale/account/$/" params={{ locale, _splat: 'bank' }}>
                {text('billing.methods.bank.link')}
              </Link>
            </p>
          )}
        </section>
      ) : null}
    </>
  )
}

function Card(props: { card: CardOnTheWire; charged: boolean }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const nameOf = useCardName()
  const [asking, setAsking] = useState(false)
  const { card, charged } = props
  const name = nameOf(card)
  const ending = useMutation({
    mutationFn: () => call(endCard, { params: { id: card.id } }),
    onSuccess: async () => {
      notify('success', text('billing.methods.removed', { card: name }), text('ui.notice.dismiss'))
      await client.invalidateQueries({ queryKey: moneyKey })
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: () => setAsking(false),
  })
  return (
    <div className={styles['card']}>
      <div className={styles['head']}>
        <strong>{name}</strong>
        <CardTerm card={card} />
        {charged ? <Badge tone="accent">{text('billing.methods.renewals')}</Badge> : null}
      </div>
      <div className={styles['actions']}>
        <Button
          variant="default"
          size="md"
          aria-label={text('billing.methods.remove_this', { card: name })}
          onClick={() => setAsking(true)}
        >
          {text('billing.methods.remove')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={text('billing.methods.remove_this', { card: name })}
        text={text(charged ? 'billing.methods.remove.charged' : 'billing.methods.remove.text')}
        confirm={text('billing.methods.remove')}
        cancel={text('billing.cancel')}
        destructive
        busy={ending.isPending}
        onConfirm={() => ending.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  )
}
