import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { newsletterQuery } from '../newsletter-query.ts'

/** Where there is a newsletter. */
export function NewsletterLink(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data } = useQuery(newsletterQuery(locale))
  if (data === undefined || data.mode === 'off') return null
  return (
    <li>
      <Link to="/$locale/support/$/" params={{ locale, _splat: 'newsletter' }}>
        {text('support.page.newsletter.heading')}
      </Link>
    </li>
  )
}
