import { createHash } from 'node:crypto'
import { oids } from '../modules/sealing/server/encoding/object-identifiers.ts'
import { attribute, buildSignedData } from '../modules/sealing/server/signed-data/build-signed-data.ts'
import type { Signer } from '../modules/sealing/server/keyring/signer.ts'
import type { Timestamper } from '../modules/sealing/server/timestamps/timestamper.ts'

/** Small PDFs written by hand, so that a test can break exactly one thing of them. Latin-1 text throughout. */
export type Objects = Readonly<Record<number, string>>

const stream = (text: string, entries = ''): string => `<< ${entries}/Length ${text.length} >>\nstream\n${text}\nendstream`

/** A page with a text, a text field (7) and a signature field (8); its signature (9) is not made yet. */
export function formObjects(options: { lock?: string; signature?: string; subFilter?: string } = {}): Objects {
  const { lock = '', signature = '', subFilter = 'ETSI.CAdES.detached' } = options
  return {
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R /Annots [7 0 R 8 0 R] >>',
    4: stream('BT /F 20 Tf 50 150 Td (You owe 100 euros) Tj ET'),
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    6: '<< /Fields [7 0 R 8 0 R] /SigFlags 3 /DA (/F 12 Tf 0 g) >>',
    7: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [50 50 150 70] /P 3 0 R >>',
    8: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (signature) /Rect [0 0 0 0] /P 3 0 R /F 132 /V 9 0 R ${lock}>>`,
    9: `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter} ${signature}/ByteRange [0 ${blank} ${blank} ${blank}] /Contents <${'0'.repeat(room)}> >>`,
    // Signed, and shown by nothing: what a shadow attack turns to later. It holds the text of another object 4.
    10: stream(`\n4 0 obj\n${stream('BT /F 20 Tf 50 150 Td (You owe 999 euros) Tj ET')}\nendobj\n`),
  }
}

const blank = '**********'
const room = 8192

/** One revision: objects, a cross-reference table, a trailer. */
export function writePdf(objects: Objects, before = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', trailer = '/Root 1 0 R'): string {
  return before + revision(objects, before.length, trailer, Math.max(...Object.keys(objects).map(Number)) + 1)
}

/** An incremental update; `trailer` replaces what it says besides Prev and Size. */
export function appendUpdate(pdf: string, objects: Objects, trailer = '/Root 1 0 R'): string {
  const start = [...pdf.matchAll(/startxref\n(\d+)/g)].at(-1)?.[1] ?? '0'
  const size = Math.max(20, ...Object.keys(objects).map((each) => Number(each) + 1))
  return pdf + revision(objects, pdf.length, `${trailer} /Prev ${start}`, size)
}

function revision(objects: Objects, from: number, trailer: string, size: number): string {
  let text = ''
  const places = new Map<number, number>()
  for (const [number, body] of Object.entries(objects)) {
    places.set(Number(number), from + text.length)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const start = from + text.length
  return `${text}${tableOf(places)}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
}

/** A cross-reference table that names places, each in a section of its own. */
export function tableOf(places: ReadonlyMap<number, number>): string {
  const sections = [...places].map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`)
  return `xref\n0 1\n0000000000 65535 f \n${sections.join('')}`
}

export type Signing = {
  readonly signer: Signer
  /** Over the signature; none: B-B. */
  readonly timestamper?: Timestamper
  /** Stamped instead of the signature. */
  readonly stampedInstead?: Uint8Array
  readonly certificates?: readonly Uint8Array[]
}
/** Made by another tool, over the bytes given. */
export type OtherSigning = { readonly cms: (content: Uint8Array) => Promise<Uint8Array> }

/** Fills the signature that stands in the text with blanks, over everything but its Contents. */
export async function signText(pdf: string, signing: Signing | OtherSigning): Promise<string> {
  const start = pdf.lastIndexOf('/Contents <') + '/Contents '.length
  const end = start + room + 2
  const numbers = [start, end, pdf.length - end].map((each) => String(each).padEnd(blank.length))
  const ranged = numbers.reduce((text, number) => text.replace(blank, number), pdf)
  const bytes = Buffer.from(ranged, 'latin1')
  const content = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  const cms = 'cms' in signing ? await signing.cms(content) : await ownSignature(content, signing)
  const hex = Buffer.from(cms).toString('hex')
  if (hex.length > room) throw new Error('no room for the signature')
  return ranged.slice(0, start + 1) + hex.padEnd(room, '0') + ranged.slice(end - 1)
}

async function ownSignature(content: Uint8Array, signing: Signing): Promise<Uint8Array> {
  const { signer, timestamper, stampedInstead } = signing
  return await buildSignedData(signer, {
    contentType: oids.data,
    digest: createHash('sha256').update(content).digest(),
    certificates: signing.certificates ?? [signer.certificate, ...signer.chain],
    unsigned: async (signature) => {
      if (timestamper === undefined) return []
      const stamped = stampedInstead ?? createHash('sha256').update(signature).digest()
      return [attribute(oids.timeStampToken, (await timestamper.timestamp(stamped)).token)]
    },
  })
}

/** What a document timestamp needs, as an update on top: field 11, dictionary 12. */
export async function stampText(pdf: string, timestamper: Timestamper): Promise<string> {
  const updated = appendUpdate(pdf, {
    6: '<< /Fields [7 0 R 8 0 R 11 0 R] /SigFlags 3 /DA (/F 12 Tf 0 g) >>',
    11: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (stamp) /Rect [0 0 0 0] /F 132 /V 12 0 R >>',
    12: `<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 /ByteRange [0 ${blank} ${blank} ${blank}] /Contents <${'0'.repeat(room)}> >>`,
  })
  const start = updated.lastIndexOf('/Contents <') + '/Contents '.length
  const end = start + room + 2
  const numbers = [start, end, updated.length - end].map((each) => String(each).padEnd(blank.length))
  const ranged = numbers.reduce((text, number) => text.replace(blank, number), updated)
  const bytes = Buffer.from(ranged, 'latin1')
  const digest = createHash('sha256').update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest()
  const hex = Buffer.from((await timestamper.timestamp(digest)).token).toString('hex')
  return ranged.slice(0, start + 1) + hex.padEnd(room, '0') + ranged.slice(end - 1)
}
