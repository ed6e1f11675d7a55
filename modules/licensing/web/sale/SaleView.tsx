import type { ReactNode } from 'react'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import { Rosette } from '../../../../ui/controls/Rosette.tsx'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Sale } from '../../contract/sales.ts'
import type { PictureOf } from '../components/queries.ts'
import { Terms } from '../components/Terms.tsx'
import { useMoney } from '../components/use-money.ts'
import { BlurredPicture } from './BlurredPicture.tsx'
import { SealProof } from './SealProof.tsx'
import styles from '../components/licensing.module.css'

/** What a buyer sees of an offer; its seller sees the same before he opens it. @param props.buy the way to buy it, where there is one */
export function SaleView(props: { sale: Sale; pictures: PictureOf; heading: 'h1' | 'h4'; buy?: ReactNode }): ReactNode {
  const text = useText()
  const { sale, pictures, heading: Heading } = props
  const token = 'saleToken' in pictures ? pictures.saleToken : null
  return (
    // On a narrow page the price is read before the terms; on a wide one it stands beside the title, and the way to buy below it.
    <div className={props.buy === undefined ? styles['section'] : styles['beside']}>
      <div className={styles['section']}>
        <Heading>{text('licensing.sale.title', { count: sale.reports.length })}</Heading>
        <p className={styles['soft']}>{text('licensing.sale.by', { seller: visible(sale.seller_name) })}</p>
      </div>
      <Price sale={sale} />
      <div className={styles['section']}>
        {sale.description === '' ? null : (
          <p className={styles['words']}>{sale.description.split('\n').map(visible).join('\n')}</p>
        )}
        <ul className={styles['reports']}>
          {sale.reports.map((report) => (
            <Report key={report.number} report={report} pictures={pictures} token={token} />
          ))}
        </ul>
        <Terms version={sale.terms} />
      </div>
      {props.buy}
    </div>
  )
}

function Price({ sale }: { sale: Sale }): ReactNode {
  const text = useText()
  const money = useMoney()
  const { price, remaining } = sale
  if (price === null) return null
  return (
    <div className={styles['price']}>
      <strong>{money(price.gross_cents)}</strong>
      <span>
        {text('licensing.sale.price', {
          net: money(price.net_cents),
          vat: money(price.vat_cents),
          rate: price.vat_basis_points / 100,
        })}
      </span>
      <span className={styles['soft']}>
        {remaining === null ? text('licensing.sale.unlimited') : text('licensing.sale.remaining', { count: remaining })}
      </span>
    </div>
  )
}

function Report(props: { report: Sale['reports'][number]; pictures: PictureOf; token: string | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { report } = props
  return (
    <li className={styles['report']}>
      {report.picture ? (
        <BlurredPicture of={props.pictures} number={report.number} />
      ) : (
        <p>{text('licensing.page.no_picture')}</p>
      )}
      <div className={styles['section']}>
        <p>
          <strong>
            <PageAddress url={report.page_url} />
          </strong>
          <br />
          {text('licensing.sale.captured', { at: formatExact(report.captured_at, locale) })}
        </p>
      </div>
      <details className={styles['whole']}>
        <summary>{text('licensing.page.proof')}</summary>
        <div className={styles['section']}>
          <p className={styles['soft']}>{text('licensing.page.proof.why')}</p>
          <Rosette
            root={report.seal.root}
            title={(root) => text('licensing.page.rosette', { root })}
            hint={text('licensing.page.rosette.hint')}
          />
          <SealProof token={props.token} report={report} />
        </div>
      </details>
    </li>
  )
}
