import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'

/** whoever is told to write to support goes there from where he reads it. */
export function SupportLink(): ReactNode {
  const text = useText()
  return (
    <Link to="/$locale/support/$/" params={{ locale: useLocale(), _splat: '' }}>
      {text('billing.support')}
    </Link>
  )
}
