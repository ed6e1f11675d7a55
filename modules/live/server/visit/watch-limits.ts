/** Told while it can still matter: that a session has nearly, or all, of the octets that it may carry. */
import type { Tunnel } from '../../../capture/server/index.ts'
import type { LiveNotice } from '../../contract/live.ts'
import type { Timeline } from '../session/timeline/timeline.ts'

const lookEveryMs = 1_000
/** Told once this share is used. */
const nearly = 0.9

/** @returns ends it */
export function watchLimits(deps: {
  readonly tunnel: Pick<Tunnel, 'totals' | 'events'>
  readonly limitBytes: number
  readonly timeline: Timeline
  readonly tell: (code: LiveNotice, data: Readonly<Record<string, string | number>>) => void
}): () => void {
  const { tunnel, limitBytes } = deps
  let [near, reached] = [false, false]
  const bytes = () => tunnel.totals().bytes_sent + tunnel.totals().bytes_received
  const say = (code: 'limit_bytes_near' | 'limit_bytes') => {
    const data = { bytes: bytes(), limit_bytes: limitBytes }
    deps.timeline.add('warning', { code, ...data })
    deps.tell(code, data)
  }
  const timer = setInterval(() => {
    if (near || reached || bytes() < nearly * limitBytes) return
    near = true
    say('limit_bytes_near')
  }, lookEveryMs)
  timer.unref()
  // What would go past the limit is not carried: it is not the count that says so, but what was cut or refused.
  const cut = (record: { readonly cut: string | null; readonly refusal: { readonly reason: string } | null }) => {
    if (reached || (record.cut !== 'bytes_total' && record.refusal?.reason !== 'bytes_total')) return
    reached = true
    say('limit_bytes')
  }
  tunnel.events.on('closed', cut)
  tunnel.events.on('refused', cut)
  return () => {
    clearInterval(timer)
    tunnel.events.off('closed', cut)
    tunnel.events.off('refused', cut)
  }
}
