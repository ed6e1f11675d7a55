import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { listEvidences } from '../../../evidence/contract/endpoints.ts'
import { createOffer } from '../../contract/offers.ts'
import { mostReports } from '../../domain/price.ts'
import { licensingKey, statsQuery } from '../components/queries.ts'
import { OfferForm, type Said } from './OfferForm.tsx'
import styles from '../components/licensing.module.css'

const finalReports = {
  queryKey: ['evidences', 'to-be-offered'] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call(listEvidences, { query: { category: 'completed', page_size: 100 }, signal }),
}

/** A draft of an offer: of which reports, at which price. Nobody sees it before it is opened. */
export function NewOffer(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { evidence }: { evidence?: unknown } = useSearch({ strict: false })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(typeof evidence === 'string' ? [evidence] : []))
  const [none, setNone] = useState(false)
  const reports = useQuery(finalReports)
  const stats = useQuery(statsQuery)
  const preparing = useMutation({
    mutationFn: async (said: Said) => await call(createOffer, { body: { ...said, evidences: [...chosen] } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: licensingKey })
      await navigate({ to: '/$locale/account/$/', params: { locale, _splat: `licenses/${id}` } })
    },
  })
  const choose = (id: string, on: boolean) => {
    setNone(false)
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((each) => each !== id)))
  }
  return (
    <section className={styles['page']}>
      <div className={styles['section']}>
        <h2>{text('licensing.offer.new')}</h2>
        <p className={styles['soft']}>{text('licensing.offer.new.lead')}</p>
      </div>
      <Loaded query={reports} loading={text('ui.loading')} failed={text('licensing.page.not_read')}>
        {({ results }) =>
          results.length === 0 ? (
            <p>
              {text('licensing.offer.no_reports')}{' '}
              <Link to="/$locale/" params={{ locale }}>
                {text('ui.menu.new')}
              </Link>
            </p>
          ) : (
            <fieldset className={styles['choices']} aria-describedby="reports-fault">
              <legend>{text('licensing.offer.reports', { most: mostReports })}</legend>
              {results.map(({ id, page_url, captured_at, created_at }) => (
                <label key={id}>
                  <input
                    type="checkbox"
                    checked={chosen.has(id)}
                    disabled={!chosen.has(id) && chosen.size >= mostReports}
                    onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
                  />
                  <span>
                    {visible(page_url)}
                    <br />
                    <small>{formatInstant(captured_at ?? created_at, locale)}</small>
                  </span>
                </label>
              ))}
              <p id="reports-fault" role="alert" className={styles['fault']}>
                {none ? text('licensing.offer.reports.required') : null}
              </p>
            </fieldset>
          )
        }
      </Loaded>
      <OfferForm
        start={null}
        action={text('licensing.offer.prepare')}
        busy={preparing.isPending}
        onSent={(said) => {
          if (chosen.size === 0) setNone(true)
          else preparing.mutate(said)
        }}
        shares={stats.data === undefined ? null : { fee: stats.data.fee_basis_points, vat: stats.data.vat_basis_points }}
      />
      {preparing.error === null ? null : (
        <p role="alert" className={styles['notice']} data-tone="bad">
          {errorText(preparing.error)}
        </p>
      )}
    </section>
  )
}
