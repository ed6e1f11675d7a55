import { createHash } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const bodyLength = 14

/**
 * A creditor reference (ISO 11649) of an attempt: `RF`, two check digits, and 14 characters that follow from the tag, so that it needs no
 * counter and two attempts do not share one. Banks carry it in a field of its own; customers may type it with spaces.
 */
export function referenceOf(tag: string): string {
  const digest = createHash('sha256').update(`transfer ${tag}`).digest()
  const body = `PB${[...digest.subarray(0, bodyLength - 2)].map((byte) => alphabet[byte % 32]).join('')}`
  return `RF${String(98 - remainder(`${body}RF00`)).padStart(2, '0')}${body}`
}

/** In groups of four, as it is printed. */
export function printedReference(reference: string): string {
  return reference.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

/** Every reference of ours in what a customer or a bank wrote, whatever separates its characters. */
export function findReferences(text: string): string[] {
  const plain = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const found = new Set<string>()
  for (let at = plain.indexOf('RF'); at !== -1; at = plain.indexOf('RF', at + 1)) {
    const one = plain.slice(at, at + 4 + bodyLength)
    if (/^RF\d{2}PB[0-9A-Z]{12}$/.test(one) && remainder(one.slice(4) + one.slice(0, 4)) === 1) found.add(one)
  }
  return [...found]
}

/** ISO/IEC 7064, MOD 97-10: letters count as two digits. */
function remainder(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
