import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Locale } from '../../../../kernel/locale.ts'

/** For the `<a>` of a sentence that leads to a deposit. */
export function depositLink(locale: Locale, id: string): (words: ReactNode) => ReactNode {
  return (words) => (
    <Link to="/$locale/documents/deposit/$id/" params={{ locale, id }}>
      {words}
    </Link>
  )
}
