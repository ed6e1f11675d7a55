import { randomBytes } from 'node:crypto'
import { VaultError, type Vault } from '../../../../platform/vault/vault.ts'

const purpose = 'document.copy_key'

/** A key of one copy's own, sealed for its row: once that is gone, nothing opens the pieces (NIST SP 800-88, cryptographic erase). */
export function makeCopyKey(vault: Vault, copyId: string): Buffer {
  return vault.seal(purpose, copyId, randomBytes(32))
}

/** @throws VaultError */
export function openCopyKey(vault: Vault, copyId: string, sealedKey: Uint8Array): Buffer {
  return vault.open(purpose, copyId, sealedKey)
}

/** @returns whether the master key that the installation has now opens it */
export function opensCopyKey(vault: Vault, copyId: string, sealedKey: Uint8Array): boolean {
  try {
    openCopyKey(vault, copyId, sealedKey).fill(0)
    return true
  } catch (error) {
    if (error instanceof VaultError) return false
    throw error
  }
}

/** Each copy has its scope of the blob store: clearing one touches no other. */
export const scopeOfCopy = (copyId: string): string => `copy-${copyId}`
