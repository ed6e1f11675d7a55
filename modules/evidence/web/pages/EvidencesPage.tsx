import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { EvidenceTabs } from '../list/EvidenceTabs.tsx'
import { HeldEvidences } from '../list/HeldEvidences.tsx'
import { ListSkeleton } from '../../../../ui/list/ListSkeleton.tsx'
import styles from '../../../../ui/list/rows.module.css'

const EvidenceStats = lazy(async () => ({
  default: (await loadChunk(() => import('../list/EvidenceStats.tsx'))).EvidenceStats,
}))
const AccountEvidences = lazy(async () => ({
  default: (await loadChunk(() => import('../list/AccountEvidences.tsx'))).AccountEvidences,
}))

/** E-28: what stands here by category. */
export function EvidencesPage(): ReactNode {
  const text = useText()
  const { pathname } = useLocation()
  const session = useSession()
  const category = pathname.includes('/completed') ? 'completed' : pathname.includes('/trash') ? 'trash' : 'draft'
  return (
    <div className={styles['page']}>
      <div className={styles['top']}>
        <h1>{text(`ui.page.evidences.${category === 'draft' ? 'pending' : category}`)}</h1>
        {/* They say nothing of what was thrown away. */}
        {session === null || category === 'trash' ? null : (
          <Suspense fallback={null}>
            <EvidenceStats key={`${session.userId} ${session.delegation ?? ''}`} />
          </Suspense>
        )}
      </div>
      <EvidenceTabs current={category === 'draft' ? 'pending' : category} />
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
