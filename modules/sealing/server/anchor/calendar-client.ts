/** Client of OpenTimestamps calendars: the protocol of opentimestamps-server, as python-opentimestamps speaks it. */
import { toHex } from '../../../../kernel/bytes.ts'
import { attestationsOf, MalformedError, readTimestamp, type TimestampTree } from '../../../verification/server/index.ts'
import { anchorFailure, exchange, hostOf } from '../connections/exchange.ts'
import type { ExchangeRules } from '../connections/exchange.ts'

/** As upstream bounds it. */
const maxAnswerBytes = 10_000
const mediaType = 'application/vnd.opentimestamps.v1'

/** @param calendar its address without trailing slash */
export type CalendarRules = ExchangeRules & { readonly calendars: readonly string[] }

/**
 * Hands a digest of 32 octets over. @returns the tree that leads from it to a promise of that very calendar.
 * @throws DomainError `sealing.anchor_…`: unreachable, timeout, too_large, redirect, status, malformed, no_promise, stranger
 */
export async function submitDigest(calendar: string, digest: Uint8Array, rules: CalendarRules): Promise<TimestampTree> {
  const { status, body } = await exchange(
    { url: `${calendar}/digest`, method: 'POST', body: digest, accept: mediaType, maxBytes: maxAnswerBytes },
    rules,
  )
  if (status !== 200) throw anchorFailure('status', { host: hostOf(calendar), status })
  const tree = read(calendar, body, digest)
  const promises = attestationsOf(tree).flatMap(({ attestation }) => (attestation.kind === 'pending' ? [attestation.uri] : []))
  if (promises.length === 0 && !attestationsOf(tree).some(({ attestation }) => attestation.kind === 'bitcoin'))
    throw anchorFailure('no_promise', { host: hostOf(calendar) })
  refuseStrangers(calendar, promises, rules.calendars)
  return tree
}

/**
 * Asks a calendar what became of a commitment. @returns the tree from that commitment, or null while the calendar has it pending.
 * @throws DomainError `sealing.anchor_…`
 */
export async function askUpgrade(calendar: string, commitment: Uint8Array, rules: CalendarRules): Promise<TimestampTree | null> {
  const { status, body } = await exchange(
    { url: `${calendar}/timestamp/${toHex(commitment)}`, accept: mediaType, maxBytes: maxAnswerBytes },
    rules,
  )
  if (status === 404) return null
  if (status !== 200) throw anchorFailure('status', { host: hostOf(calendar), status })
  const tree = read(calendar, body, commitment)
  const found = attestationsOf(tree).map(({ attestation }) => attestation)
  if (!found.some(({ kind }) => kind === 'bitcoin')) return null
  const promises = found.flatMap((each) => (each.kind === 'pending' ? [each.uri] : []))
  refuseStrangers(calendar, promises, rules.calendars)
  return tree
}

/** A calendar may sit behind another of those that are configured; an address from nowhere would have us call anybody. */
function refuseStrangers(calendar: string, promises: readonly string[], known: readonly string[]): void {
  for (const uri of promises)
    if (!known.includes(withoutSlash(uri))) throw anchorFailure('stranger', { host: hostOf(calendar), named: uri.slice(0, 200) })
}

function read(calendar: string, body: Uint8Array, message: Uint8Array): TimestampTree {
  try {
    return readTimestamp(body, message)
  } catch (error) {
    if (error instanceof MalformedError)
      throw anchorFailure('malformed', { host: hostOf(calendar), reason: error.message }, error)
    throw error
  }
}

export const withoutSlash = (uri: string): string => uri.replace(/\/+$/, '')
