import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { EmailEntry } from '../../contract/identity.ts'
import {
  deleteAddress,
  findAddress,
  findVerifiedAddress,
  insertAddress,
  listAddresses,
  makePrimary,
  type Address,
} from '../people/address-store.ts'
import type { IdentityDeps, Origin } from '../people/deps.ts'
import { mailAddressTakenJob, mailNoticeJob } from '../mails/mail-jobs.ts'
import { mailConfirmation } from '../mails/mail-token.ts'
import { parsedAddress, refuseDisposable } from '../people/typed-address.ts'
import { attempt, ofNetwork } from '../guard/throttle.ts'
import { lockUser } from '../people/user-store.ts'

/** More than anybody needs; bounds what one account may claim. */
const mostAddresses = 10

const own = ({ userId }: Actor) => ({ userId, accountId: userId })
const subject = (id: string) => ({ type: 'email', id })

function present(entry: Address): EmailEntry {
  return {
    id: entry.id,
    email: entry.address,
    primary: entry.primary,
    verified: entry.verifiedAt !== null,
    created_at: entry.createdAt.toISOString(),
  }
}

async function ownAddress(db: Parameters<typeof findAddress>[0], actor: Actor, id: string): Promise<Address> {
  const entry = await findAddress(db, id, actor.userId)
  if (entry === null) throw new DomainError('not_found', 'http.not_found')
  return entry
}

/** C-19. */
export async function listEmails(deps: IdentityDeps, actor: Actor): Promise<EmailEntry[]> {
  return (await listAddresses(deps.db, actor.userId)).map(present)
}

/** C-20. */
export async function readEmail(deps: IdentityDeps, actor: Actor, id: string): Promise<EmailEntry> {
  return present(await ownAddress(deps.db, actor, id))
}

/**
 * C-21. The same answer whether somebody else has the address or not. One that is listed already is answered as it is, with a new
 * mail while it waits to be confirmed.
 * @throws DomainError `identity.disposable_address`, `identity.too_many_addresses`, `identity.throttled`
 */
export async function addEmail(
  deps: IdentityDeps,
  actor: Actor,
  typed: string,
  origin: Pick<Origin, 'block'>,
): Promise<EmailEntry> {
  const email = parsedAddress(typed)
  refuseDisposable(email)
  await attempt(deps, ...ofNetwork('requests', origin.block), { kind: 'mailbox', of: email.key })
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await lockUser(tx, actor.userId)
    const listed = await listAddresses(tx, actor.userId)
    const known = listed.find(({ key }) => key === email.key)
    if (known !== undefined) {
      if (known.verifiedAt === null) await mailTo(deps, tx, known, now)
      return present(known)
    }
    if (listed.length >= mostAddresses) throw new DomainError('conflict', 'identity.too_many_addresses', { most: mostAddresses })
    const id = randomUUID()
    await insertAddress(
      tx,
      { id, userId: actor.userId, address: email.address, key: email.key, primary: false, verifiedAt: null },
      now,
    )
    const entry = await ownAddress(tx, actor, id)
    await mailTo(deps, tx, entry, now)
    await enqueue(tx, mailNoticeJob, { user_id: actor.userId, notice: 'address_added', at: now.toISOString() })
    await recordAct(tx, now, { action: 'identity.added_address', actor: own(actor), subject: subject(id) })
    return present(entry)
  })
}

/** To whoever reads that mailbox: a confirmation, or that it has an account already. */
async function mailTo(deps: IdentityDeps, tx: Tx, entry: Address, now: Date): Promise<void> {
  const owner = await findVerifiedAddress(tx, entry.key)
  if (owner === null) await mailConfirmation(deps, tx, { userId: entry.userId, emailId: entry.id }, now)
  else await enqueue(tx, mailAddressTakenJob, { email_id: owner.id })
}

export async function resendEmailConfirmation(
  deps: IdentityDeps,
  actor: Actor,
  id: string,
  origin: Pick<Origin, 'block'>,
): Promise<void> {
  const entry = await ownAddress(deps.db, actor, id)
  if (entry.verifiedAt !== null) return
  await attempt(deps, ...ofNetwork('requests', origin.block), { kind: 'mailbox', of: entry.key })
  await deps.db.transaction().execute(async (tx) => await mailTo(deps, tx, entry, deps.clock.now()))
}

/** C-22. Doing it again changes nothing. @throws DomainError `identity.address_unverified` */
export async function setPrimaryEmail(deps: IdentityDeps, actor: Actor, id: string): Promise<EmailEntry> {
  return await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, actor.userId)
    const entry = await ownAddress(tx, actor, id)
    if (entry.verifiedAt === null) throw new DomainError('conflict', 'identity.address_unverified')
    if (entry.primary) return present(entry)
    const before = (await listAddresses(tx, actor.userId)).find(({ primary }) => primary)
    await makePrimary(tx, actor.userId, id)
    const now = deps.clock.now()
    if (before !== undefined)
      await enqueue(tx, mailNoticeJob, {
        user_id: actor.userId,
        notice: 'primary_changed',
        at: now.toISOString(),
        email_id: before.id,
      })
    await recordAct(tx, now, {
      action: 'identity.set_primary_address',
      actor: own(actor),
      subject: subject(id),
    })
    return present({ ...entry, primary: true })
  })
}

/** C-23. @throws DomainError `identity.primary_address` */
export async function deleteEmail(deps: IdentityDeps, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, actor.userId)
    const entry = await ownAddress(tx, actor, id)
    if (entry.primary) throw new DomainError('conflict', 'identity.primary_address')
    await deleteAddress(tx, id)
    await recordAct(tx, deps.clock.now(), { action: 'identity.deleted_address', actor: own(actor), subject: subject(id) })
  })
}
