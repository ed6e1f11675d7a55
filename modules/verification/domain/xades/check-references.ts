import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { digestWeakness, isWeakAt, labelOf } from '../certificate/strength.ts'
import { malformed } from '../encoding/der.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import { dereference } from '../xml/dereference.ts'
import type { Reference, SignedXml } from '../xml/dereference.ts'
import { childrenOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { ds } from '../xml/xml-signature.ts'

/** A container of a thousand files has as many. */
const mostReferences = 10_000

/** Those of ds:SignedInfo, then those of each ds:Manifest that is signed (XMLDSIG §5.1). @throws MalformedError */
export async function referencesOf(info: XmlElement, signed: SignedXml): Promise<{ own: Reference[]; listed: Reference[] }> {
  const all = async (parent: XmlElement): Promise<Reference[]> => {
    const elements = childrenOf(parent, ds, 'Reference')
    if (elements.length > mostReferences) malformed('too many references')
    const found: Reference[] = []
    for (const each of elements) found.push(await dereference(each, signed))
    return found
  }
  const own = await all(info)
  if (own.length === 0) malformed('a signature over nothing')
  const listed: Reference[] = []
  for (const { target } of own) {
    if (target === undefined || !('local' in target)) continue
    const manifests = target.local === 'Manifest' ? [target] : target.local === 'Object' ? childrenOf(target, ds, 'Manifest') : []
    for (const each of manifests) if (each.namespace === ds) listed.push(...(await all(each)))
  }
  return { own, listed }
}

/** Whether something is what was signed. @param now as of when its digest must hold */
export async function referenceCheck(reference: Reference, now: Date): Promise<ProofCheck> {
  const { uri, stated, flaw, target } = reference
  const subject = uri === undefined || uri === '' ? undefined : target !== undefined && 'name' in target ? target.name : uri
  const base = { id: 'reference', ...(subject === undefined ? {} : { subject }) }
  const algorithm = stated.name === undefined ? stated.uri.slice(0, 200) : labelOf(stated.name)
  const data = { algorithm, name: flaw?.name ?? '' }
  if (flaw !== undefined) return { ...base, status: flaw.status, data: { ...data, reason: flaw.reason } }
  if (stated.name === undefined) return { ...base, status: 'indeterminate', data: { ...data, reason: 'unknown_digest' } }
  const found = await reference.digest(stated.name)
  if (found === undefined) return { ...base, status: 'indeterminate', data: { ...data, reason: 'content_absent' } }
  const says = { ...data, digest: toHex(found) }
  if (!equalBytes(found, stated.value)) return { ...base, status: 'failed', data: { ...says, reason: 'differs' } }
  const weak = digestWeakness(stated.name)
  return weak !== undefined && isWeakAt(weak, now)
    ? { ...base, status: 'indeterminate', data: { ...says, reason: 'weak_digest' } }
    : { ...base, status: 'passed', data: says }
}
