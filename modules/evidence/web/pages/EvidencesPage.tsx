import { Link, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { HeldEvidences } from '../list/HeldEvidences.tsx'
import { ListSkeleton } from '../../../../ui/list/ListSkeleton.tsx'
import tabs from '../../../../ui/controls/tabs.module.css'
import styles from '../../../../ui/list/rows.module.css'

const EvidenceStats = lazy(async () => ({
  default: (await loadChunk(() => import('../list/EvidenceStats.tsx'))).EvidenceStats,
}))
const AccountEvidences = lazy(async () => ({
  default: (await loadChunk(() => import('../list/AccountEvidences.tsx'))).AccountEvidences,
}))

/** E-28: by category, each with an address of its own. Without an account there is no trash: what is removed was this browser's key. */
export function EvidencesPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { pathname } = useLocation()
  const session = useSession()
  const category = pathname.includes('/completed') ? 'completed' : pathname.includes('/trash') ? 'trash' : 'draft'
  return (
    <div className={styles['page']}>
      <h1>{text('ui.page.evidences')}</h1>
      {session === null ? null : (
        <Suspense fallback={null}>
          <EvidenceStats key={`${session.userId} ${session.delegation ?? ''}`} />
        </Suspense>
      )}
      <nav className={tabs['tabs']} aria-label={text('evidence.list.tabs')}>
        <Link
          to="/$locale/evidences/pending/"
          params={{ locale }}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={category === 'draft' ? 'page' : undefined}
        >
          {text('evidence.list.pending')}
        </Link>
        <Link
          to="/$locale/evidences/completed/"
          params={{ locale }}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={category === 'completed' ? 'page' : undefined}
        >
          {text('evidence.list.completed')}
        </Link>
        {session === null ? null : (
          <Link
            to="/$locale/evidences/trash/"
            params={{ locale }}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={category === 'trash' ? 'page' : undefined}
          >
            {text('evidence.account.trash')}
          </Link>
        )}
      </nav>
      {session === null ? (
        <HeldEvidences completed={category === 'completed'} />
      ) : (
        <Suspense fallback={<ListSkeleton />}>
          <AccountEvidences
            key={`${session.userId} ${session.delegation ?? ''} ${category}`}
            category={category}
            userId={session.userId}
          />
        </Suspense>
      )}
    </div>
  )
}
