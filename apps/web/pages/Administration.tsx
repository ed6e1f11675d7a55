import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useText } from '../../../ui/intl/text.tsx'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'
import { NotFoundPage } from '../../../ui/shell/ErrorPages.tsx'

const UsersPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/review/web/pages/UsersPage.tsx'))).UsersPage,
}))
const ActsPage = lazy(async () => {
  const { loadActs } = await loadChunk(() => import('./load-acts.ts'))
  return { default: (await loadActs()).ActsPage }
})
const UserPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/review/web/pages/UserPage.tsx'))).UserPage,
}))

/** H-20: the pages of staff, of whichever module. */
export function Administration(): ReactNode {
  const text = useText()
  const { _splat = '' } = useParams({ strict: false })
  const [page = '', id] = _splat.split('/').filter((segment) => segment !== '')
  const users = id === undefined ? <UsersPage /> : <UserPage key={id} id={id} />
  const shown = page === 'users' ? users : page === 'acts' ? <ActsPage /> : <NotFoundPage />
  return <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>{shown}</Suspense>
}
