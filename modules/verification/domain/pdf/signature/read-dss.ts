import { MalformedError } from '../../encoding/der.ts'
import type { RevocationData } from '../../cms/revocation.ts'
import { readCertificate } from '../../certificate/x509.ts'
import type { Certificate } from '../../certificate/x509.ts'
import type { PdfDocument } from '../document/document.ts'
import type { View } from '../document/view.ts'
import { isDictionary, isList } from '../document/syntax.ts'

export type SecurityStore = {
  readonly present: boolean
  readonly certificates: readonly Certificate[]
  readonly evidence: RevocationData
}

const mostStreams = 256
const largest = 8 << 20

/** The document security store of a revision (EN 319 142-1 §5.4.2): what was kept to check its signatures later. */
export async function readSecurityStore(document: PdfDocument, view: View): Promise<SecurityStore> {
  const catalog = await view.resolve(view.trailer.get('Root'))
  const store = isDictionary(catalog) ? await view.resolve(catalog.entries.get('DSS')) : undefined
  if (!isDictionary(store)) return { present: false, certificates: [], evidence: { crls: [], ocsps: [] } }
  let left = mostStreams
  const streams = async (key: string): Promise<Uint8Array[]> => {
    const list = await view.resolve(store.entries.get(key))
    const found: Uint8Array[] = []
    for (const each of isList(list) ? list : []) {
      left -= 1
      if (left < 0) break
      try {
        const stream = await view.resolve(each)
        const bytes = isDictionary(stream) ? await document.stream(stream, view.resolve, largest) : undefined
        if (bytes !== undefined) found.push(bytes)
      } catch (error) {
        if (!(error instanceof MalformedError)) throw error
      }
    }
    return found
  }
  const certificates: Certificate[] = []
  for (const encoded of await streams('Certs')) {
    try {
      certificates.push(readCertificate(encoded, 'lenient'))
    } catch (error) {
      if (!(error instanceof MalformedError || error instanceof RangeError)) throw error
    }
  }
  return { present: true, certificates, evidence: { crls: await streams('CRLs'), ocsps: await streams('OCSPs') } }
}
