import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { SupportPage } from './SupportPage.tsx'

/** To write is what most come for: each of the others is a chunk of its own. */
const NewsletterPage = lazy(async () => ({
  default: (await loadChunk(() => import('./NewsletterPage.tsx'))).NewsletterPage,
}))
const RequestPage = lazy(async () => ({
  default: (await loadChunk(() => import('./RequestPage.tsx'))).RequestPage,
}))

/** what stands below `/support/`. */
export function SupportPages(): ReactNode {
  const text = useText()
  const { _splat = '' } = useParams({ strict: false })
  const [page, id] = _splat.split('/').filter((segment) => segment !== '')
  if (page !== 'newsletter' && (page !== 'requests' || id === undefined)) return <SupportPage />
  return (
    <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
      {page === 'newsletter' ? <NewsletterPage /> : <RequestPage key={id} id={id ?? ''} />}
    </Suspense>
  )
}
