import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { AccountList } from '../../../../ui/list/AccountList.tsx'
import { ListHead } from '../../../../ui/list/ListHead.tsx'
import { useListView } from '../../../../ui/list/use-list-view.ts'
import rows from '../../../../ui/list/rows.module.css'
import { categories, type InvoiceOnTheWire } from '../../contract/invoices.ts'
import { publicStatuses } from '../../domain/invoice/status.ts'
import { useMoney } from '../components/use-money.ts'
import { ExportInvoices } from '../invoice/ExportInvoices.tsx'
import { InvoicePage } from '../invoice/InvoicePage.tsx'
import { invoiceList, invoiceOrderings, noFilters, type InvoiceView } from '../invoice/list-view.ts'
import { useInvoiceWords } from '../invoice/use-invoice-words.ts'
import { invoicesQuery } from '../invoice/invoices-query.ts'
import account from '../components/billing.module.css'
import styles from '../invoice/invoices.module.css'

/** the list, or the one that the address names. */
export function InvoicesPage(): ReactNode {
  const { _splat = '' } = useParams({ strict: false })
  const [, id = ''] = _splat.split('/')
  return id === '' ? <Invoices /> : <InvoicePage key={id} id={id} />
}

/** C-39, E-36…E-40: what was invoiced, the newest first. */
function Invoices(): ReactNode {
  const text = useText()
  const [view, go] = useListView(invoiceList, './')
  const reading = useQuery({ ...invoicesQuery(view), placeholderData: keepPreviousData })
  return (
    <section className={rows['page']}>
      <div className={styles['top']}>
        <h2>{text('billing.invoices')}</h2>
        <ExportInvoices />
      </div>
      <AccountList
        kind={invoiceList}
        reading={reading}
        view={view}
        empty={
          <div className={rows['empty']}>
            <h3>{text('billing.invoices.empty')}</h3>
            <p>{text('billing.invoices.empty.text')}</p>
          </div>
        }
        nothingFound={{ title: text('billing.invoices.none_found'), text: text('billing.invoices.none_found.text') }}
        renderHead={() => (
          <ListHead<InvoiceView['ordering'], typeof noFilters>
            searchLabel={text('billing.invoices.search')}
            view={view}
            noFilters={noFilters}
            orderings={invoiceOrderings.map((value) => ({ value, label: text(`billing.invoices.order.${value}`) }))}
            bound={null}
            choices={[
              {
                name: 'category',
                label: text('billing.invoices.category'),
                options: categories.map((each) => [each, text(`billing.category.${each}`)]),
              },
              {
                name: 'status',
                label: text('billing.invoices.status'),
                options: publicStatuses.map((each) => [each, text(`billing.invoice.status.${each}`)]),
              },
            ]}
            onView={go}
          />
        )}
        renderRows={({ results, count }, stale) => (
          <div aria-busy={stale}>
            <p role="status" className={account['soft']}>
              {text('billing.invoices.count', { count })}
            </p>
            <ul className={rows['list']}>
              {results.map((each) => (
                <Row key={each.id} invoice={each} />
              ))}
            </ul>
          </div>
        )}
        onView={go}
      />
    </section>
  )
}

function Row(props: { invoice: InvoiceOnTheWire }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const words = useInvoiceWords()
  const { money, day } = useMoney()
  const { invoice } = props
  const [part] = invoice.instalments
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <Link to="/$locale/account/$/" params={{ locale, _splat: `invoice/${invoice.id}` }} className={rows['name']}>
          {words.title(invoice)}
        </Link>
        <p className={account['soft']}>
          {invoice.date === null ? null : `${day(invoice.date)} · `}
          {text(`billing.category.${invoice.category}`)}
          {part === undefined || part.parts === 1
            ? null
            : ` · ${text('billing.quote.part', { part: part.part, parts: part.parts })}`}
        </p>
      </div>
      <div className={styles['figures']}>
        <strong>{invoice.kind === 'credit_note' ? `\u2212${money(invoice.gross_cents)}` : money(invoice.gross_cents)}</strong>
        <span className={account['soft']}>
          {text('billing.invoices.parts', { net: money(invoice.net_cents), vat: money(invoice.vat_cents) })}
        </span>
      </div>
      <Badge tone={words.tone(invoice)}>{words.status(invoice)}</Badge>
    </li>
  )
}
