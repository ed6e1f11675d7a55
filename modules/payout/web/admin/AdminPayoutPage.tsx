import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { readAnyPaper, type AdminPayoutWhole } from '../../contract/administration.ts'
import { PayoutLines } from '../PayoutLines.tsx'
import { SavePaper } from '../SavePaper.tsx'
import { TestPayouts } from '../TestPayouts.tsx'
import { usePayoutWords } from '../use-words.ts'
import { PayoutActs } from './PayoutActs.tsx'
import { onePayoutQuery } from './queries.ts'
import styles from '../payout.module.css'

/** H-20, S-18…S-21: one payout of anybody's: where it stands and since when, what it is made of, its documents, what is done about it. */
export function AdminPayoutPage(props: { id: string }): ReactNode {
  const { text, locale } = usePayoutWords()
  const payout = useQuery(onePayoutQuery(props.id))
  if (payout.error instanceof ApiError && payout.error.status === 404) return <NotFoundPage />
  return (
    <section className={styles['page']}>
      <p>
        <Link to="/$locale/admin/$/" params={{ locale, _splat: 'payouts' }}>
          {text('payout.admin.all')}
        </Link>
      </p>
      <Loaded query={payout} loading={text('ui.loading')} failed={text('payout.admin.failed')}>
        {(read) => <Whole payout={read} />}
      </Loaded>
    </section>
  )
}

function Whole({ payout }: { payout: AdminPayoutWhole }): ReactNode {
  const { text, money, day, tone } = usePayoutWords()
  const { settled_on: settled, returned_on: returned, documents } = payout
  const ended = payout.status === 'failed' ? 'failed' : 'success'
  return (
    <>
      <TestPayouts />
      <div className={styles['head']}>
        <h1>{payout.name === '' ? text('payout.admin.gone') : visible(payout.name)}</h1>
        <Badge tone={tone(payout)}>{text(`payout.status.${payout.status}`)}</Badge>
      </div>
      <p className={styles['amount']}>{money(payout.gross_cents)}</p>
      {payout.failure === null ? null : <p>{text(`payout.admin.why.${payout.failure}`)}</p>}
      <PayoutActs payout={payout} />
      <Facts
        rows={[
          [text('payout.page.reference'), payout.reference],
          [text('payout.admin.by'), text(payout.by_hand ? 'payout.admin.by_hand' : 'payout.admin.by_provider')],
          [text('payout.page.net'), money(payout.net_cents)],
          ...(payout.vat_cents === 0 ? [] : [[text('payout.page.vat'), money(payout.vat_cents)] as const]),
          [text('payout.page.begun'), day(payout.date)],
          ...(settled === null ? [] : [[text(`payout.status.${ended}`), day(settled)] as const]),
          ...(returned === null ? [] : [[text('payout.status.returned'), day(returned)] as const]),
        ]}
      />
      {documents.length === 0 ? null : (
        <section className={styles['section']}>
          <h2>{text('payout.page.documents')}</h2>
          <div className={styles['documents']}>
            {documents.map(({ kind, number }) => (
              <SavePaper key={kind} payout={payout.id} kind={kind} number={number} of={readAnyPaper} />
            ))}
          </div>
        </section>
      )}
      <PayoutLines lines={payout.lines} heading="h2" />
    </>
  )
}
