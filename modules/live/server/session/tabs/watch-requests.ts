/** What a tab and its frames ask for, told once each is answered or has failed. */
import type { CdpSession } from '../../../../../platform/browser/cdp-connection.ts'

export type AnsweredRequest = {
  readonly method: string
  readonly url: string
  readonly status: number | null
  readonly kind: string
  /** net::ERR_… of what was not answered. */
  readonly failure: string | null
}

/** Requests that wait for an answer; of a page that has more they are left out of the timeline, not of the record. */
const mostWaiting = 5_000

/** @returns to be called with each session of the tab */
export function watchRequests(answered: (request: AnsweredRequest) => void): (session: CdpSession) => void {
  const asked = new Map<string, { readonly method: string; readonly url: string }>()
  return (own) => {
    own.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse, type }) => {
      if (/^(?:data|blob|chrome)/i.test(request.url)) return
      const before = asked.get(requestId)
      if (redirectResponse !== undefined && before !== undefined)
        answered({ ...before, status: redirectResponse.status, kind: type ?? 'Other', failure: null })
      if (asked.size >= mostWaiting) asked.clear()
      asked.set(requestId, { method: request.method.slice(0, 20), url: request.url })
    })
    own.on('Network.responseReceived', ({ requestId, response, type }) => {
      const request = asked.get(requestId)
      if (request === undefined) return
      asked.delete(requestId)
      answered({ ...request, status: response.status === 0 ? null : response.status, kind: type, failure: null })
    })
    own.on('Network.loadingFailed', ({ requestId, errorText, type }) => {
      const request = asked.get(requestId)
      if (request === undefined) return
      asked.delete(requestId)
      answered({ ...request, status: null, kind: type, failure: errorText.slice(0, 100) })
    })
  }
}
