import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { call } from '../../../ui/api/call.ts'
import { Badge } from '../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../ui/controls/ReferencePage.tsx'
import { formatDay, formatMoney } from '../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { listReferees, type RefereeOnTheWire } from '../contract/referees.ts'
import styles from './referees.module.css'

const refereesQuery = (page: number) => ({
  queryKey: ['referees', page] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(listReferees, { query: { page, page_size: 20 }, signal }),
})

/** C-56, C-57: those whom one referred, and what that brought. */
export function RefereesPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [page, setPage] = useState(1)
  const referees = useQuery({ ...refereesQuery(page), placeholderData: keepPreviousData })
  const percent = (rate: number) =>
    new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', { style: 'percent', maximumFractionDigits: 2 }).format(
      rate / 10_000,
    )
  return (
    <section className={styles['page']}>
      <h2 className="visually-hidden">{text('referral.page.title')}</h2>
      <Loaded query={referees} loading={text('ui.loading')} failed={text('referral.page.failed')}>
        {(read) => (
          <>
            <p className={styles['soft']}>
              {text('referral.page.rule', { rate: percent(read.rule.rate), months: read.rule.months })}{' '}
              <Link to="/$locale/account/$/" params={{ locale, _splat: 'payout' }}>
                {text('referral.page.payouts')}
              </Link>
            </p>
            {read.count === 0 ? (
              <p>{text('referral.page.none')}</p>
            ) : (
              <>
                <p role="status">
                  {text('referral.page.count', { count: read.count, earned: formatMoney(read.earned_cents, 'EUR', locale) })}
                </p>
                <ul className={styles['list']}>
                  {read.results.map((each) => (
                    <Row key={each.id} referee={each} />
                  ))}
                </ul>
              </>
            )}
            {read.next === null && read.previous === null ? null : (
              <div className={styles['turn']}>
                <Button variant="default" size="md" disabled={read.previous === null} onClick={() => setPage(page - 1)}>
                  {text('referral.page.newer')}
                </Button>
                <Button variant="default" size="md" disabled={read.next === null} onClick={() => setPage(page + 1)}>
                  {text('referral.page.older')}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** E-42…E-44. */
function Row(props: { referee: RefereeOnTheWire }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { referee } = props
  const day = (each: string) => formatDay(each.slice(0, 10), locale)
  const { subscribed_on: subscribedOn, plan } = referee
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>{referee.email ?? text('referral.page.gone')}</strong>
        <p className={styles['soft']}>{text('referral.page.registered', { day: day(referee.registered_at) })}</p>
        <p className={styles['soft']}>
          {text('referral.page.units', { evidences: referee.evidences, documents: referee.documents })}
        </p>
        <p className={styles['soft']}>
          {subscribedOn === null || plan === null
            ? text('referral.page.no_subscription')
            : text('referral.page.subscribed', { plan: text(`referral.plan.${plan}`), day: day(subscribedOn) })}
        </p>
      </div>
      <div className={styles['figures']}>
        <strong>{formatMoney(referee.earned_cents, 'EUR', locale)}</strong>
        {referee.refused === null ? null : <Badge tone="caution">{text(`referral.refused.${referee.refused}`)}</Badge>}
        {referee.refused !== null || referee.earns_until === null ? null : (
          <span className={styles['soft']}>{text('referral.page.until', { day: day(referee.earns_until) })}</span>
        )}
      </div>
    </li>
  )
}
