import { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { listActs } from '../../../../platform/acts/store.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { listAllDelegations } from '../sharing/delegation-store.ts'
import type { AccountWebDeps } from '../people/deps.ts'
import { findMembership, listInvitations } from '../sharing/group-store.ts'
import { findPerson, readHeldOnPerson } from '../people/person-store.ts'
import { openBankAccount, openOwners, valuesOf } from '../profile/present-profile.ts'
import { findBankAccount, findProfile, findSettings } from '../people/profile-store.ts'

const actsAtATime = 500

/** Every act that he did, or that was done in his name or to him; newest first. */
async function* actsOf(db: Db, userId: string): AsyncGenerator<unknown> {
  let before: number | undefined
  for (;;) {
    const rows = await listActs(db, { accountId: userId, before, limit: actsAtATime })
    for (const row of rows) {
      before = row.number
      const { previousHash, hash, ...act } = row
      yield { ...act, previousHash: previousHash.toString('hex'), hash: hash.toString('hex') }
    }
    if (rows.length < actsAtATime) return
  }
}

async function* array(items: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield `${separator}    ${JSON.stringify(item)}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]' : '\n  ]'
}

/**
 * Everything that is held on the caller, as JSON written while it is read: no part of it is ever whole in memory but the profile.
 * The numbers of his bank account are in it in full: they are his (GDPR, article 15).
 */
export async function exportAccount(deps: AccountWebDeps, actor: Actor): Promise<Readable> {
  const { db, vault } = deps
  const now = deps.clock.now()
  const id = actor.userId
  const person = await findPerson(db, id)
  if (person === null) throw new DomainError('not_found', 'account.profile_not_found')
  const kept = await findProfile(db, id)
  const bank = await findBankAccount(db, id)
  const membership = await findMembership(db, id)
  const everywhere = { limit: 1000, offset: 0 }
  const whole: Readonly<Record<string, unknown>> = {
    exported_at: now,
    ...(await readHeldOnPerson(db, id)),
    profile: { ...valuesOf(person, kept), beneficial_owners: openOwners(vault, id, kept), updated_at: kept.updatedAt },
    bank_account: bank === null ? null : { ...openBankAccount(vault, id, bank), updated_at: bank.updatedAt },
    settings: await findSettings(db, id),
    group: membership,
    invitations_sent:
      membership === null
        ? []
        : (await listInvitations(db, membership.groupId, now, everywhere)).rows.filter((row) => row.invitedBy === id),
    access_delegations: await listAllDelegations(db, id),
  }
  await db.transaction().execute(async (tx) => {
    await recordAct(tx, now, { action: 'account.exported_account', actor, subject: { type: 'user', id } })
  })
  async function* write(): AsyncGenerator<string> {
    yield '{\n'
    for (const [name, value] of Object.entries(whole)) yield `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`
    for (const [name, items] of Object.entries(deps.heldElsewhere)) {
      yield `  ${JSON.stringify(name)}: `
      yield* array(items(id))
      yield ',\n'
    }
    yield '  "acts": '
    yield* array(actsOf(db, id))
    yield '\n}\n'
  }
  return Readable.from(write())
}
