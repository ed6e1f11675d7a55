import type { View } from '../document/view.ts'
import { textOf } from '../document/find-signatures.ts'
import { isDictionary, isString } from '../document/syntax.ts'
import type { PdfDictionary, PdfValue } from '../document/syntax.ts'

/** A value that a field has itself or from those above it (ISO 32000-2 §12.7.4.1). */
export async function inheritedValue(view: View, field: PdfDictionary, key: string): Promise<PdfValue | undefined> {
  let at: PdfDictionary = field
  for (let hops = 0; hops < 32; hops += 1) {
    const found = await view.resolve(at.entries.get(key))
    if (found !== undefined) return found
    const parent = await view.resolve(at.entries.get('Parent'))
    if (!isDictionary(parent)) return undefined
    at = parent
  }
  return undefined
}

export async function fullName(view: View, field: PdfDictionary): Promise<string> {
  const parts: string[] = []
  let at: PdfDictionary = field
  for (let hops = 0; hops < 32; hops += 1) {
    const own = at.entries.get('T')
    if (isString(own)) parts.unshift(textOf(own.octets))
    const parent = await view.resolve(at.entries.get('Parent'))
    if (!isDictionary(parent)) break
    at = parent
  }
  return parts.join('.')
}
