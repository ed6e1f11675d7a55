import { createHash } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { checkTimestamp, refusal } from './check-timestamp.ts'
import type { CheckedTimestamp } from './check-timestamp.ts'
import { buildTimestampRequest, requestTimestamp } from './request-timestamp.ts'
import type { OutsideAuthority } from './request-timestamp.ts'
import type { Keyring } from '../keyring/signer.ts'
import { createTimestampAuthority } from './timestamp-authority.ts'
import type { Timestamp, Timestamper } from './timestamper.ts'

export type TimestamperOptions = {
  /**
   * `TSA_URLS`, in order of preference. User and password in an address are sent as Basic authentication; a fragment
   * `#sha256=<hex>` pins a certificate of the authority's chain.
   */
  readonly urls: readonly string[]
  readonly keyring: Keyring
  readonly clock: Clock
  readonly log: Notes
  /** For one authority, its whole exchange. 10 s unless told. */
  readonly timeoutMs?: number
  /** How far an authority's time may be from ours. 60 s unless told. */
  readonly toleranceMs?: number
  /** After a failure to answer, how long an authority is left alone. 30 s unless told. */
  readonly restMs?: number
  /** Hears of each authority that was asked how it answered. */
  readonly onAnswer?: ((answer: AuthorityAnswer) => void) | undefined
  /** See `createTimestampAuthority`. */
  readonly accuracy?: () => number | undefined
}

/** `outcome`: `stamped`, or the code of why its answer is of no use. */
export type AuthorityAnswer = { readonly authority: string; readonly outcome: string; readonly seconds: number }

/**
 * The authorities to ask: those configured, in order, and the embedded one last.
 * @throws DomainError `sealing.tsa_address` for an address that cannot be one.
 */
export function createTimestampers(options: TimestamperOptions): Timestamper[] {
  return [...createOutsideTimestampers(options), embedded(options)]
}

/** Those configured alone, for a process that holds no key. @throws DomainError `sealing.tsa_address` */
export function createOutsideTimestampers(options: Omit<TimestamperOptions, 'keyring' | 'accuracy'>): Timestamper[] {
  return options.urls.map(parseAddress).map((address) => outside(address, options))
}

function parseAddress(text: string): { url: URL; pin: string | undefined } {
  const url = URL.parse(text)
  const name = url === null ? text.slice(0, 200) : nameOf(url)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new DomainError('invalid', 'sealing.tsa_address', { address: name })
  const pin = /^#sha256=([0-9a-fA-F]{64})$/.exec(url.hash)?.[1]?.toLowerCase()
  if (url.hash !== '' && pin === undefined) throw new DomainError('invalid', 'sealing.tsa_address', { address: name })
  return { url, pin }
}

const nameOf = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`

function outside(
  address: { url: URL; pin: string | undefined },
  options: Omit<TimestamperOptions, 'keyring' | 'accuracy'>,
): Timestamper {
  const { clock, log, timeoutMs = 10_000, toleranceMs = 60_000, restMs = 30_000 } = options
  const authority: OutsideAuthority = { ...address, timeoutMs, toleranceMs }
  const name = nameOf(address.url)
  let resting: { until: number; failure: DomainError } | undefined
  return {
    name,
    embedded: false,
    timestamp: async (digest, signal) => {
      // One seal asks several times; an authority that hangs must not cost its time-out each time.
      if (resting !== undefined && clock.now().getTime() < resting.until) throw resting.failure
      const began = performance.now()
      const answered = (outcome: string) =>
        options.onAnswer?.({ authority: name, outcome, seconds: (performance.now() - began) / 1000 })
      try {
        const checked = await requestTimestamp(authority, digest, { clock, signal })
        checkPin(checked, authority.pin)
        resting = undefined
        answered('stamped')
        return toTimestamp(checked, false)
      } catch (error) {
        if (error instanceof DomainError) {
          answered(error.code)
          resting = { until: clock.now().getTime() + restMs, failure: error }
          log.warn({ authority: name, code: error.code, ...error.data }, 'time authority gave no usable token')
        }
        throw error
      }
    },
  }
}

function checkPin(checked: CheckedTimestamp, pin: string | undefined): void {
  if (pin === undefined) return
  const held = [checked.certificate, ...checked.chain].some((each) => createHash('sha256').update(each).digest('hex') === pin)
  if (!held) throw refusal('pin')
}

function embedded({ keyring, clock, accuracy, toleranceMs = 60_000 }: TimestamperOptions): Timestamper {
  const authority = createTimestampAuthority({ keyring, clock, ...(accuracy === undefined ? {} : { accuracy }) })
  return {
    name: 'embedded',
    embedded: true,
    timestamp: async (digest) => {
      const request = buildTimestampRequest(digest)
      const response = await authority.respond(request.encoded)
      return toTimestamp(checkTimestamp(response, { digest, nonce: request.nonce, now: clock.now(), toleranceMs }), true)
    },
  }
}

function toTimestamp(checked: CheckedTimestamp, isEmbedded: boolean): Timestamp {
  const { response, token, authority, genTime, serial, certificate, chain } = checked
  return { response, token, authority, genTime, serial, embedded: isEmbedded, certificate, chain }
}
