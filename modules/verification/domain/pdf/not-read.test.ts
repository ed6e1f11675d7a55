import { expect, test } from 'vitest'
import { verifyDossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'

/** A document of three objects, whose trailer says what a test wants. */
function pdf(trailer: string, more = ''): Uint8Array {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', `<<${more}>>`]
  const places: number[] = []
  let text = '%PDF-1.7\n'
  for (const [i, object] of objects.entries()) {
    places.push(text.length)
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
  }
  const entries = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 4\n0000000000 65535 f \n${entries}trailer\n<</Size 4/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`
  return new Uint8Array(Buffer.from(text + table, 'latin1'))
}
const encrypt = '/Encrypt 3 0 R/ID[<00><00>]'
const signature = '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 3]/Contents<00>'

async function alone(bytes: Uint8Array) {
  const { items } = await verifyDossier([fileOfBytes('given.pdf', bytes)], { now: () => new Date('2026-11-21T12:00:00Z') })
  const result = items[0]?.result
  return result?.form === 'proof'
    ? [
        result.report.verdict,
        ...result.report.checks.map(({ id, status, data }) => `${id} ${status} ${data['reason'] ?? ''}`.trim()),
      ]
    : result?.form
}

test('a signed document that another handler encrypted is said not to be evaluated, never to be damaged', async () => {
  expect(await alone(pdf(encrypt, signature))).toEqual(['INDETERMINATE', 'structure passed', 'signed indeterminate encrypted'])
})

test('a document that nobody signed is no proof and no broken one, encrypted or not', async () => {
  expect(await alone(pdf(''))).toBe('document')
  expect(await alone(pdf(encrypt))).toBe('document')
})
