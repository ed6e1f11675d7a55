import type { Readable } from './readable.ts'

/** A package as it was handed to us: one ZIP file, or the files of the folder that it was unpacked to. */
export type PackageSource =
  | { readonly kind: 'zip'; readonly file: Readable }
  | { readonly kind: 'folder'; readonly files: readonly (Readable & { readonly path: string })[] }
