import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { sessionsOf } from '../../../../testing/accounts.ts'
import { billingRoutes, planRoutes } from '../routes.ts'

export type CalledWith = {
  readonly userId: string | null
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly url: string
  readonly payload?: object
}

/** One call, over HTTP as it is served. */
export async function callBilling(
  deps: Parameters<typeof billingRoutes>[0],
  { userId, method = 'GET', url, payload }: CalledWith,
) {
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 's'.repeat(32),
    routes: [...planRoutes({ ...deps, isTest: false }), ...billingRoutes(deps)],
    health: {},
    authenticate: sessionsOf(),
  })
  try {
    const headers = userId === null ? {} : { authorization: `Bearer ${userId}` }
    const answer = await server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const body = isJson ? answer.json<Record<string, unknown>>() : {}
    return { status: answer.statusCode, text: answer.body, bytes: answer.rawPayload, headers: answer.headers, body }
  } finally {
    await server.close()
  }
}
