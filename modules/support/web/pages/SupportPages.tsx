import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NewsletterPage } from './NewsletterPage.tsx'
import { RequestPage } from './RequestPage.tsx'
import { SupportPage } from './SupportPage.tsx'

/** what stands below `/support/`. */
export function SupportPages(): ReactNode {
  const { _splat = '' } = useParams({ strict: false })
  const [page, id] = _splat.split('/').filter((segment) => segment !== '')
  if (page === 'newsletter') return <NewsletterPage />
  return page === 'requests' && id !== undefined ? <RequestPage key={id} id={id} /> : <SupportPage />
}
