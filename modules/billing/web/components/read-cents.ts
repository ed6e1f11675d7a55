/** `1 234,50`, `1234.5`: whole cents, of what is no amount null. */
export function readCents(text: string): number | null {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/[\s€]/g, ''))
  if (match === null) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
