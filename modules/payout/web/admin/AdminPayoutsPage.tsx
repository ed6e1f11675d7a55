import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { LabelledSelect } from '../../../../ui/forms/LabelledSelect.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { oneOf, useDeskSearch } from '../../../billing/web/index.ts'
import type { adminPayout } from '../../contract/administration.ts'
import { TestPayouts } from '../TestPayouts.tsx'
import { usePayoutWords } from '../use-words.ts'
import { allPayoutsQuery, pageSize } from './queries.ts'
import { PayoutActs } from './PayoutActs.tsx'
import styles from '../payout.module.css'

const states = ['', 'pending', 'success', 'failed', 'returned'] as const
type Row = z.infer<typeof adminPayout>

/** H-20, S-20: what accounts are paid out; of what the operator pays by his own bank, where to, and what became of it. */
export function AdminPayoutsPage(): ReactNode {
  const { text } = usePayoutWords()
  const { search, go } = useDeskSearch('payouts')
  const status = oneOf(search.state, states, '')
  const list = useQuery({ ...allPayoutsQuery({ status, page: search.page }), placeholderData: keepPreviousData })
  if (list.error instanceof ApiError && list.error.status === 404) return <NotFoundPage />
  return (
    <section className={styles['page']}>
      <h1>{text('ui.page.payouts')}</h1>
      <TestPayouts />
      <p className={styles['soft']}>{text('payout.admin.lead')}</p>
      <LabelledSelect
        label={text('payout.admin.state')}
        value={status}
        options={states.map((each) => [each, text(each === '' ? 'payout.admin.any' : `payout.status.${each}`)])}
        onChoose={(state) => go({ state, page: 1 })}
      />
      <Loaded query={list} loading={text('ui.loading')} failed={text('payout.admin.failed')}>
        {({ count, results }) => (
          <>
            <p className={styles['soft']} role="status">
              {text('payout.admin.count', { count })}
            </p>
            <ul className={styles['list']} aria-busy={list.isPlaceholderData}>
              {results.map((each) => (
                <PayoutRow key={each.id} payout={each} />
              ))}
            </ul>
            <Pages page={search.page} count={count} onPage={(page) => go({ page })} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Pages(props: { page: number; count: number; onPage: (page: number) => void }): ReactNode {
  const { text } = usePayoutWords()
  const pages = Math.max(1, Math.ceil(props.count / pageSize))
  const words = {
    label: text('payout.admin.pages'),
    previous: text('payout.admin.previous'),
    next: text('payout.admin.next'),
    place: text('payout.admin.page', { page: props.page, pages }),
  }
  return <Pager page={props.page} pages={pages} words={words} onPage={props.onPage} />
}

function PayoutRow(props: { payout: Row }): ReactNode {
  const { text, locale, money, day, tone } = usePayoutWords()
  const { payout } = props
  const { reference } = payout
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <Link to="/$locale/admin/$/" params={{ locale, _splat: `payouts/${payout.id}` }} preload={false}>
          {payout.name === '' ? text('payout.admin.gone') : visible(payout.name)}
        </Link>
        <p className={styles['soft']}>
          {day(payout.date)} · {reference} · {text(payout.by_hand ? 'payout.admin.by_hand' : 'payout.admin.by_provider')}
        </p>
        {payout.failure === null ? null : <p className={styles['soft']}>{text(`payout.admin.why.${payout.failure}`)}</p>}
        <PayoutActs payout={payout} />
      </div>
      <strong className={styles['figure']}>{money(payout.gross_cents)}</strong>
      <Badge tone={tone(payout)}>{text(`payout.status.${payout.status}`)}</Badge>
    </li>
  )
}
