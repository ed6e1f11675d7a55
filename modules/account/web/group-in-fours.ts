/** An IBAN as it is printed (ISO 13616-1, annex B): groups of four. What is typed after the last stays typed. */
export function groupInFours(typed: string): string {
  return typed
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll(/(.{4})(?=.)/gu, '$1 ')
}
