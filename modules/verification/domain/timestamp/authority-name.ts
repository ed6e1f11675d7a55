import { equalBytes } from '../../../../kernel/bytes.ts'
import { ids } from '../certificate/object-ids.ts'
import { orUndefined } from '../cms/check-signer.ts'
import { children, readDer } from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import type { Certificate } from '../certificate/x509.ts'

/** RFC 3161 §2.4.2: the name that the stamp gives its authority is one of those in the certificate. */
export function authorityNameCheck(authority: Der, certificate: Certificate): ProofCheck {
  const id = 'authority_name'
  const alternatives = certificate.extensions.get(ids.subjectAlternativeName)
  const names = alternatives === undefined ? [] : (orUndefined(() => children(readDer(alternatives.value, 0x30))) ?? [])
  const isSubject = authority.tag === 0xa4 && sameName(authority.contents, certificate.subject)
  const isNamed = isSubject || names.some(({ encoded }) => equalBytes(encoded, authority.encoded))
  return isNamed
    ? { id, status: 'passed', data: {} }
    : { id, status: 'indeterminate', data: { reason: 'other_authority_name', name: certificate.name } }
}

/** Names compare without regard to the string type, to case and to runs of spaces (RFC 5280 §7.1). */
function sameName(a: Uint8Array, b: Uint8Array): boolean {
  return equalBytes(a, b) || orUndefined(() => spelled(a)) === (orUndefined(() => spelled(b)) ?? null)
}

function spelled(name: Uint8Array): string {
  return children(readDer(name, 0x30))
    .map((relative) =>
      children(relative)
        .map((each) => {
          const [type, value] = children(each)
          const text = new TextDecoder().decode(value?.contents)
          return `${type?.contents.join('.')}=${text.trim().replaceAll(/\s+/g, ' ').toLowerCase()}`
        })
        .toSorted()
        .join('+'),
    )
    .join(',')
}
