import type { Reference } from '../xml/dereference.ts'
import type { XmlDocument, XmlElement } from '../xml/read-xml.ts'
import { ds } from '../xml/xml-signature.ts'

const isSignature = ({ namespace, local }: XmlElement): boolean => namespace === ds && local === 'Signature'
const isPart = ({ namespace, local }: XmlElement): boolean =>
  namespace === ds && (local === 'SignedInfo' || local === 'SignatureValue' || local === 'KeyInfo')
/** What holds signatures and nothing else: in a container (EN 319 162-1), and for several over files beside it. */
const holders = ['XAdESSignatures', 'document-signatures']

/**
 * The name of the first part of a document that no reference is over and that is no part of a signature; undefined when there is none.
 * Who wraps what was signed into something else leaves such a part.
 */
export function partLeftOut({ root, before, after }: XmlDocument, references: readonly Reference[]): string | undefined {
  const covered = new Map<XmlElement | XmlDocument, Reference[]>()
  for (const each of references)
    if (each.target !== undefined && !('digest' in each.target))
      covered.set(each.target, [...(covered.get(each.target) ?? []), each])
  const whole = [...covered].some(([target]) => 'root' in target)
  if (whole) return within(root)
  // Comments say nothing to programs; an instruction does.
  if ([...before, ...after].some(({ isComment }) => !isComment)) return '<?'
  return partOf(root)

  /** In what is covered, only signatures are left out. */
  function within(element: XmlElement): string | undefined {
    if (isSignature(element)) return ofSignature(element)
    for (const each of element.children) {
      const found = typeof each === 'string' ? undefined : within(each)
      if (found !== undefined) return found
    }
    return undefined
  }

  function partOf(element: XmlElement): string | undefined {
    if (covered.has(element)) return within(element)
    if (isSignature(element)) return ofSignature(element)
    const holds = element === root && holders.includes(element.local) && element.attributes.length === 0
    return holds ? ofChildren(element) : element.local
  }

  function ofChildren(element: XmlElement): string | undefined {
    for (const each of element.children) {
      const found = typeof each === 'string' ? (each.trim() === '' ? undefined : element.local) : partOf(each)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Its objects hold data, besides its own properties, which are verified with it. */
  function ofSignature(signature: XmlElement): string | undefined {
    if (covered.has(signature)) return undefined
    for (const object of signature.children) {
      if (typeof object === 'string' || covered.has(object) || isPart(object)) continue
      if (object.local !== 'Object' || object.namespace !== ds) return object.local
      for (const each of object.children) {
        if (typeof each === 'string' ? each.trim() === '' : each.local === 'QualifyingProperties') continue
        const found = typeof each === 'string' ? 'Object' : partOf(each)
        if (found !== undefined) return found
      }
    }
    return undefined
  }
}
