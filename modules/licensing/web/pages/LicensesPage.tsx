import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { TabLinks } from '../../../../ui/controls/TabStrip.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { withWholeNames } from '../../../../ui/intl/whole.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { AccountList } from '../../../../ui/list/AccountList.tsx'
import { InBar } from '../../../../ui/list/InBar.tsx'
import { ListHead } from '../../../../ui/list/ListHead.tsx'
import { useListView } from '../../../../ui/list/use-list-view.ts'
import rows from '../../../../ui/list/rows.module.css'
import { EvidenceTabs } from '../../../evidence/web/index.ts'
import { listLicenses, type License } from '../../contract/licenses.ts'
import { licenseStatuses } from '../../domain/status.ts'
import { licensingKey } from '../components/queries.ts'
import { useMoney } from '../components/use-money.ts'
import { LicenseFiles } from '../license/LicenseFiles.tsx'
import { licenseList, licenseOrderings, noFilters, toQuery, type LicenseView } from '../license/list-view.ts'
import styles from '../components/licensing.module.css'

const licensesQuery = (view: LicenseView) => ({
  queryKey: [...licensingKey, 'licenses', view] as const,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
    ...(await call(listLicenses, { query: toQuery(view), signal })),
    // Of licences all are counted.
    count_capped: false,
  }),
})

/** R-15, C-44, X-55: licences that were bought, and those of one’s own reports. */
export function LicensesPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [view, go] = useListView(licenseList, '/$locale/evidences/licenses/')
  const reading = useQuery({ ...licensesQuery(view), placeholderData: keepPreviousData })
  const side = view.side ?? 'bought'
  return (
    <div className={rows['page']}>
      <h1>{text('ui.page.evidences.licenses')}</h1>
      <EvidenceTabs current="licenses" />
      <TabLinks label={text('licensing.licenses.sides')}>
        {(['bought', 'sold'] as const).map((each) => (
          <Link
            key={each}
            to="/$locale/evidences/licenses/"
            params={{ locale }}
            search={each === 'sold' ? { side: each } : {}}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={each === side ? 'page' : undefined}
          >
            {text(`licensing.licenses.${each}`)}
          </Link>
        ))}
      </TabLinks>
      <AccountList
        kind={licenseList}
        reading={reading}
        view={view}
        empty={<None of={side} />}
        nothingFound={{ title: text('licensing.licenses.none_found'), text: text(`licensing.licenses.none.${side}`) }}
        renderHead={() => (
          <ListHead<LicenseView['ordering'], typeof noFilters>
            searchLabel={text('licensing.licenses.search')}
            view={view}
            noFilters={{ ...noFilters, side: view.side }}
            orderings={licenseOrderings.map((value) => ({ value, label: text(`licensing.licenses.order.${value}`) }))}
            bound={null}
            choices={[
              {
                name: 'status',
                label: text('licensing.licenses.status'),
                options: licenseStatuses.map((each) => [each, text(`licensing.license.status.${each}`)]),
              },
            ]}
            onView={go}
          />
        )}
        renderRows={({ results, count }, stale) => (
          <div aria-busy={stale}>
            <InBar>
              <p role="status" className={rows['soft']}>
                {text('licensing.licenses.count', { count })}
              </p>
            </InBar>
            <ul className={rows['list']}>
              {results.map((each) => (
                <Row key={each.id} license={each} />
              ))}
            </ul>
          </div>
        )}
        onView={go}
      />
    </div>
  )
}

function None({ of }: { of: 'bought' | 'sold' }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <div className={rows['empty']}>
      <h2>{text('licensing.licenses.none_yet')}</h2>
      <p>{text(`licensing.licenses.none.${of}`)}</p>
      {of === 'sold' ? null : (
        <p>
          <Link to="/$locale/sale/" params={{ locale }}>
            {text('licensing.licenses.none.find')}
          </Link>
        </p>
      )}
    </div>
  )
}

const toneOf = { pending: 'caution', paid: 'accent', active: 'good', lapsed: 'plain', revoked: 'bad' } as const

function Row({ license }: { license: License }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const money = useMoney()
  const { beneficiary, reports, fee_cents: fee } = license
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>
          {license.number === null
            ? text('licensing.license.unpaid')
            : withWholeNames(text('licensing.verify.title', { number: license.number }))}
        </strong>
        <br />
        {reports.map(({ page_url, root }) => (
          <span key={root}>
            {visible(page_url)}
            <br />
          </span>
        ))}
        <span className={styles['soft']}>
          {visible(`${beneficiary.first_name} ${beneficiary.last_name}`)}
          {beneficiary.company === '' ? null : `, ${visible(beneficiary.company)}`} · {formatInstant(license.date, locale)}
        </span>
      </div>
      <span className={styles['figure']}>
        <strong>{text('licensing.price.net', { price: money(license.price_cents) })}</strong>
        {fee === null ? null : (
          <>
            <br />
            <span className={styles['soft']}>
              {text('licensing.license.earned', { amount: money(license.price_cents - fee) })}
            </span>
          </>
        )}
      </span>
      <Badge tone={toneOf[license.status]}>{text(`licensing.license.status.${license.status}`)}</Badge>
      <div className={styles['whole']}>
        <LicenseFiles license={license} />
        <div className={styles['links']}>
          {license.code === null ? null : (
            <Link to="/$locale/licence/$code/" params={{ locale, code: license.code }}>
              {text('licensing.license.verify')}
            </Link>
          )}
          {license.status === 'pending' && license.sale_token !== null ? (
            <Link to="/$locale/sale/$token/" params={{ locale, token: license.sale_token }}>
              {text('licensing.license.to_pay')}
            </Link>
          ) : null}
          {license.invoice === null || license.number === null ? null : (
            <Link to="/$locale/account/$/" params={{ locale, _splat: `invoice/${license.invoice}` }}>
              {text('licensing.license.invoice')}
            </Link>
          )}
        </div>
      </div>
    </li>
  )
}
