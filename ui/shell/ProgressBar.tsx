import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './progress-bar.module.css'

/** L-21: shows that something is on its way: a page, an answer. Decorative for screen readers, which have the live regions. */
export function ProgressBar(): ReactNode {
  const navigating = useRouterState({ select: (state) => state.status === 'pending' })
  const fetching = useIsFetching()
  const mutating = useIsMutating()
  if (!navigating && fetching + mutating === 0) return null
  return <div className={styles['bar']} aria-hidden="true" data-progress="" />
}
