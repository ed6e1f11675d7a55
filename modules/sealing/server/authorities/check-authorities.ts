import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { defineJob, handle, type JobHandler } from '../../../../platform/jobs/jobs.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import { MalformedError, qualifiedStatus, readAnyCertificate, type TrustedLists } from '../../../verification/server/index.ts'
import type { Timestamp, Timestamper } from '../timestamps/timestamper.ts'
import { listAuthorities, replaceAuthorities, type KnownAuthority } from './authority-store.ts'

/** Every day, and when a worker starts. */
export const checkAuthoritiesJob = defineJob('sealing.check_authorities', z.object({}).loose())
export const checkAuthoritiesCrontab = `11 5 * * * ${checkAuthoritiesJob.name}`

export type CheckAuthoritiesDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Notes
  readonly timestampers: readonly Timestamper[]
  readonly lists: () => Promise<TrustedLists>
}

/** A token is not asked for more often than that only because workers start. */
const freshMs = 12 * 3_600_000

/**
 * Asks each configured authority for a token over a random digest, and the trusted lists whether the service that made it is one that the
 * State's newest list shows as qualified. What cannot be concluded is kept as that: nothing is called qualified that was not found so.
 */
export async function checkAuthorities(deps: CheckAuthoritiesDeps, signal: AbortSignal): Promise<readonly KnownAuthority[]> {
  const { db, clock } = deps
  const outside = deps.timestampers.filter(({ embedded }) => !embedded)
  const known = await listAuthorities(db)
  const now = clock.now()
  const isKnown = (name: string) =>
    known.some((one) => one.name === name && one.state !== 'silent' && now.getTime() - one.checkedAt.getTime() < freshMs)
  if (known.length === outside.length && outside.every(({ name }) => isKnown(name))) return known
  const lists = outside.length === 0 ? null : await deps.lists()
  const judged: KnownAuthority[] = []
  for (const timestamper of outside)
    judged.push({ name: timestamper.name, checkedAt: now, ...(await judge(timestamper, lists, signal)) })
  signal.throwIfAborted()
  await replaceAuthorities(db, judged)
  for (const { name, state, reason } of judged) deps.log.info({ authority: name, state, reason }, 'a time authority was checked')
  return judged
}

type Judgement = Omit<KnownAuthority, 'name' | 'checkedAt'>

async function judge(timestamper: Timestamper, lists: TrustedLists | null, signal: AbortSignal): Promise<Judgement> {
  const nothing = { provider: null, territory: null }
  try {
    return judgeToken(await timestamper.timestamp(new Uint8Array(randomBytes(32)), signal), lists)
  } catch (error) {
    if (error instanceof MalformedError) return { state: 'indeterminate', reason: 'malformed', ...nothing }
    if (error instanceof DomainError) return { state: 'silent', reason: error.code, ...nothing }
    throw error
  }
}

/** Pure but for what it is given. @param token checked already: its signature holds under these very certificates */
export function judgeToken(token: Pick<Timestamp, 'certificate' | 'chain' | 'genTime'>, lists: TrustedLists | null): Judgement {
  const signer = readAnyCertificate(token.certificate)
  const issuers = token.chain.map((each) => readAnyCertificate(each))
  const of = (at: Date) => qualifiedStatus(signer, issuers, at, lists ?? undefined)
  let found = of(token.genTime)
  // No list is newer than a token of this moment: what is asked here is what the newest one says of the service.
  if (found.list !== null && (found.reason === 'list_older' || found.reason === 'not_listed_list_older'))
    found = of(new Date(found.list.issued_at))
  return {
    state: found.status,
    reason: found.reason,
    provider: found.service?.provider.slice(0, 300) ?? null,
    territory: found.list?.territory.slice(0, 10) ?? null,
  }
}

export function checkAuthoritiesHandler(deps: CheckAuthoritiesDeps): JobHandler {
  return handle(checkAuthoritiesJob, async (_, { signal }) => {
    await checkAuthorities(deps, signal)
  })
}
