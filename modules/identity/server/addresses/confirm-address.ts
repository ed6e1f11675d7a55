import type { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { confirmationState, verifyEmailBody } from '../../contract/identity.ts'
import {
  deleteAddress,
  deleteRivals,
  findAddress,
  findVerifiedAddress,
  holdMailbox,
  markVerified,
  type Address,
} from '../people/address-store.ts'
import type { IdentityDeps, Origin } from '../people/deps.ts'
import { codeHash, tokenHash } from '../guard/keyed-hash.ts'
import { parsedAddress } from '../people/typed-address.ts'
import { countWrongOutrun, isOutrun, keepOutrun, lockOutrunCodes } from './outrun-store.ts'
import { attempt, ofNetwork } from '../guard/throttle.ts'
import {
  countWrongCode,
  findTokenByHash,
  lockTokenByHash,
  lockTypedCodes,
  useToken,
  type MailedToken,
} from '../mails/token-store.ts'
import { activateUser, deleteUnconfirmedUser, findUser, lockUser } from '../people/user-store.ts'

/** Wrong codes after which those of an address end; their links go on. */
const mostWrongCodes = 5

const failed = () => new DomainError('invalid', 'identity.confirmation_failed')
/** Whoever shows a mailed proof reads the mailbox, and may be told that it has an account. */
const taken = () => new DomainError('conflict', 'identity.address_taken')

/** The entry a link is about, while it can still be confirmed. */
async function pending(tx: Tx, token: MailedToken | null, now: Date): Promise<{ token: MailedToken; entry: Address } | null> {
  if (token === null || token.emailId === null || token.usedAt !== null || token.expiresAt <= now) return null
  const entry = await findAddress(tx, token.emailId)
  return entry === null || entry.verifiedAt !== null ? null : { token, entry }
}

/** Whether a link was followed before, to the end. */
async function wasConfirmed(tx: Tx, token: MailedToken | null): Promise<Address | null> {
  const entry = token?.emailId == null ? null : await findAddress(tx, token.emailId)
  return entry !== null && entry.verifiedAt !== null ? entry : null
}

/** The token of a link, held together with its mailbox, always in that order. */
async function holdToken(tx: Tx, key: string): Promise<MailedToken | null> {
  const hash = tokenHash(key)
  const seen = await findTokenByHash(tx, 'confirm_address', hash)
  const entry = seen?.emailId == null ? null : await findAddress(tx, seen.emailId)
  if (entry === null) return null
  await holdMailbox(tx, entry.key)
  return await lockTokenByHash(tx, 'confirm_address', hash)
}

/** S-43…S-45. Changes nothing. */
export async function readConfirmation(deps: IdentityDeps, key: string): Promise<z.infer<typeof confirmationState>> {
  return await deps.db.transaction().execute(async (tx) => {
    const token = await findTokenByHash(tx, 'confirm_address', tokenHash(key))
    const found = await pending(tx, token, deps.clock.now())
    if (found === null) {
      const done = (await wasConfirmed(tx, token)) !== null
      const state = done ? 'confirmed' : (await isOutrun(tx, tokenHash(key), deps.clock.now())) ? 'taken' : 'failed'
      return { state, email: null, created_at: null, purpose: null }
    }
    const user = await findUser(tx, found.entry.userId)
    return {
      state: 'pending' as const,
      email: found.entry.address,
      created_at: found.entry.createdAt.toISOString(),
      purpose: user?.status === 'unconfirmed' ? ('account' as const) : ('address' as const),
    }
  })
}

/**
 * C-04. The mailbox is theirs: a new account is open from now on, and nobody else claims the address any more. Signs nobody in.
 * @throws DomainError `identity.confirmation_failed`, `identity.address_taken`, `identity.throttled`
 */
export async function confirmAddress(
  deps: IdentityDeps,
  input: z.infer<typeof verifyEmailBody>,
  origin: Pick<Origin, 'block'>,
): Promise<{ status: 'confirmed'; email: string }> {
  const outcome =
    'key' in input
      ? await deps.db.transaction().execute(async (tx) => {
          const token = await holdToken(tx, input.key)
          const found = await pending(tx, token, deps.clock.now())
          if (found !== null) return await confirm(deps, tx, found)
          // Followed again: what it was for is done.
          const done = (await wasConfirmed(tx, token))?.address ?? null
          if (done === null && (await isOutrun(tx, tokenHash(input.key), deps.clock.now()))) throw taken()
          return done
        })
      : await confirmByCode(deps, input, origin)
  if (outcome === null) throw failed()
  return { status: 'confirmed', email: outcome }
}

async function confirmByCode(
  deps: IdentityDeps,
  input: { readonly email: string; readonly code: string; readonly claim?: string | undefined },
  origin: Pick<Origin, 'block'>,
): Promise<string | null> {
  const { key } = parsedAddress(input.email)
  const trying = await attempt(deps, ...ofNetwork('network', origin.block))
  // A wrong code is counted, so the transaction commits whatever comes of it.
  const { confirmed, outrun } = await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await holdMailbox(tx, key)
    const waiting = await lockTypedCodes(tx, key, now, mostWrongCodes)
    // Who registered somebody else's address first must not have it confirmed by a code that its owner takes for his.
    const several = new Set(waiting.map(({ emailId }) => emailId)).size > 1
    const tokens = input.claim === undefined ? (several ? [] : waiting) : waiting.filter(({ emailId }) => emailId === input.claim)
    const isRight = (proof: { readonly id: string; readonly codeHash: Buffer | null }) =>
      proof.codeHash?.equals(codeHash(deps.secret, proof.id, input.code)) === true
    const found = await pending(tx, tokens.find(isRight) ?? null, now)
    if (found !== null) return { confirmed: await confirm(deps, tx, found), outrun: false }
    const late = input.claim === undefined ? [] : await lockOutrunCodes(tx, input.claim, now, mostWrongCodes)
    if (late.some(isRight)) return { confirmed: null, outrun: true }
    const ids = (proofs: readonly { readonly id: string }[]) => proofs.map(({ id }) => id)
    await countWrongCode(tx, ids(tokens))
    await countWrongOutrun(tx, ids(late))
    return { confirmed: null, outrun: false }
  })
  if (confirmed !== null || outrun) await trying.succeed()
  if (outrun) throw taken()
  return confirmed
}

async function confirm(deps: IdentityDeps, tx: Tx, found: { token: MailedToken; entry: Address }): Promise<string> {
  const now = deps.clock.now()
  const { token, entry } = found
  const user = await lockUser(tx, entry.userId)
  if (user === null || (user.status !== 'unconfirmed' && user.status !== 'active')) throw failed()
  if ((await findVerifiedAddress(tx, entry.key)) !== null) throw taken()
  await keepOutrun(tx, entry.key, user.id, entry.id, now)
  await deleteRivals(tx, entry.key, user.id)
  await markVerified(tx, entry.id, now)
  await useToken(tx, token.id, now)
  const isNew = user.status === 'unconfirmed'
  if (isNew) {
    await activateUser(tx, user.id, now)
    await deps.onConfirmed?.(tx, user.id, now)
  }
  await recordAct(tx, now, {
    action: isNew ? 'identity.confirmed_account' : 'identity.confirmed_address',
    actor: { userId: user.id, accountId: user.id },
    subject: { type: 'user', id: user.id },
  })
  return entry.address
}

/**
 * By the owner of an address that somebody else registered: the account that waits, or the address of an account, is gone.
 * @throws DomainError `identity.confirmation_failed`
 */
export async function disownAddress(deps: IdentityDeps, key: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const found = await pending(tx, await holdToken(tx, key), now)
    if (found === null) throw failed()
    const user = await lockUser(tx, found.entry.userId)
    if (user?.status === 'unconfirmed') await deleteUnconfirmedUser(tx, user.id)
    else await deleteAddress(tx, found.entry.id)
    await recordAct(tx, now, {
      action: 'identity.disowned_address',
      actor: null,
      subject: { type: 'user', id: found.entry.userId },
    })
  })
}
