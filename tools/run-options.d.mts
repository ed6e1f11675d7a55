export const usage: string
export function readOptions(words: readonly string[], root: string): { readonly since: string | null; readonly times: boolean }
