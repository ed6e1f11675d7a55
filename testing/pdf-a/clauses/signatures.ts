import { MalformedError } from '../../../modules/verification/domain/encoding/der.ts'
import { readCms } from '../../../modules/verification/domain/cms/read-cms.ts'
import { findSignatures, gapOf } from '../../../modules/verification/domain/pdf/document/find-signatures.ts'
import { readContents } from '../../../modules/verification/domain/pdf/document/read-contents.ts'
import type { Archive, Finding } from '../read/archive.ts'

/**
 * §6.4.3: each signature, document time stamps included, is over the whole file as it was then but for its Contents; these are DER,
 * of one signer, whose certificate is there.
 */
export async function signatures(archive: Archive): Promise<Finding[]> {
  const found: Finding[] = []
  for (const signature of await findSignatures(archive.view)) {
    const object = signature.fieldNumber === undefined ? 'form' : `${signature.fieldNumber} 0 obj`
    const of = (words: string): void => void found.push({ clause: '6.4.3', object, words })
    const gap = await gapOf(archive.document, signature.dictionary)
    if (typeof gap === 'string') {
      of(`ByteRange is not the whole file but Contents: ${gap}`)
      continue
    }
    for (const words of await contentsOf(archive, gap)) of(words)
  }
  return found
}

async function contentsOf(archive: Archive, gap: { readonly start: number; readonly end: number }): Promise<string[]> {
  const contents = await readContents(archive.document, gap)
  if (typeof contents === 'string') return [`Contents are no DER: ${contents}`]
  try {
    const { signers, certificates } = readCms(contents.encoded)
    if (signers.length !== 1) return [`the signature has ${signers.length} signers`]
    return certificates.length === 0 ? ['the certificate of the signer is not there'] : []
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    return [`Contents are no PKCS#7 of one signer: ${error.message}`]
  }
}
