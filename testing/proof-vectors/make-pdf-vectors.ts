import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../keyring.ts'
import { stampText } from '../signed-pdf.ts'
import { findsIn, writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'
import { attacksOn, signedForms } from './pdf-attacks.ts'

/** Writes the vectors of signed PDFs: `node testing/proof-vectors/make-pdf-vectors.ts`. The keys are in a folder that goes. */
const bytesOf = (pdf: string): Uint8Array => new Uint8Array(Buffer.from(pdf, 'latin1'))

const folder = await temporaryFolder()
try {
  const forms = await signedForms(folder.dir)
  const { signed, certified, time, trust, platformOnly } = forms
  const cases: Case[] = [
    { name: 'a sound signature', file: 'signed.pdf', bytes: bytesOf(signed), finds: {} },
    { name: 'a certified document', file: 'certified.pdf', bytes: bytesOf(certified), finds: {} },
    { name: 'another time stamp over it', editOf: 'signed.pdf', bytes: bytesOf(await stampText(signed, time)), finds: {} },
    {
      name: 'roots that name nobody',
      file: 'signed.pdf',
      known: { trust: 'none.pem' },
      finds: { time_trust: 'indeterminate no_roots', trust: 'indeterminate no_roots' },
    },
    {
      name: 'the root of the signer alone',
      file: 'signed.pdf',
      known: { trust: 'platform.pem' },
      finds: { time_trust: 'indeterminate not_among_roots' },
    },
    {
      name: 'the root of the authority alone',
      file: 'signed.pdf',
      known: { trust: 'time.pem' },
      finds: { trust: 'indeterminate not_among_roots' },
    },
  ]
  for (const [name, { pdf, finds }] of Object.entries(attacksOn(forms))) {
    const text = await pdf()
    const found = findsIn(finds)
    // Its own certificate is trusted here, so that nothing but the key is at fault.
    const isWeak = 'algorithm' in found
    if (isWeak) delete found['trust']
    const isOfCertified = text.startsWith(certified.slice(0, 1200)) && !text.startsWith(signed.slice(0, 1200))
    cases.push({
      name,
      ...(isWeak ? { known: { trust: 'weak.pem' } } : {}),
      editOf: isOfCertified ? 'certified.pdf' : 'signed.pdf',
      bytes: bytesOf(text),
      finds: found,
    })
  }
  const pem = Buffer.from(trust).toString()
  await writeGallery('pdf', {
    known: { now: new Date().toISOString(), trust: 'roots.pem' },
    usual: { revocation: 'noted revocation_absent', timestamp: 'noted timestamp_absent' },
    unusable: ['not a PDF', 'unsigned'],
    cases,
    files: {
      'roots.pem': trust,
      'platform.pem': platformOnly,
      'time.pem': pem.replace(Buffer.from(platformOnly).toString(), ''),
      'none.pem': '',
      'weak.pem': await readFile(join(folder.dir, 'weak.pem')),
    },
  })
} finally {
  await folder.remove()
}
