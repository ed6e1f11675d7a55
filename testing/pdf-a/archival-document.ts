import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../platform/log/log.ts'
import type { PrintedDocument } from '../../platform/print/document/printed-document.ts'
import { typeset } from '../../platform/print/typeset/typeset.ts'
import { createTimestampers, signPdf } from '../../modules/sealing/server/index.ts'
import type { Keyring } from '../../modules/sealing/server/index.ts'

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#b3321f"/></svg>'

const printed: PrintedDocument = {
  language: 'fr-FR',
  title: 'Œuvres',
  subject: 'Un essai',
  date: new Date('2026-11-20T10:11:12.345Z'),
  look: 'report',
  running: {
    head: ['À gauche', 'à droite'],
    foot: 'Au pied',
    pageOf: 'page {page} sur {pages}',
    onPage: '{page}',
    byCode: '{count}',
    cover: false,
  },
  mark: null,
  blocks: [
    { kind: 'heading', level: 1, text: 'Le titre' },
    { kind: 'paragraph', text: 'Ce que la page montrait.' },
    { kind: 'figure', picture: { file: 'carre.svg', alt: 'Un carré rouge' }, width: 20, caption: 'Pièce 1' },
  ],
  files: [{ name: 'carre.svg', content: Buffer.from(picture) }],
  attachments: [{ name: 'a.json', mediaType: 'application/json', description: 'ce qui est dit', bytes: Buffer.from('{"a":1}') }],
}

export type Levels = { readonly unsigned: Uint8Array; readonly t: Uint8Array; readonly lta: Uint8Array }

/** A short document with a picture and an attachment, as it is set and at the levels at which it is signed: PAdES B-T and B-LTA. */
export async function archivalDocument(dir: string, keyring: Keyring): Promise<Levels> {
  const unsigned = await typeset(printed, { folder: join(dir, 'typeset'), signal: AbortSignal.timeout(120_000) })
  const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })
  const deps = { keyring, timestampers, clock: systemClock, reason: 'Scelle l’essai' }
  return {
    unsigned,
    // An issuer that gives no answer leaves it there.
    t: await signPdf(unsigned, { ...deps, evidence: async () => await Promise.resolve(undefined) }),
    lta: await signPdf(unsigned, deps),
  }
}
