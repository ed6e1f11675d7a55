import type { FileHashes } from '../../../../ui/hash/hash-blob.ts'

/** What a file says of a deposit. `sha512`: the same SHA-256 and another SHA-512, which no two files have yet been found to have. */
export type Comparison =
  | { readonly same: true; readonly with: readonly ('sha256' | 'sha512')[] }
  | { readonly same: false; readonly differs: 'sha256' | 'sha512'; readonly expected: string; readonly found: string }

export function compare(deposit: { readonly sha256: string; readonly sha512: string | null }, file: FileHashes): Comparison {
  if (deposit.sha256 !== file.sha256) return { same: false, differs: 'sha256', expected: deposit.sha256, found: file.sha256 }
  if (deposit.sha512 === null) return { same: true, with: ['sha256'] }
  return deposit.sha512 === file.sha512
    ? { same: true, with: ['sha256', 'sha512'] }
    : { same: false, differs: 'sha512', expected: deposit.sha512, found: file.sha512 }
}
