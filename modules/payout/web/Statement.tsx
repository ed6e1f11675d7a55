import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../kernel/endpoint.ts'
import { Badge } from '../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../ui/controls/ReferencePage.tsx'
import type { readPayout } from '../contract/payouts.ts'
import { payoutQuery } from './queries.ts'
import { PayoutLines } from './PayoutLines.tsx'
import { SavePaper } from './SavePaper.tsx'
import { TestPayouts } from './TestPayouts.tsx'
import { usePayoutWords } from './use-words.ts'
import { WhatBecame } from './WhatBecame.tsx'
import styles from './payout.module.css'

/** C-55: one payout, and each line of an invoice that it comes from. */
export function Statement(props: { id: string }): ReactNode {
  const { text, locale } = usePayoutWords()
  const payout = useQuery(payoutQuery(props.id))
  return (
    <section className={styles['page']}>
      <p>
        <Link to="/$locale/account/$/" params={{ locale, _splat: 'payout' }}>
          {text('payout.page.all')}
        </Link>
      </p>
      <Loaded query={payout} loading={text('ui.loading')} failed={text('payout.page.failed')}>
        {(read) => <Shown payout={read} />}
      </Loaded>
    </section>
  )
}

function Shown(props: { payout: ResponseOf<typeof readPayout> }): ReactNode {
  const { text, money, day, tone } = usePayoutWords()
  const { payout } = props
  return (
    <>
      <TestPayouts />
      <div className={styles['head']}>
        <h2>{text('payout.page.statement', { amount: money(payout.gross_cents) })}</h2>
        <Badge tone={tone(payout)}>{text(`payout.status.${payout.status}`)}</Badge>
      </div>
      <WhatBecame payout={payout} />
      <dl className={styles['facts']}>
        <div>
          <dt>{text('payout.page.begun')}</dt>
          <dd>{day(payout.date)}</dd>
        </div>
        {payout.settled_on === null ? null : (
          <div>
            <dt>{text('payout.page.settled')}</dt>
            <dd>{day(payout.settled_on)}</dd>
          </div>
        )}
        <div>
          <dt>{text('payout.page.reference')}</dt>
          <dd>{payout.reference}</dd>
        </div>
        <div>
          <dt>{text('payout.page.net')}</dt>
          <dd>{money(payout.net_cents)}</dd>
        </div>
        {payout.vat_cents === 0 ? null : (
          <div>
            <dt>{text('payout.page.vat')}</dt>
            <dd>{money(payout.vat_cents)}</dd>
          </div>
        )}
      </dl>
      {payout.documents.length === 0 ? null : (
        <section className={styles['section']}>
          <h3>{text('payout.page.documents')}</h3>
          <div className={styles['documents']}>
            {payout.documents.map(({ kind, number }) => (
              <SavePaper key={kind} payout={payout.id} kind={kind} number={number} />
            ))}
          </div>
          {payout.documents.some(({ kind }) => kind === 'self_billed') ? (
            <p className={styles['soft']}>{text('payout.page.self_billing')}</p>
          ) : null}
        </section>
      )}
      <PayoutLines lines={payout.lines} />
    </>
  )
}
