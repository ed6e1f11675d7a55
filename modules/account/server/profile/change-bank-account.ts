import type { z } from 'zod'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { bankAccountBody, BankAccountSummary } from '../../contract/profile.ts'
import { endingOf, readBankAccount } from '../../domain/bank-account.ts'
import { lockOwn } from './change-profile.ts'
import type { AccountDeps } from '../people/deps.ts'
import { sendMailJob } from '../people/jobs.ts'
import { presentBankAccount, sealBankAccount } from './present-profile.ts'
import { deleteBankAccount as deleteKept, saveBankAccount } from '../people/profile-store.ts'

/**
 * Replaces the account that somebody is paid on, and debited on: a mandate on the one before ends (S-46). He is told by mail: whoever got into an account would change this first.
 * @throws DomainError `account.bank_account_invalid` with codes by field
 */
export async function changeBankAccount(
  deps: AccountDeps,
  actor: Actor,
  id: string,
  body: z.infer<typeof bankAccountBody>,
): Promise<BankAccountSummary> {
  const now = deps.clock.now()
  const { type, ...typed } = body
  return await deps.db.transaction().execute(async (tx) => {
    await lockOwn(tx, actor, id)
    const read = readBankAccount(type, typed)
    if ('faults' in read) throw new DomainError('invalid', 'account.bank_account_invalid', {}, { fields: { ...read.faults } })
    const kept = { type, ending: endingOf(read.account), sealed: sealBankAccount(deps.vault, id, read.account) }
    await saveBankAccount(tx, id, kept, now)
    await deps.onBankAccountEnded?.(tx, id, now)
    await enqueue(tx, sendMailJob, { kind: 'bank_account_changed', id })
    await recordAct(tx, now, { action: 'account.changed_bank_account', actor, subject: { type: 'user', id }, data: { type } })
    return presentBankAccount(deps.vault, id, { ...kept, updatedAt: now })
  })
}

/** Idempotent. */
export async function deleteBankAccount(deps: AccountDeps, actor: Actor, id: string): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    await lockOwn(tx, actor, id)
    if (!(await deleteKept(tx, id))) return
    await deps.onBankAccountEnded?.(tx, id, now)
    await enqueue(tx, sendMailJob, { kind: 'bank_account_changed', id })
    await recordAct(tx, now, { action: 'account.deleted_bank_account', actor, subject: { type: 'user', id } })
  })
}
