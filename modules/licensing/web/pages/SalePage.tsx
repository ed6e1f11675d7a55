import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { NotRead } from '../components/NotRead.tsx'
import { saleQuery } from '../components/queries.ts'
import { BuyLicense, type Elsewhere } from '../sale/BuyLicense.tsx'
import { SaleView } from '../sale/SaleView.tsx'
import styles from '../components/licensing.module.css'

/** R-06, P-03: what is for sale at this address, its proof, and the way to a licence of it. */
export function SalePage(props: Elsewhere): ReactNode {
  const text = useText()
  const { token = '' } = useParams({ strict: false })
  const { data: sale, error, refetch } = useQuery(saleQuery(token))
  if (sale === undefined)
    return (
      <NotRead
        missing={{ title: text('licensing.sale.missing'), text: text('licensing.sale_unknown') }}
        error={error}
        onAgain={() => void refetch()}
      />
    )
  const buy = sale.own ? (
    <p className={styles['notice']}>{text('licensing.own_sale')}</p>
  ) : (
    <BuyLicense {...props} sale={sale} token={token} />
  )
  if (sale.status === 'stopped')
    return (
      <div className={styles['page']}>
        <div className={`${styles['section']} ${styles['measure']}`}>
          <h1>{text('licensing.sale.stopped')}</h1>
          <p>{text('licensing.sale_stopped')}</p>
          {sale.license === null ? null : buy}
        </div>
      </div>
    )
  return (
    <div className={styles['page']}>
      <SaleView sale={sale} pictures={{ saleToken: token }} heading="h1" buy={buy} />
    </div>
  )
}
