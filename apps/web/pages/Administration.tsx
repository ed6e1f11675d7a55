import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { currentUserQuery } from '../../../modules/account/web/index.ts'
import tabs from '../../../ui/controls/tabs.module.css'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'
import { NotFoundPage } from '../../../ui/shell/ErrorPages.tsx'
import styles from './administration.module.css'

const UsersPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/review/web/pages/UsersPage.tsx'))).UsersPage,
}))
const ActsPage = lazy(async () => {
  const { loadActs } = await loadChunk(() => import('./load-acts.ts'))
  return { default: (await loadActs()).ActsPage }
})
const ServersPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/capture/web/pages/ServersPage.tsx'))).ServersPage,
}))
const UserPage = lazy(async () => ({
  default: (await loadChunk(() => import('../../../modules/review/web/pages/UserPage.tsx'))).UserPage,
}))

/** H-20: the pages of staff, of whichever module. */
export function Administration(): ReactNode {
  const text = useText()
  const { _splat = '' } = useParams({ strict: false })
  const [page = '', id] = _splat.split('/').filter((segment) => segment !== '')
  const users = id === undefined ? <UsersPage /> : <UserPage key={id} id={id} />
  const shown =
    page === 'users' ? users : page === 'servers' ? <ServersPage /> : page === 'acts' ? <ActsPage /> : <NotFoundPage />
  return (
    <div className={styles['page']}>
      <Areas page={page} />
      <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>{shown}</Suspense>
    </div>
  )
}

/** Whoever has but one page needs no way to others. */
function Areas(props: { page: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data: me } = useQuery(currentUserQuery)
  if (me?.roles.includes('administrator') !== true) return null
  return (
    <nav className={tabs['tabs']} aria-label={text('review.page.staff')}>
      {(['users', 'servers', 'acts'] as const).map((area) => (
        <Link
          key={area}
          to="/$locale/admin/$/"
          params={{ locale, _splat: area }}
          preload={false}
          aria-current={area === props.page ? 'page' : undefined}
        >
          {text(`ui.page.${area}`)}
        </Link>
      ))}
    </nav>
  )
}
