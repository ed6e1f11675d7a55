import { DomainError } from '../../../kernel/errors.ts'

/**
 * Token bucket per key, such as an address prefix, in the memory of one web process: a first wall against floods, which costs no
 * database. Several web processes each grant it; what may never be exceeded is a quota in the database.
 */
export type RateLimit = {
  /**
   * @throws DomainError `http.rate_limited` with `seconds` until the next request is taken
   */
  take(prefix: string, nowMs: number): void
}

/** Bounds memory against a flood from many prefixes. */
const maxPrefixes = 20_000

export function createRateLimit(options: { burst: number; perMinute: number }): RateLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>()
  return {
    take(prefix, nowMs) {
      const { burst } = options
      const perMs = options.perMinute / 60_000
      const bucket = buckets.get(prefix) ?? { tokens: burst, atMs: nowMs }
      const tokens = Math.min(burst, bucket.tokens + Math.max(0, nowMs - bucket.atMs) * perMs)
      buckets.delete(prefix)
      if (buckets.size >= maxPrefixes) {
        const [oldest] = buckets.keys()
        if (oldest !== undefined) buckets.delete(oldest)
      }
      buckets.set(prefix, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs })
      if (tokens < 1) throw new DomainError('limited', 'http.rate_limited', { seconds: Math.ceil((1 - tokens) / perMs / 1000) })
    },
  }
}
