import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { withWholeNames } from '../../../../ui/intl/whole.tsx'
import { AccountList } from '../../../../ui/list/AccountList.tsx'
import { InBar } from '../../../../ui/list/InBar.tsx'
import { ListHead } from '../../../../ui/list/ListHead.tsx'
import { ListRow } from '../../../../ui/list/ListRow.tsx'
import { Rows } from '../../../../ui/list/Rows.tsx'
import { useListView } from '../../../../ui/list/use-list-view.ts'
import rows from '../../../../ui/list/rows.module.css'
import { categories, type InvoiceOnTheWire } from '../../contract/invoices.ts'
import { publicStatuses } from '../../domain/invoice/status.ts'
import { useMoney } from '../components/use-money.ts'
import { TestPaymentsHere } from '../components/TestPayments.tsx'
import { ExportInvoices } from '../invoice/ExportInvoices.tsx'
import { InvoicePage } from '../invoice/InvoicePage.tsx'
import { invoiceList, invoiceOrderings, noFilters, type InvoiceView } from '../invoice/list-view.ts'
import { useInvoiceWords } from '../invoice/use-invoice-words.ts'
import { invoicesQuery } from '../invoice/invoices-query.ts'
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
  const none = reading.data?.count === 0 && invoiceList.isPlain(view)
  return (
    <section className={rows['page']}>
      <TestPaymentsHere />
      {none ? null : <ExportInvoices />}
      <AccountList
        kind={invoiceList}
        reading={reading}
        view={view}
        empty={
          <div className={rows['empty']}>
            <h2>{text('billing.invoices.empty')}</h2>
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
          <>
            <InBar>
              <p role="status" className={rows['soft']}>
                {text('billing.invoices.count', { count })}
              </p>
            </InBar>
            <Rows busy={stale}>
              {results.map((each) => (
                <Row key={each.id} invoice={each} />
              ))}
            </Rows>
          </>
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
  const amount = invoice.kind === 'credit_note' ? `\u2212${money(invoice.gross_cents)}` : money(invoice.gross_cents)
  return (
    <ListRow
      name={
        <Link to="/$locale/account/$/" params={{ locale, _splat: `invoice/${invoice.id}` }} className={rows['name']} data-open="">
          {withWholeNames(words.title(invoice))}
        </Link>
      }
      aside={text('billing.invoices.parts', {
        kind: invoice.kind,
        net: money(invoice.net_cents),
        vat: money(invoice.vat_cents),
      })}
      more={
        <>
          {invoice.date === null ? null : `${day(invoice.date)} · `}
          {text(`billing.category.${invoice.category}`)}
          {part === undefined || part.parts === 1
            ? null
            : ` · ${text('billing.quote.part', { part: part.part, parts: part.parts })}`}
        </>
      }
      figure={<span className={rows['figure']}>{amount}</span>}
      status={
        <span className={styles['state']}>
          <Badge tone={words.tone(invoice)}>{words.status(invoice)}</Badge>
        </span>
      }
    />
  )
}
