import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Answer } from './route.ts'

const life = 20 * 60

/** Who may call: one client with one key, told by HTTP Basic, who then has a token for a while of the caller's own time. */
export class Door {
  readonly #client: string
  readonly #key: string
  readonly #clock: Clock
  readonly #tokens = new Map<string, number>()

  constructor(client: string, key: string, clock: Clock) {
    this.#client = client
    this.#key = key
    this.#clock = clock
  }

  giveToken(authorization: string | undefined): Answer {
    const wanted = `Basic ${Buffer.from(`${this.#client}:${this.#key}`).toString('base64')}`
    if (authorization === undefined || !same(authorization, wanted)) return { status: 401, body: { error: 'invalid_client' } }
    const token = randomBytes(24).toString('hex')
    this.#tokens.set(token, this.#seconds() + life)
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: life } }
  }

  /** @returns nothing for whom is let in. */
  refuse(authorization: string | undefined, client: string): Answer | undefined {
    const until = this.#tokens.get(/^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '') ?? 0
    if (client === this.#client && until > this.#seconds()) return undefined
    return { status: 401, body: { Message: 'Authentication failed', Type: 'unauthorized', errors: null } }
  }

  #seconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1000)
  }
}

function same(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}
