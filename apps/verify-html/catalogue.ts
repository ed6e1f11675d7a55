/** English and French words of one message, or messages by the next part of their id. The build puts them here (vite.config.ts). */
export type Catalogue = { readonly [name: string]: Catalogue | readonly [en: string, fr: string] }

export const catalogue: Catalogue = {}
