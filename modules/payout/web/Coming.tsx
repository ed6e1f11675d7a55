import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../ui/api/call.ts'
import { Badge } from '../../../ui/controls/Badge.tsx'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { notify } from '../../../ui/shell/notify.ts'
import { preparePayee, type ComingPayout } from '../contract/payouts.ts'
import { payoutsKey } from './queries.ts'
import { usePayoutWords } from './use-words.ts'
import styles from './payout.module.css'

/** Where each is mended; what is not among them is told of beside. */
const mended = {
  profile: { page: 'profile', label: 'payout.lack.profile.link' },
  identity: { page: 'identity', label: 'payout.lack.identity.link' },
  identity_changed: { page: 'profile', label: 'payout.lack.identity_changed.link' },
  account_currency: { page: 'bank', label: 'payout.lack.provider_account.link' },
  identity_expired: { page: 'identity', label: 'payout.lack.identity_expired.link' },
  invoice: { page: 'profile', label: 'payout.lack.invoice.link' },
  bank_account: { page: 'bank', label: 'payout.lack.bank_account.link' },
  provider_account: { page: 'bank', label: 'payout.lack.provider_account.link' },
} as const
const isMended = (lack: ComingPayout['lacks'][number]): lack is keyof typeof mended => lack in mended

/** S-18, H-48: what waits for the next first of a month, where it stands, and what keeps it back. */
export function Coming(props: { coming: ComingPayout }): ReactNode {
  const { text, locale, money, day } = usePayoutWords()
  const { coming } = props
  const { lacks, rules } = coming
  const isProvided = coming.payee !== null
  const steps = lacks.flatMap((each) =>
    each === 'provider_identity' || (isProvided && each === 'provider_account') ? [] : [each],
  )
  const atProvider = isProvided && steps.length === 0 && lacks.length > 0
  return (
    <section className={styles['card']} aria-labelledby="coming">
      <div className={styles['head']}>
        {/* A day is not torn from its month. */}
        <h3 id="coming">{text('payout.page.coming', { day: day(coming.on).replaceAll(' ', '\u00a0') })}</h3>
        <Badge tone={lacks.length === 0 ? 'good' : 'plain'}>
          {text(lacks.length === 0 ? 'payout.page.ready' : 'payout.status.none')}
        </Badge>
      </div>
      <p className={styles['amount']}>{money(coming.amount_cents)}</p>
      <dl className={styles['facts']}>
        {(
          [
            ['accrued', coming.accrued_cents],
            ['reserved', coming.reserved_cents],
            ['paid', coming.paid_cents],
            ['clawed_back', coming.clawed_back_cents],
          ] as const
        )
          .filter(([name, cents]) => name !== 'clawed_back' || cents > 0)
          .map(([name, cents]) => (
            <div key={name}>
              <dt>{text(`payout.page.sum.${name}`)}</dt>
              <dd>{money(cents)}</dd>
            </div>
          ))}
      </dl>
      {steps.length === 0 ? null : (
        <ul className={styles['lacks']}>
          {steps.map((each) => (
            <li key={each}>
              {text(`payout.lack.${each}`, { minimum: money(rules.minimum_cents) })}{' '}
              {isMended(each) ? (
                <Link to="/$locale/account/$/" params={{ locale, _splat: mended[each].page }}>
                  {text(mended[each].label)}
                </Link>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {atProvider ? <AtProvider coming={coming} /> : null}
    </section>
  )
}

/** What whoever pays has to know first: said once by the payee, on pages of the provider's. */
function AtProvider(props: { coming: ComingPayout }): ReactNode {
  const { text, locale } = usePayoutWords()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { payee } = props.coming
  const preparing = useMutation({
    mutationFn: () => call(preparePayee, { body: { return_to: `/${locale}/account/payout/` } }),
    onSuccess: async () => await client.invalidateQueries({ queryKey: payoutsKey }),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  if (payee === null) return null
  return (
    <div className={styles['section']}>
      <p>{text('payout.page.provider')}</p>
      {payee.refusal === null ? null : <p role="alert">{text(`payout.refusal.${payee.refusal}`)}</p>}
      <p className={styles['soft']}>
        {text(`payout.page.account.${payee.account}`)} {text(`payout.page.identity.${payee.identity}`)}
      </p>
      <div className={styles['actions']}>
        <Button size="md" loading={preparing.isPending} onClick={() => preparing.mutate()}>
          {text(payee.account === 'none' ? 'payout.page.prepare' : 'payout.page.prepare.again')}
        </Button>
        {payee.account_address === null ? null : <a href={payee.account_address}>{text('payout.page.confirm_account')}</a>}
        {payee.identity_address === null ? null : <a href={payee.identity_address}>{text('payout.page.confirm_identity')}</a>}
      </div>
    </div>
  )
}
