import type { Clock } from '../../../../kernel/clock.ts'
import { builtFile, isPagePattern, scrubMessage, scrubName } from '../../../../kernel/reported-error.ts'
import { createRateLimit } from '../../../../platform/http/request/rate-limit.ts'
import { route, type Route } from '../../../../platform/http/route.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { reportClientError } from '../../contract/client-errors.ts'

/** Of all pages together: strangers do not fill the operator's log. */
const allPages = { burst: 60, perMinute: 20 }

/** Which browser, without what would tell one visitor from another. */
function browserOf(agent: string): string {
  const [, name, version] =
    /(Firefox|Edg|OPR|Chrome)\/(\d{1,4})/.exec(agent) ?? /(Version)\/(\d{1,4})[\d.]* .*Safari/.exec(agent) ?? []
  return name === undefined ? 'other' : `${name === 'Version' ? 'Safari' : name} ${version ?? ''}`
}

/** T-05: errors of pages stand in the log beside those of the server; who hears of the log's errors hears of them. */
export function clientErrorRoutes(deps: { readonly log: Log; readonly clock: Clock }): Route[] {
  const limit = createRateLimit(allPages)
  return [
    route(reportClientError, async ({ body, request }) => {
      limit.take('all', deps.clock.now().getTime())
      const page_error = {
        name: scrubName(body.name),
        message: scrubMessage(body.message),
        page: isPagePattern(body.page) ? body.page : '…',
        browser: browserOf(request.headers['user-agent'] ?? ''),
        frames: body.frames.flatMap(({ file, name, line, column }) => {
          const ours = builtFile(file)
          return ours === null ? [] : [{ file: ours, name: /^[\w$. #]{0,80}$/.test(name) ? name : '', line, column }]
        }),
      }
      deps.log.error({ page_error }, 'an error in a page, as a browser tells of it')
      return await Promise.resolve({ status: 'taken' } as const)
    }),
  ]
}
