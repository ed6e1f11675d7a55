import { createHmac } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import { parseEmailAddress, type EmailAddress } from '../../../../kernel/email-address.ts'
import type { WorkOrScore } from '../../../../kernel/work-done.ts'
import type { ThrottlePolicy } from '../../../../platform/guard/throttle-store.ts'
import { scoredAction } from '../../../../platform/guard/check-score.ts'
import { requestDigest } from '../../../../platform/guard/proof-of-work.ts'
import { requireWork } from '../../../../platform/guard/require-work.ts'
import { takeAttempts } from '../../../../platform/guard/throttle.ts'
import type { SupportWebDeps } from './deps.ts'

/** What is sent is counted by; each kind with its own patience. */
const policies = {
  /** Messages of one account. */
  account: { free: 10, firstSeconds: 60, mostSeconds: 3600 },
  /** Messages of strangers, and what they sign up to, from one block of addresses. */
  network: { free: 5, firstSeconds: 60, mostSeconds: 3600 },
  /** Mails that strangers have sent to one address: nobody's mailbox is filled by others. */
  mailbox: { free: 3, firstSeconds: 600, mostSeconds: 86_400 },
} as const satisfies Record<string, ThrottlePolicy>

/** About a second of a phone: nothing for who writes one message, dear for who writes thousands. */
export const messageHashes = 2 ** 18

type GuardDeps = Pick<SupportWebDeps, 'db' | 'clock' | 'secret'>
type WorkDeps = GuardDeps & Pick<SupportWebDeps, 'workHashes' | 'isScoredWell'>

function keyOf(secret: string, kind: string, of: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['probant-support/1', kind, of]))
    .digest()
}

const counted = (secret: string, kind: keyof typeof policies, of: string) => ({
  key: keyOf(secret, kind, of),
  policy: policies[kind],
})

/** @throws DomainError `support.throttled` with `seconds` */
export async function guardAccount(deps: GuardDeps, userId: string): Promise<void> {
  await takeAttempts(deps, 'support.throttled', [counted(deps.secret, 'account', userId)])
}

export type Stranger = {
  /** null: nobody's address counts, as on the developer's own machine. */
  readonly block: string | null
  readonly address: EmailAddress
  /** What he asks for, without his work. */
  readonly asked: object
  readonly work: WorkOrScore | undefined
}

/**
 * A stranger works for what he asks for, unless whoever scores visitors thinks well of him (T-01, decision 0434).
 * @throws DomainError `support.work_required`, `support.throttled`
 */
export async function guardStranger(deps: WorkDeps, { block, address, asked, work }: Stranger): Promise<void> {
  const { secret, isScoredWell } = deps
  const scored = work !== undefined && 'score' in work ? work.score : null
  if (scored === null || isScoredWell === null || !(await isScoredWell(scored))) {
    const asker = keyOf(secret, 'work', block ?? '')
    const request = requestDigest(asked)
    const wanted = { asker, request, previews: 0, hashes: deps.workHashes, code: 'support.work_required' } as const
    const done = work === undefined || 'score' in work ? undefined : work
    // Whose token was not enough is not asked for another one.
    const required = isScoredWell === null || scored !== null ? wanted : { ...wanted, score: scoredAction }
    await deps.db.transaction().execute(async (tx) => await requireWork(deps, tx, required, done))
  }
  await takeAttempts(deps, 'support.throttled', [
    ...(block === null ? [] : [counted(secret, 'network', block)]),
    counted(secret, 'mailbox', address.key),
  ])
}

/** What the contract let through is an address; one that is used unparsed would be a defect. */
export function parsedAddress(typed: string): EmailAddress {
  const parsed = parseEmailAddress(typed)
  if (parsed === null) throw new DomainError('invalid', 'http.invalid_request', {}, { fields: { email: ['email_invalid'] } })
  return parsed
}
