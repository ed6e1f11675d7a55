import type { Names } from './names.ts'

/** The names stand once for both languages; the texts of each follow in the order of the names. The build puts them here (pack-words.ts). */
export const catalogue: { readonly names: Names; readonly en: string; readonly fr: string } = { names: {}, en: '', fr: '' }
