import { z } from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { route, type Route } from './route.ts'

/** A dependency: resolves to a few words on its state, throws when it fails. */
export type HealthChecks = Readonly<Record<string, () => Promise<string>>>

const checkTimeoutMs = 5_000

export const healthPath = '/health/'

const healthEndpoint = endpoint({
  method: 'GET',
  path: healthPath,
  summary: 'Say of each dependency whether it works; 503 when one does not',
  access: ['open'],
  response: z.object({
    status: z.enum(['ok', 'failing']),
    version: z.string(),
    checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
  }),
  alsoAnswers: [503],
})

async function runCheck(check: () => Promise<string>): Promise<{ ok: boolean; detail: string }> {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${checkTimeoutMs / 1000} s`)), checkTimeoutMs)
  try {
    return { ok: true, detail: await Promise.race([check(), late.promise]) }
  } catch (error) {
    // Anyone may read this page: the class of the failure helps an operator, its message could hold addresses or names.
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
    return { ok: false, detail: `failing${code}` }
  } finally {
    clearTimeout(timer)
  }
}

export function healthRoute(version: string, checks: HealthChecks): Route {
  return route(healthEndpoint, async ({ reply }) => {
    const results = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const))
    const ok = results.every(([, result]) => result.ok)
    if (!ok) reply.code(503)
    return { status: ok ? ('ok' as const) : ('failing' as const), version, checks: Object.fromEntries(results) }
  })
}
