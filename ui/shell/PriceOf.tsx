import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale } from '../intl/text.tsx'
import { prices } from './prices.ts'

/** What one costs to whoever has no plan, in words that came with the page; nothing where nothing is paid for. */
export function PriceOf(props: { what: 'evidence' | 'document' }): ReactNode {
  const locale = useLocale()
  return prices === null ? null : (
    <p>
      {prices[props.what]}{' '}
      <Link to="/$locale/plans/" params={{ locale }}>
        {prices.plans}
      </Link>
    </p>
  )
}
