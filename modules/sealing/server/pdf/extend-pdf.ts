import { createHash } from 'node:crypto'
import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import type { PdfRef } from '@libpdf/core'
import type { RevocationEvidence } from '../revocation/ask-issuer.ts'
import { addField, loadForUpdate, reservedBytes } from './load-for-update.ts'

export type ValidationData = RevocationEvidence & {
  /** DER of every certificate that the check of the signature needs. */
  readonly certificates: readonly Uint8Array[]
}

/**
 * From PAdES B-T to B-LTA (EN 319 142-1 §6.3): a security store with all that its check needs, and a document timestamp over it
 * and everything before. Two incremental updates: every octet of `pdf` stays as it is.
 * @param contents of the signature, its zeros included: the store names it by their SHA-1 (§5.4.2.2).
 * @param stamp answers the bare token over a SHA-256.
 */
export async function extendPdf(
  pdf: Uint8Array,
  contents: Uint8Array,
  data: ValidationData,
  stamp: (digest: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const document = await loadForUpdate(pdf)
  const streams = (all: readonly Uint8Array[]): PdfRef[] => unique(all).map((bytes) => document.createStream({}, bytes))
  const certificates = streams(data.certificates)
  const lists = streams(data.crls)
  const answers = streams(data.ocsps)
  const array = (refs: readonly PdfRef[]): PdfArray => PdfArray.of(...refs)
  const parts = (names: readonly [string, string, string]): Record<string, PdfArray> => ({
    [names[0]]: array(certificates),
    ...(lists.length > 0 ? { [names[1]]: array(lists) } : {}),
    ...(answers.length > 0 ? { [names[2]]: array(answers) } : {}),
  })
  const key = createHash('sha1').update(contents).digest('hex').toUpperCase()
  const related = document.register(PdfDict.of({ Type: PdfName.of('VRI'), ...parts(['Cert', 'CRL', 'OCSP']) }))
  const store = document.register(
    PdfDict.of({
      Type: PdfName.of('DSS'),
      ...parts(['Certs', 'CRLs', 'OCSPs']),
      VRI: document.register(PdfDict.of({ [key]: related })),
    }),
  )
  document.getCatalog().set('DSS', store)
  const stored = await document.save({ incremental: true })
  if (!startsWith(stored, pdf)) throw new Error('the PDF library did not write an incremental update')
  const again = await loadForUpdate(stored)
  const { bytes } = await again.addTimestamp({
    timestampAuthority: { timestamp: stamp },
    fieldName: addField(again, 'Timestamp'),
    digestAlgorithm: 'SHA-256',
    estimatedSize: reservedBytes,
  })
  if (!startsWith(bytes, stored)) throw new Error('the PDF library did not write an incremental update')
  return bytes
}

function unique(all: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(all.map((bytes) => [createHash('sha256').update(bytes).digest('hex'), bytes])).values()]
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length > start.length && Buffer.compare(bytes.subarray(0, start.length), start) === 0
}
