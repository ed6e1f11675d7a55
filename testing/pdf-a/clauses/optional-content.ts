import { isReference, isString, latin } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { PdfValue } from '../../../modules/verification/domain/pdf/document/syntax.ts'
import type { Archive, Finding } from '../read/archive.ts'

/** §6.9: configurations of optional content have each a name of its own, no AS, and in Order every group. */
export async function optionalContent(archive: Archive): Promise<Finding[]> {
  const properties = await archive.dictionary(archive.catalog, 'OCProperties')
  if (properties === undefined) return []
  const found: Finding[] = []
  const of = (words: string): void => void found.push({ clause: '6.9', object: 'optional content', words })
  const groups = (await archive.list(properties, 'OCGs')).flatMap((each) => (isReference(each) ? [each.reference] : []))
  const names = new Set<string>()
  for (const configuration of [await archive.get(properties, 'D'), ...(await archive.list(properties, 'Configs'))]) {
    const name = await archive.get(configuration, 'Name')
    const text = isString(name) ? latin(name.octets) : ''
    if (text === '') of('a configuration has no name')
    else if (names.has(text)) of('two configurations have the same name')
    names.add(text)
    if ((await archive.get(configuration, 'AS')) !== undefined) of('a configuration has AS')
    if ((await archive.get(configuration, 'Order')) === undefined) continue
    const ordered = new Set<number>()
    await gather(archive, await archive.list(configuration, 'Order'), ordered, 0)
    if (groups.some((group) => !ordered.has(group))) of('Order leaves out a group')
  }
  return found
}

async function gather(archive: Archive, order: readonly PdfValue[], into: Set<number>, depth: number): Promise<void> {
  for (const each of order) {
    if (isReference(each)) into.add(each.reference)
    const whole = await archive.view.resolve(each)
    if (Array.isArray(whole) && depth < 32) await gather(archive, whole, into, depth + 1)
  }
}
