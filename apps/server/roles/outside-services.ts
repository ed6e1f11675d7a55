import type { PageServices } from '../../../kernel/page-services.ts'
import type { Config } from '../../../platform/config/config.ts'
import { scoreFramePath } from '../../../platform/http/pages/score-frame.ts'
import { findPageRoute, mayHaveServices } from '../../web/page-routes.ts'

type Outside = Config['outside']

/** What a page's head says of services of others; null: none is set up that a browser would meet. */
export function servicesOf({ chat, pixel, recording, score }: Outside): (path: string | undefined) => PageServices | null {
  if (chat === null && pixel === null && recording === null && score === null) return () => null
  const framed = score === null ? null : { frame: scoreFramePath, origin: new URL(score.script).origin }
  return (path) => {
    const page = path === undefined ? null : findPageRoute(path)
    return { chat, pixel, recording, score: framed, reachable: page !== null && mayHaveServices(page.pattern) }
  }
}

/** As legal texts name them. */
export function namedServices(outside: Outside): { readonly kind: string; readonly origin: string }[] {
  const { chat, pixel, recording, errors, score } = outside
  const addresses = {
    chat: chat?.address,
    pixel: pixel?.address,
    recording: recording?.address,
    errors: errors?.address,
    score: score?.script,
  }
  return Object.entries(addresses).flatMap(([kind, address]) =>
    address === undefined ? [] : [{ kind, origin: new URL(address).host }],
  )
}
