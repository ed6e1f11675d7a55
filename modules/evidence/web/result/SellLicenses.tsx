import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { prices } from '../../../../ui/shell/prices.ts'
import type { Evidence } from '../../contract/evidence.ts'
import styles from './result.module.css'

/** E-29, H-18: the way to an offer of this report, and what its being sold means for it. Where nothing is paid for there is none. */
export function SellLicenses({ evidence }: { evidence: Evidence }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  if (prices === null || session === null || evidence.owner === null) return null
  return (
    <section className={styles['section']} aria-labelledby="sell-heading">
      <h2 id="sell-heading">{text('evidence.sell.heading')}</h2>
      <p>{text(evidence.sale === 'none' ? 'evidence.sell.text' : `evidence.sell.${evidence.sale}`)}</p>
      <p className={styles['downloads']}>
        <Button
          size="md"
          variant="default"
          renderRoot={(root) => (
            <Link
              to="/$locale/account/$/"
              params={{ locale, _splat: 'licenses/new' }}
              search={{ evidence: evidence.id }}
              {...root}
            />
          )}
        >
          {text('evidence.sell.action')}
        </Button>
        {evidence.sale === 'none' ? null : (
          <Link to="/$locale/account/$/" params={{ locale, _splat: 'licenses' }}>
            {text('evidence.sell.sales')}
          </Link>
        )}
      </p>
    </section>
  )
}
