import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { loadChunk } from './chunk-failure.ts'
import { noticesWanted, onNoticesWanted } from './notify.ts'

const Notifications = lazy(async () => ({ default: (await loadChunk(() => import('@mantine/notifications'))).Notifications }))

/** Where notices appear; fetched with the first of them. */
export function Notices(): ReactNode {
  if (!useSyncExternalStore(onNoticesWanted, noticesWanted)) return null
  return (
    <Suspense fallback={null}>
      <Notifications position="bottom-right" zIndex={3000} />
    </Suspense>
  )
}
