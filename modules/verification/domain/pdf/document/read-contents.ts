import { fromHex } from '../../../../../kernel/bytes.ts'
import { malformed } from '../../encoding/der.ts'
import type { PdfDocument } from './document.ts'
import { latin } from './syntax.ts'

const largestGap = 16 << 20

export type ContentsFlaw = 'not_hexadecimal' | 'mixed_case' | 'empty' | 'too_large'

/**
 * What stands in the gap of a signature: hexadecimal, one whole element, then zeros. Other digits there are covered by nothing: some
 * signers leave whatever was in memory, so that is said and fails nothing. @throws whatever reading the file throws
 */
export async function readContents(
  document: PdfDocument,
  gap: { readonly start: number; readonly end: number },
): Promise<{ readonly encoded: Uint8Array; readonly isPadded: boolean } | ContentsFlaw> {
  if (gap.end - gap.start > largestGap) return 'too_large'
  const text = latin(await document.read(gap.start, gap.end - gap.start))
  const digits = text.slice(1, -1)
  if (!text.startsWith('<') || !text.endsWith('>') || digits.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(digits))
    return 'not_hexadecimal'
  // A digit's case is covered by nothing; whoever writes digits writes them one way.
  if (/[a-f]/.test(digits) && /[A-F]/.test(digits)) return 'mixed_case'
  const bytes = fromHex(digits)
  if (bytes.every((octet) => octet === 0)) return 'empty'
  const length = lengthOfElement(bytes)
  return { encoded: bytes.subarray(0, length), isPadded: bytes.subarray(length).every((octet) => octet === 0) }
}

/** Octets that the first element takes; of an indefinite length, all but the zeros that end it. */
function lengthOfElement(bytes: Uint8Array): number {
  const first = bytes[1] ?? malformed('no element')
  if (first < 0x80) return 2 + first
  const count = first - 0x80
  if (count === 0) {
    let end = bytes.length
    while (end > 0 && bytes[end - 1] === 0) end -= 1
    return endOfIndefinite(bytes, end)
  }
  if (count > 4) malformed('oversized length')
  let size = 0
  for (let i = 2; i < 2 + count; i += 1) size = size * 256 + (bytes[i] ?? 0)
  return Math.min(bytes.length, 2 + count + size)
}

/** Walks the elements to the two zeros that close the first (X.690 §8.1.5). */
function endOfIndefinite(bytes: Uint8Array, most: number): number {
  let at = 2
  let open = 1
  // Each step takes two octets or more.
  while (open > 0) {
    if (at > most + 64 || at + 2 > bytes.length) malformed('no end of contents')
    if (bytes[at] === 0 && bytes[at + 1] === 0) {
      at += 2
      open -= 1
      continue
    }
    const first = bytes[at + 1] ?? 0
    if (first === 0x80) {
      at += 2
      open += 1
    } else if (first < 0x80) at += 2 + first
    else {
      let size = 0
      const count = first - 0x80
      if (count > 4) malformed('oversized length')
      for (let i = 0; i < count; i += 1) size = size * 256 + (bytes[at + 2 + i] ?? 0)
      at += 2 + count + size
    }
  }
  return at
}
