import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { offersQuery, statsQuery } from '../components/queries.ts'
import { useMoney } from '../components/use-money.ts'
import { NewOffer } from '../offer/NewOffer.tsx'
import { OneOffer, toneOf } from '../offer/OneOffer.tsx'
import styles from '../components/licensing.module.css'

/** H-03: what the account sells, or the offer that the address names. */
export function OffersPage(): ReactNode {
  const { _splat = '' } = useParams({ strict: false })
  const [, id = ''] = _splat.split('/')
  if (id === 'new') return <NewOffer />
  return id === '' ? <Offers /> : <OneOffer key={id} id={id} />
}

const pageSize = 20

function Offers(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const money = useMoney()
  const [page, setPage] = useState(1)
  const offers = useQuery(offersQuery(page))
  return (
    <section className={styles['page']}>
      <div className={styles['section']}>
        <p className={styles['soft']}>{text('licensing.offers.lead')}</p>
        <p className={styles['actions']}>
          <Button
            size="md"
            renderRoot={(root) => <Link to="/$locale/account/$/" params={{ locale, _splat: 'licenses/new' }} {...root} />}
          >
            {text('licensing.offer.new')}
          </Button>
          <Link to="/$locale/evidences/licenses/" params={{ locale }}>
            {text('licensing.offers.licenses')}
          </Link>
        </p>
      </div>
      <Stats />
      <Loaded query={offers} loading={text('ui.loading')} failed={text('licensing.page.not_read')}>
        {({ results, count }) =>
          count === 0 ? (
            <p>{text('licensing.offers.none')}</p>
          ) : (
            <>
              <ul className={styles['reports']}>
                {results.map((offer) => (
                  <li key={offer.id} className={styles['row']}>
                    <span className={styles['what']}>
                      <Link to="/$locale/account/$/" params={{ locale, _splat: `licenses/${offer.id}` }}>
                        {visible(offer.reports[0]?.page_url ?? '–')}
                      </Link>
                      <br />
                      <span className={styles['soft']}>
                        {text('licensing.offers.row', { reports: offer.reports.length, licenses: offer.licenses })}
                      </span>
                    </span>
                    <strong className={styles['figure']}>
                      {text('licensing.price.net', { price: money(offer.price_cents) })}
                    </strong>
                    <Badge tone={toneOf[offer.status]}>{text(`licensing.offer.status.${offer.status}`)}</Badge>
                  </li>
                ))}
              </ul>
              <Pager
                page={page}
                pages={Math.max(1, Math.ceil(count / pageSize))}
                words={{
                  label: text('licensing.offers.title'),
                  previous: text('licensing.offers.previous'),
                  next: text('licensing.offers.next'),
                  place: text('licensing.offers.place', { page, pages: Math.max(1, Math.ceil(count / pageSize)) }),
                }}
                onPage={setPage}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** C-50. */
function Stats(): ReactNode {
  const text = useText()
  const money = useMoney()
  const stats = useQuery(statsQuery)
  return (
    <Loaded query={stats} loading={text('ui.loading')} failed={text('licensing.page.not_read')}>
      {({ sold, sold_net_cents, fee_cents, earned_cents, open_offers }) => (
        <dl className={styles['tallies']} aria-label={text('licensing.stats')}>
          {(
            [
              ['open', open_offers],
              ['month', sold.current],
              ['before', sold.previous],
              ['all', sold.total],
              ['net', money(sold_net_cents)],
              ['fee', money(fee_cents)],
              ['earned', money(earned_cents)],
            ] as const
          ).map(([name, value]) => (
            <div key={name}>
              <dt>{text(`licensing.stats.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Loaded>
  )
}
