import { lazy } from 'react'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'

/**
 * What other pages show of a live session. Only what reads a link is loaded with them: the viewer and its decoders come when there
 * is a session to look at, its review when there is one.
 */
export { readLiveLink, type LiveLink } from './links/hand-off.ts'
export type { Focus } from './review/SessionReview.tsx'

export const LiveScreen = lazy(async () => ({ default: (await loadChunk(() => import('./screen/LiveScreen.tsx'))).LiveScreen }))
export const TakeOver = lazy(async () => ({ default: (await loadChunk(() => import('./links/TakeOver.tsx'))).TakeOver }))

const review = () => loadChunk(() => import('./review/index.ts'))
export const SessionReview = lazy(async () => ({ default: (await review()).SessionReview }))
export const SessionShots = lazy(async () => ({ default: (await review()).SessionShots }))
export const SessionFacts = lazy(async () => ({ default: (await review()).SessionFacts }))
export const SessionExchanges = lazy(async () => ({ default: (await review()).SessionExchanges }))
