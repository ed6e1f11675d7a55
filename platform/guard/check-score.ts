import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { Notes } from '../log/log.ts'

export type ScoreService = {
  readonly secret: string
  /** Lowest score that is taken, from 0 to 1. */
  readonly least: number
  /** Where the score of a token is asked for. */
  readonly verify: string
}

/** What a token is asked for, in the page and here. */
export const scoredAction = 'support'

/** `siteverify`, as reCAPTCHA version 3 answers (developers.google.com/recaptcha/docs/v3, “Site Verify Response”). */
const verdict = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  action: z.string().optional(),
  hostname: z.string().optional(),
  challenge_ts: z.iso.datetime({ offset: true }).optional(),
  'error-codes': z.array(z.string()).optional(),
})

/** Whoever waits for an answer meanwhile looks at a form that does not move. */
const patienceMs = 4000
/** Tokens live two minutes; two clocks may differ. */
const longestMs = 5 * 60_000
const largestBytes = 16_384

/** Why a score was not enough; the word is logged. */
type Flaw = 'unreachable' | 'refused' | 'other_action' | 'other_host' | 'old' | 'low'

export type ScoreDeps = { readonly clock: Clock; readonly log: Notes; readonly ownsHost: (host: string) => boolean }

/** @returns whether whoever sent the token need not work. Nothing that goes wrong is told to him: he works then, as without. */
export async function isScoredWell(deps: ScoreDeps, service: ScoreService, token: string): Promise<boolean> {
  const flaw = await flawOf(deps, service, token)
  if (flaw === null) return true
  const level = flaw === 'unreachable' ? 'warn' : 'info'
  deps.log[level]({ flaw }, 'a visitor was not scored well: his device works instead')
  return false
}

async function flawOf(
  { clock, ownsHost }: ScoreDeps,
  { secret, least, verify }: ScoreService,
  token: string,
): Promise<Flaw | null> {
  const said = await ask(verify, secret, token)
  if (said === null) return 'unreachable'
  if (!said.success || said.score === undefined) return 'refused'
  if (said.action !== scoredAction) return 'other_action'
  if (said.hostname === undefined || !ownsHost(said.hostname)) return 'other_host'
  const at = said.challenge_ts === undefined ? Number.NaN : Date.parse(said.challenge_ts)
  if (!(Math.abs(clock.now().getTime() - at) <= longestMs)) return 'old'
  return said.score < least ? 'low' : null
}

/** The visitor's address is not told. */
async function ask(verify: string, secret: string, token: string): Promise<z.infer<typeof verdict> | null> {
  try {
    const answer = await fetch(verify, {
      method: 'POST',
      body: new URLSearchParams({ secret, response: token }),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (!answer.ok || Number(answer.headers.get('content-length') ?? 0) > largestBytes) {
      await answer.body?.cancel()
      return null
    }
    return verdict.parse(JSON.parse((await answer.text()).slice(0, largestBytes)))
  } catch {
    return null
  }
}
