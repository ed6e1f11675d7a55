import type { Db } from '../../../../platform/db/database.ts'
import type { Vault } from '../../../../platform/vault/vault.ts'
import type { BankAccount } from '../../domain/bank-account.ts'
import { findBankAccount } from '../people/profile-store.ts'
import { openBankAccount } from './present-profile.ts'

/** The bank account of a profile, with its numbers, for whoever is to debit it at its owner's wish; null: he gave none. */
export async function readDebitedAccount(
  { db, vault }: { readonly db: Db; readonly vault: Vault },
  userId: string,
): Promise<BankAccount | null> {
  const kept = await findBankAccount(db, userId)
  return kept === null ? null : openBankAccount(vault, userId, kept)
}
