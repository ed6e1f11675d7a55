import { useQuery } from '@tanstack/react-query'
import type { EvidenceSession } from '../../../evidence/contract/session-review.ts'
import { readTimeline } from './read-timeline.ts'

/** It is sealed: read once, whichever tab asks. The link expires, its content does not. */
export function useTimeline({ timeline }: EvidenceSession) {
  return useQuery({
    queryKey: ['timeline', timeline.head],
    queryFn: ({ signal }) => readTimeline(timeline.url ?? '', signal),
    enabled: timeline.url !== null,
    staleTime: Number.POSITIVE_INFINITY,
    // Some ten thousand objects: let go of when nobody looks.
    gcTime: 60_000,
    // Compared member by member, it would cost more than reading it.
    structuralSharing: false,
  })
}
