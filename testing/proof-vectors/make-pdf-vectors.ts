import { temporaryFolder } from '../keyring.ts'
import { stampText } from '../signed-pdf.ts'
import { writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'
import { attacksOn, signedForms } from './pdf-attacks.ts'

/** Writes the vectors of signed PDFs: `node testing/proof-vectors/make-pdf-vectors.ts`. The keys are in a folder that goes. */
const bytesOf = (pdf: string): Uint8Array => new Uint8Array(Buffer.from(pdf, 'latin1'))
/** Besides what an attack changes: nobody enclosed what revocation would be read from. */
const usual = { revocation: 'noted revocation_absent' }

/** `id=reason` fails, `id~reason` is open. */
function findsIn(finds: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    finds.map((each) => {
      const [, id = '', sign, reason = ''] = /^(\w+)([=~])(\w+)$/.exec(each) ?? []
      return [id, `${sign === '=' ? 'failed' : 'indeterminate'} ${reason}`]
    }),
  )
}

const folder = await temporaryFolder()
try {
  const forms = await signedForms(folder.dir)
  const { signed, certified, time, trust, platformOnly } = forms
  const cases: Case[] = [
    { name: 'a sound signature', file: 'signed.pdf', bytes: bytesOf(signed), finds: usual },
    { name: 'a certified document', file: 'certified.pdf', bytes: bytesOf(certified), finds: usual },
    { name: 'another time stamp over it', editOf: 'signed.pdf', bytes: bytesOf(await stampText(signed, time)), finds: usual },
    { name: 'roots that name nobody', file: 'signed.pdf', known: { trust: 'none.pem' }, finds: { ...usual, time_trust: 'indeterminate no_roots', trust: 'indeterminate no_roots' } },
    { name: 'the root of the signer alone', file: 'signed.pdf', known: { trust: 'platform.pem' }, finds: { ...usual, time_trust: 'indeterminate not_among_roots' } },
    { name: 'the root of the authority alone', file: 'signed.pdf', known: { trust: 'time.pem' }, finds: { ...usual, trust: 'indeterminate not_among_roots' } },
  ]
  for (const [name, { pdf, finds }] of Object.entries(attacksOn(forms))) {
    const text = await pdf()
    const isOfCertified = text.startsWith(certified.slice(0, 1200)) && !text.startsWith(signed.slice(0, 1200))
    cases.push({ name, editOf: isOfCertified ? 'certified.pdf' : 'signed.pdf', bytes: bytesOf(text), finds: { ...usual, ...findsIn(finds) } })
  }
  const pem = Buffer.from(trust).toString()
  await writeGallery('pdf', {
    known: { now: new Date().toISOString(), trust: 'roots.pem' },
    cases,
    files: { 'roots.pem': trust, 'platform.pem': platformOnly, 'time.pem': pem.replace(Buffer.from(platformOnly).toString(), ''), 'none.pem': '' },
  })
} finally {
  await folder.remove()
}
