import type { View } from '../document/view.ts'
import type { FieldSignature } from '../document/find-signatures.ts'
import { textOf } from '../document/find-signatures.ts'
import { isDictionary, isList, isString, nameOf } from '../document/syntax.ts'
import type { PdfDictionary } from '../document/syntax.ts'

export type Permissions = { readonly level: 1 | 2 | 3 | undefined; locks(field: string): boolean }

/** What the author of a signature lets others change: DocMDP and FieldMDP (ISO 32000-2 §12.8.2). Undefined when it says nothing. */
export async function readPermissions(
  view: View,
  { dictionary, field: ownName, fieldNumber }: FieldSignature,
): Promise<Permissions | undefined> {
  const references = await view.resolve(dictionary.entries.get('Reference'))
  let level: 1 | 2 | 3 | undefined
  const locks: ((field: string) => boolean)[] = []
  for (const each of isList(references) ? references.slice(0, 16) : []) {
    const reference = await view.resolve(each)
    if (!isDictionary(reference)) continue
    const method = nameOf(await view.resolve(reference.entries.get('TransformMethod')))
    const parameters = await view.resolve(reference.entries.get('TransformParams'))
    if (method === 'DocMDP')
      level = strictest(level, isDictionary(parameters) ? await view.resolve(parameters.entries.get('P')) : 2)
    else if (method === 'FieldMDP' && isDictionary(parameters)) locks.push(await lockOf(view, parameters))
  }
  // The lock of the field itself binds whoever signs in it (§12.7.5.5).
  const field = fieldNumber === undefined ? undefined : await view.object(fieldNumber)
  const lock = isDictionary(field) ? await view.resolve(field.entries.get('Lock')) : undefined
  if (isDictionary(lock)) {
    locks.push(await lockOf(view, lock))
    const own = await view.resolve(lock.entries.get('P'))
    if (own !== undefined) level = strictest(level, own)
  }
  if (level === undefined && locks.length === 0) return undefined
  return { level, locks: (name) => name !== ownName && locks.some((each) => each(name)) }
}

function strictest(level: 1 | 2 | 3 | undefined, value: unknown): 1 | 2 | 3 {
  const given = value === 1 ? 1 : value === 3 ? 3 : 2
  return level === undefined || given < level ? given : level
}

async function lockOf(view: View, parameters: PdfDictionary): Promise<(field: string) => boolean> {
  const action = nameOf(await view.resolve(parameters.entries.get('Action')))
  const list = await view.resolve(parameters.entries.get('Fields'))
  const names = new Set((isList(list) ? list : []).filter(isString).map(({ octets }) => textOf(octets)))
  const named = (field: string): boolean => [...names].some((name) => field === name || field.startsWith(`${name}.`))
  if (action === 'All') return () => true
  return action === 'Include' ? named : action === 'Exclude' ? (field) => !named(field) : () => false
}
