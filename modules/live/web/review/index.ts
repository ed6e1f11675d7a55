/** What reviews a live session, in one chunk. */
export { SessionExchanges } from './SessionExchanges.tsx'
export { SessionFacts } from './SessionFacts.tsx'
export { SessionReview } from './SessionReview.tsx'
export { SessionShots } from './SessionShots.tsx'
