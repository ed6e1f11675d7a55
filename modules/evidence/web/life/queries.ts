import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { follow } from '../../../../ui/api/follow.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import {
  agreeEvidence,
  followEvidence,
  generateZipArchive,
  listEvidences,
  previewReport,
  readEvidence,
  readProofHealth,
  rejectEvidence,
  retryEvidence,
  withdrawEvidence,
} from '../../contract/endpoints.ts'
import { evidence as evidenceSchema, type Evidence, type EvidenceStatus } from '../../contract/evidence.ts'
import type { ShownProofHealth } from '../../../../kernel/proof-health.ts'
import { useWork } from '../../../../ui/work/use-work.tsx'
import type { EvidenceToken } from '../held/held-evidences.ts'
import type { Locale } from '../../../../kernel/locale.ts'

export function evidenceQuery(id: string, token: EvidenceToken) {
  return {
    queryKey: ['evidence', id] as const,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<Evidence> =>
      call(readEvidence, { params: { id }, evidenceToken: token, signal }),
  }
}

/** Read anew whenever the page is opened, and when the package was made anew: `stands` is what changes then. */
export function proofHealthQuery(id: string, token: EvidenceToken, stands: string) {
  return {
    queryKey: ['proof-health', id, stands] as const,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<ShownProofHealth> =>
      call(readProofHealth, { params: { id }, evidenceToken: token, signal }),
  }
}

/** All that one key opens: what was asked for with it, and its retries wherever they were made. */
export function heldListQuery(token: string) {
  return {
    queryKey: ['evidences', token] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Evidence[]> => {
      const page = await call(listEvidences, { query: { page_size: 100 }, evidenceToken: token, signal })
      return page.results
    },
  }
}

/** Nothing more will happen to these, except that they are deleted. */
const settled: ReadonlySet<EvidenceStatus> = new Set(['final', 'rejected', 'failed', 'expired'])

/** A report that waits for its anchor is final all the same, and is followed for that: for hours, perhaps. */
const isSettled = ({ status, anchor }: Pick<Evidence, 'status' | 'anchor'>): boolean =>
  settled.has(status) && anchor?.state !== 'pending'

/** A tab that nobody looks at holds no connection for hours: a browser has but six to a server. */
function useIsLookedAt(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => document.visibilityState === 'visible',
    () => true,
  )
}

/**
 * One evidence, read once, then kept current by its event stream: never by asking again and again. `connected` is false while the
 * stream is being made again.
 */
export function useEvidence(id: string, token: EvidenceToken) {
  const client = useQueryClient()
  const query = useQuery(evidenceQuery(id, token))
  const [connected, setConnected] = useState(true)
  const lookedAt = useIsLookedAt()
  const { data: known } = query
  const over = known === undefined || isSettled(known) || (settled.has(known.status) && !lookedAt)
  useEffect(() => {
    if (over) return undefined
    const controller = new AbortController()
    follow(
      followEvidence,
      { params: { id }, evidenceToken: token, signal: controller.signal },
      {
        connected: setConnected,
        event: ({ event, data }) => {
          if (event !== 'evidence') return true
          const parsed = evidenceSchema.safeParse(JSON.parse(data))
          if (!parsed.success) return true
          keepAnswer(client, ['evidence', id], parsed.data)
          void client.invalidateQueries({ queryKey: ['evidences', token] })
          return !isSettled(parsed.data)
        },
      },
    ).catch((error: unknown) => {
      // The stream was refused: what the evidence has become is then read the ordinary way.
      if (error instanceof ApiError) void client.invalidateQueries({ queryKey: ['evidence', id] })
    })
    return () => controller.abort()
  }, [client, id, over, token])
  return { ...query, connected }
}

/** D-07: agree, reject, retry. Each answers the evidence as it has become; a retry answers the new one. */
export function useDecision(id: string, token: EvidenceToken) {
  const client = useQueryClient()
  const keep = (changed: Evidence) => {
    keepAnswer(client, ['evidence', changed.id], changed)
    // A retry also changes the first one, which now points to it.
    if (changed.id !== id) void client.invalidateQueries({ queryKey: ['evidence', id] })
    void client.invalidateQueries({ queryKey: ['evidences', token] })
  }
  const input = { params: { id }, evidenceToken: token }
  const { send, dialog } = useWork('evidence.work.text')
  return {
    /** Shown while the device works for a retry. */
    dialog,
    agree: useMutation({ mutationFn: () => call(agreeEvidence, input), onSuccess: keep }),
    withdraw: useMutation({ mutationFn: () => call(withdrawEvidence, input), onSuccess: keep }),
    reject: useMutation({ mutationFn: () => call(rejectEvidence, input), onSuccess: keep }),
    retry: useMutation({
      /** `with_cookie_option`: and have the cookie banner dismissed. */
      mutationFn: (how: 'as_before' | 'with_cookie_option') =>
        send((work) => {
          const query = { close_cookies: how === 'with_cookie_option' ? 'true' : 'false' }
          return call(retryEvidence, { ...input, query, body: work === undefined ? {} : { work } })
        }),
      onSuccess: keep,
    }),
  }
}

/** C-30: a signed link to the package, made when it is asked for, so that it is fresh. */
export function packageLink(id: string, token: EvidenceToken, full: boolean, language: Locale) {
  return call(generateZipArchive, { params: { id }, query: { full: full ? 'true' : 'false', language }, evidenceToken: token })
}

/** Links live for six hours. */
const linkFreshMs = 5 * 60 * 60 * 1000
const askAgainMs = 2_000

/**
 * C-29: the report of a draft, marked as a preview. Printed when it is first asked for; asked after until it is there, has failed
 * or is late: the server ends the wait. `again` has one that failed or is late printed once more.
 */
export function useReportPreview(id: string, token: EvidenceToken, language: Locale) {
  const client = useQueryClient()
  const queryKey = ['report-preview', id, language] as const
  const ask = (again: boolean, signal?: AbortSignal) =>
    call(previewReport, {
      params: { id },
      query: { language, again: again ? 'true' : 'false' },
      evidenceToken: token,
      ...(signal === undefined ? {} : { signal }),
    })
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask(false, signal),
    staleTime: ({ state }) => (state.data?.status === 'ready' ? linkFreshMs : 0),
    refetchInterval: ({ state }) =>
      state.status !== 'error' && (state.data?.status === 'waiting' || state.data?.status === 'printing') ? askAgainMs : false,
  })
  const again = useMutation({ mutationFn: () => ask(true), onSuccess: (state) => keepAnswer(client, queryKey, state) })
  return { query, again }
}
