import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { BodyInputOf } from '../../../../kernel/endpoint.ts'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeOffer, type Offer } from '../../contract/offers.ts'
import type { Lack } from '../../domain/readiness.ts'
import { NotRead } from '../components/NotRead.tsx'
import { licensingKey, offerQuery, previewQuery, statsQuery } from '../components/queries.ts'
import { SaleView } from '../sale/SaleView.tsx'
import { OfferForm } from './OfferForm.tsx'
import styles from '../components/licensing.module.css'

/** E-29, P-12: one offer, what it lacks, what it says, how it stands, and what its buyers see. */
export function OneOffer({ id }: { id: string }): ReactNode {
  const text = useText()
  const { data: offer, error, refetch } = useQuery(offerQuery(id))
  if (offer === undefined)
    return (
      <NotRead
        level="h2"
        missing={{ title: text('licensing.offer.missing'), text: text('licensing.offer_unknown') }}
        error={error}
        onAgain={() => void refetch()}
      />
    )
  return <Known offer={offer} />
}

function useChange(offer: Offer) {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInputOf<typeof changeOffer>) => await call(changeOffer, { params: { id: offer.id }, body }),
    onSuccess: (changed, { status }) => {
      keepAnswer(client, offerQuery(offer.id).queryKey, changed)
      notify('success', text(`licensing.offer.notice.${status ?? 'changed'}`), text('ui.notice.dismiss'), 'offer')
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: async () => await client.invalidateQueries({ queryKey: licensingKey }),
  })
}

export const toneOf = { draft: 'plain', open: 'good', stopped: 'caution' } as const

function Known({ offer }: { offer: Offer }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const stats = useQuery(statsQuery)
  const change = useChange(offer)
  const [asking, setAsking] = useState(false)
  const stopped = offer.status === 'stopped'
  return (
    <section className={styles['page']}>
      <div className={styles['section']}>
        <h2>{text('licensing.offer.title', { count: offer.reports.length })}</h2>
        <p>
          <Badge tone={toneOf[offer.status]}>{text(`licensing.offer.status.${offer.status}`)}</Badge>
        </p>
        <ul className={styles['reports']}>
          {offer.reports.map((report) => (
            <li key={report.id}>
              <Link to="/$locale/capture/$id/" params={{ locale, id: report.id }} className={styles['link']}>
                {visible(report.page_url)}
              </Link>{' '}
              <span className={styles['soft']}>{formatInstant(report.captured_at, locale)}</span>
            </li>
          ))}
        </ul>
        <Facts
          rows={[
            [text('licensing.offer.sold'), offer.licenses],
            [text('licensing.offer.kept'), offer.places_kept],
            ...(offer.opened_at === null
              ? []
              : [[text('licensing.offer.opened'), formatInstant(offer.opened_at, locale)] as const]),
            ...(offer.stopped_at === null
              ? []
              : [[text('licensing.offer.stopped'), formatInstant(offer.stopped_at, locale)] as const]),
          ]}
        />
      </div>
      {stopped ? <p className={styles['notice']}>{text('licensing.offer_stopped')}</p> : null}
      {offer.lacking.length === 0 ? null : <Lacking offer={offer} />}
      {offer.status === 'open' ? <Address token={offer.sale_token} /> : null}
      {stopped ? null : (
        <div className={styles['section']}>
          <h3>{text('licensing.offer.says')}</h3>
          <OfferForm
            start={offer}
            action={text('licensing.offer.save')}
            busy={change.isPending}
            onSent={(said) => change.mutate(said)}
            shares={stats.data === undefined ? null : { fee: offer.fee_basis_points, vat: stats.data.vat_basis_points }}
          />
        </div>
      )}
      {stopped ? null : (
        <div className={styles['actions']}>
          {offer.status === 'draft' ? (
            <Button
              size="md"
              disabled={offer.lacking.length > 0}
              loading={change.isPending}
              onClick={() => change.mutate({ status: 'open' })}
            >
              {text('licensing.offer.open')}
            </Button>
          ) : null}
          <Button variant="default" size="md" onClick={() => setAsking(true)}>
            {text(offer.status === 'draft' ? 'licensing.offer.drop' : 'licensing.offer.stop')}
          </Button>
        </div>
      )}
      {stopped ? null : <Preview id={offer.id} />}
      <ConfirmDialog
        open={asking}
        title={text('licensing.offer.stop.title')}
        text={text('licensing.offer.stop.text')}
        confirm={text('licensing.offer.stop')}
        cancel={text('licensing.offer.keep')}
        destructive
        busy={change.isPending}
        onConfirm={() => change.mutate({ status: 'stopped' }, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </section>
  )
}

/** Each thing with the way to it. */
function Lacking({ offer }: { offer: Offer }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const account = (page: string, words: Parameters<typeof text>[0]) => (
    <Link to="/$locale/account/$/" params={{ locale, _splat: page }}>
      {text(words)}
    </Link>
  )
  const [first] = offer.reports
  const report =
    first === undefined ? null : (
      <Link to="/$locale/capture/$id/" params={{ locale, id: first.id }}>
        {text('licensing.lack.report')}
      </Link>
    )
  const ways: Partial<Record<Lack, ReactNode>> = {
    not_final: report,
    files_not_kept: report,
    in_trash: (
      <Link to="/$locale/evidences/trash/" params={{ locale }}>
        {text('licensing.lack.trash')}
      </Link>
    ),
    identity: account('identity', 'licensing.lack.prove'),
    identity_expired: account('identity', 'licensing.lack.prove'),
    identity_changed: account('profile', 'licensing.lack.profile'),
    bank_account: account('bank', 'licensing.lack.bank'),
  }
  return (
    <div className={styles['notice']} data-tone="caution" role="status">
      <strong>{text('licensing.lack.title')}</strong>
      <ol className={styles['lacking']}>
        {offer.lacking.map((lack) => (
          <li key={lack}>
            {text(`licensing.lack.${lack}`)} {ways[lack] ?? null}
          </li>
        ))}
      </ol>
    </div>
  )
}

function Address({ token }: { token: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const address = `${location.origin}/${locale}/sale/${token}/`
  return (
    <div className={styles['section']}>
      <h3>{text('licensing.offer.address')}</h3>
      <p className={styles['soft']}>{text('licensing.offer.address.text')}</p>
      <p>
        <a href={address} className={styles['link']}>
          {address}
        </a>{' '}
        <CopyButton value={address} what={text('licensing.offer.address')} />
      </p>
    </div>
  )
}

function Preview({ id }: { id: string }): ReactNode {
  const text = useText()
  const preview = useQuery(previewQuery(id))
  return (
    <section className={styles['card']} aria-labelledby="preview-heading">
      <h3 id="preview-heading">{text('licensing.offer.preview')}</h3>
      <Loaded query={preview} loading={text('ui.loading')} failed={text('licensing.page.not_read')}>
        {(sale) => <SaleView sale={sale} pictures={{ offerId: id }} heading="h4" />}
      </Loaded>
    </section>
  )
}
