import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { type Locale, locales } from '../../../../kernel/locale.ts'
import { typeset } from '../../../../platform/print/typeset/typeset.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { runTool, temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { checkArchival } from '../../../../testing/pdf-a/check-archival.ts'
import { logInMemory } from '../../../../testing/log-in-memory.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { createTimestampers, signPdf, type Keyring, type PublicLog, type Timestamper } from '../../../sealing/server/index.ts'
import { hostSha256, nodeHashes, openDossierFiles, verifyDossier } from '../../../verification/server/index.ts'
import { type CertificateDeps, type CertificateInput, makeCertificate } from './make-certificate.ts'
import { sampleDeposit, sampleId, strangest } from './sample-deposit.test-data.ts'
import {
  certificateName,
  detachCommand,
  otsCommand,
  pdfCommand,
  signatureCommand,
  sumCommand,
  timestampCommand,
} from './page/verify-commands.ts'

const file = Buffer.from('Ceci est le contrat.\n')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let outside: OutsideTsa
let keyring: Keyring
let timestampers: readonly Timestamper[]
let publicLog: PublicLog
let single: CertificateInput
beforeAll(async () => {
  folder = await temporaryFolder()
  outside = await startOutsideTsa()
  keyring = await temporaryKeyring(folder.dir)
  publicLog = logInMemory(keyring)
  timestampers = createTimestampers({ urls: [outside.url], keyring, clock: systemClock, log: silentLog })
  single = await sampleDeposit(file, sealing())
}, 180_000)
afterAll(async () => {
  await outside?.close()
  await folder.remove()
})

const sealing = () => ({ keyring, timestampers, clock: systemClock, publicLog })

const deps = (): CertificateDeps => ({
  typeset: async (document) =>
    await typeset(document, { folder: join(folder.dir, 'work'), signal: AbortSignal.timeout(170_000) }),
  signPdf: async (pdf, reason) => await signPdf(pdf, { keyring, timestampers, clock: systemClock, reason }),
  signal: AbortSignal.timeout(170_000),
})

/** Of what is looked at as a page only. */
const unsigned = (): CertificateDeps => ({ ...deps(), signPdf: async (pdf) => await Promise.resolve(pdf) })

/** A folder of its own with the certificate under its name and the file as the commands call it. */
async function lay(name: string, pdf: Uint8Array): Promise<string> {
  const dir = join(folder.dir, name)
  await mkdir(dir)
  await writeFile(join(dir, certificateName(sampleId)), pdf)
  for (const called of ['FILE', 'FICHIER']) await writeFile(join(dir, called), file)
  return dir
}

async function textOf(dir: string): Promise<string> {
  const { output } = await runTool(dir, 'pdftotext', '-raw', certificateName(sampleId), '-')
  return output.replaceAll(/\s+/g, ' ')
}

const shell = async (dir: string, command: string) => await runTool(dir, 'bash', '-c', command)
const solid = (text: string): string => text.replaceAll(/\s/g, '')

/** Texts of the pictures of a tagged document; undefined for one that has none. */
async function alternativesOf(path: string): Promise<(string | undefined)[]> {
  const { context } = await PDFDocument.load(await readFile(path))
  return context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (!(object instanceof PDFDict) || object.get(PDFName.of('S')) !== PDFName.of('Figure')) return []
    return [object.lookupMaybe(PDFName.of('Alt'), PDFString, PDFHexString)?.decodeText()]
  })
}

/** What `/proofs/` computes of the file and all that is attached: nothing of it is false, and the time stamp and the record are found to be about the file. */
async function verifyInBrowser(dir: string, called: string): Promise<void> {
  const names = [called, ...single.proofs.map(({ name }) => name)]
  const opened = await openDossierFiles(names.map((name) => join(dir, name)))
  const dossier = await verifyDossier(opened.files, {
    now: () => new Date(),
    sha256: hostSha256,
    hashes: nodeHashes,
    signal: AbortSignal.timeout(170_000),
  })
  await opened.close()
  const checks = dossier.items.flatMap(({ name, result }) =>
    'report' in result ? result.report.checks.map((check) => ({ name, id: check.id, status: check.status })) : [],
  )
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
  for (const [name, id] of [
    ['document.tsr', 'imprint'],
    ['document.ers', 'document'],
  ] as const)
    expect(checks).toContainEqual({ name, id, status: 'passed' })
}

const said = {
  en: {
    file: 'FILE',
    lines: [
      'Certificate of deposit',
      'Name declared: Contrat de cession – signé le 20 novembre.pdf',
      'Probant did not receive the file itself.',
      'Version signée par les deux parties.',
      'The holder of the account in the name of Ève Œuvrard.',
      'the name is as the holder gave it; Probant has not verified it.',
      'was confirmed on 5 January 2026, 08:00:00 UTC.',
      'Not established to be a qualified electronic time stamp',
      'an independent time authority states it',
      'not yet when this certificate was made',
      'Signature and time stamp are over the fingerprint itself.',
      'Probant has not read it',
      'this is not the act of a public officer',
      'give https://probant.example/proofs/ the file',
    ],
  },
  fr: {
    file: 'FICHIER',
    lines: [
      'Certificat de dépôt',
      'Contrat de cession – signé le 20 novembre.pdf',
      'Probant n’a pas reçu le fichier lui-même.',
      'Version signée par les deux parties.',
      'Le titulaire du compte au nom de Ève Œuvrard.',
      'Probant ne l’a pas vérifié.',
      'a été confirmée le 5 janvier 2026',
      'Qualification non établie',
      'une autorité de temps indépendante l’affirme',
      'pas encore quand ce certificat a été établi',
      'La signature et l’horodatage portent sur l’empreinte elle-même.',
      'Probant ne l’a pas lu',
      'ce n’est pas l’acte d’un officier public',
      'donnez à https://probant.example/proofs/ le fichier',
    ],
  },
} as const satisfies Record<Locale, unknown>

describe('the certificate of a deposit sealed by itself', () => {
  it.each(locales)(
    'C-18 says every fact on one page, signed, tagged, its fonts inside (%s)',
    async (locale) => {
      const { facts } = single
      const pdf = await makeCertificate(single, locale, deps())
      expect(await checkArchival(pdf)).toEqual([])
      const dir = await lay(`single-${locale}`, pdf)
      const text = await textOf(dir)
      for (const line of said[locale].lines) expect(solid(text)).toContain(solid(line))
      const stated = [facts.id, facts.sha256, facts.signer.sha256, facts.signer.subject, facts.stamps[0]?.authority ?? '?']
      for (const fact of stated) expect(solid(text)).toContain(solid(fact))
      const { output: info } = await runTool(dir, 'pdfinfo', certificateName(sampleId))
      expect(info).toMatch(/^Tagged: +yes$/m)
      // Signed, too, it says that it is PDF/A-3a.
      const { output: metadata } = await runTool(dir, 'pdfinfo', '-meta', certificateName(sampleId))
      expect(metadata).toMatch(/pdfaid:part>3<[^]*pdfaid:conformance>A</)
      expect(info).toMatch(/^Pages: +1$/m)
      expect(info).toMatch(new RegExp(`^Title: .*${sampleId}$`, 'm'))
      const { output: fonts } = await runTool(dir, 'pdffonts', certificateName(sampleId))
      const rows = fonts.trim().split('\n').slice(2)
      expect(rows.length).toBeGreaterThan(3)
      for (const row of rows) expect(row).toMatch(/ yes +(yes|no) +yes +\d+ +\d+$/)
      const { output: signatures } = await runTool(dir, 'pdfsig', certificateName(sampleId))
      expect(signatures).toContain('Signature is Valid.')
      expect(signatures).toContain('Signature Type: ETSI.CAdES.detached')
      expect(signatures).toContain('Total document signed')

      // Every command that it gives is on the page, and does on what is attached what the page says of it.
      const { file: called } = said[locale]
      const [stamp] = facts.stamps
      if (stamp === undefined) throw new Error('no stamp')
      const commands = [
        [`${detachCommand(sampleId)}\n${sumCommand(called)}`, facts.sha256],
        [timestampCommand(facts, stamp, called), 'Verification: OK'],
        [signatureCommand, 'CMS Verification successful'],
        [pdfCommand(sampleId), 'Signature is Valid.'],
      ] as const
      for (const [command, result] of commands) {
        expect(solid(text)).toContain(solid(command))
        expect((await shell(dir, command)).output).toContain(result)
      }
      await verifyInBrowser(dir, called)
      await writeFile(join(dir, called), `${file.toString()} `)
      expect((await shell(dir, timestampCommand(facts, stamp, called))).code).not.toBe(0)
      // What is attached is what was made, byte for byte, and the record that says the same as the page.
      for (const { name, bytes } of single.proofs) expect(Buffer.compare(await readFile(join(dir, name)), bytes)).toBe(0)
      const record: unknown = JSON.parse(await readFile(join(dir, 'deposit.json'), 'utf8'))
      expect(record).toMatchObject({
        format: 'probant-deposit/1',
        id: sampleId,
        received: { at: facts.receivedAt, sha256: facts.sha256, sha512: null },
        declared: { name: facts.name, description: facts.description, replaces: [] },
        depositor: { name: 'Ève Œuvrard', identity_verified_at: null },
        seal: { root: facts.sha256, batch: { size: 1, steps: 0 }, log: { blind: facts.log?.blind } },
        certificate: { edition: 1 },
      })
      expect(await readdir(folder.dir)).not.toContain('work')
    },
    120_000,
  )

  it('is not made when it is told to stop', async () => {
    const stopped = { ...unsigned(), signal: AbortSignal.abort(new Error('shutting down')) }
    await expect(makeCertificate(single, 'en', stopped)).rejects.toThrow('shutting down')
  })
})

it('of many deposited together: the token is over the root, and the way from the fingerprint to it is attached', async () => {
  const others = Array.from({ length: 999 }, (_, i) => new Uint8Array(Buffer.from(String(i).padStart(64, '0'), 'hex')))
  const together = await sampleDeposit(file, sealing(), others)
  const { facts } = together
  const dir = await lay('together', await makeCertificate(together, 'en', unsigned()))
  const text = await textOf(dir)
  expect(text).toContain('1,000 fingerprints were deposited together')
  expect(text).toContain(`there are ${facts.batch.steps} steps`)
  expect(facts.batch.steps).toBeGreaterThan(5)
  await shell(dir, detachCommand(sampleId))
  const [stamp] = facts.stamps
  if (stamp === undefined) throw new Error('no stamp')
  expect((await shell(dir, timestampCommand(facts, stamp, 'FILE'))).output).toContain('Verification: OK')
  expect((await shell(dir, `openssl ts -verify -data FILE -in document.tsr -CAfile document-ca.pem`)).code).not.toBe(0)
  const oracle = join(import.meta.dirname, '../../../../e2e/oracles/check_evidence_record.py')
  const { code, output } = await runTool(dir, 'python3', oracle, 'document.ers', '--document', 'FILE')
  expect([code, output]).toEqual([0, expect.any(String)])
})

describe('at its longest and strangest', () => {
  it('takes two pages, shows what cannot be seen by its code, and keeps in the attached record what does not fit', async () => {
    const strange = strangest(single)
    const pdf = await makeCertificate(strange, 'en', unsigned())
    expect(await checkArchival(pdf)).toEqual([])
    const dir = await lay('strange', pdf)
    const { output: info } = await runTool(dir, 'pdfinfo', certificateName(sampleId))
    expect(info).toMatch(/^Pages: +2$/m)
    const text = await textOf(dir)
    for (const line of [
      '<script>alert(1)</script>U+202Efdp.exe',
      '{name}',
      'secondU+2066line',
      'more characters; whole in deposit.json]',
      'A copy of 2.6 GB came as well',
      'Probant has compared its fingerprint, and nothing else',
      'This second fingerprint is not under the time stamp',
      'A file whose name was not told, deposit 0193a1b2-0000-7000-8000-000000000000, sealed 1 November 2026',
      '2 earlier deposits are listed in deposit.json.',
      '{owner} <b>Grace</b> for (no name), who gave access to the account.',
      'with the access key named archiveU+202E {key}',
      'The identity of {owner} <b>Grace</b> was verified on 2 March 2026',
      '(no name): the name is as the holder gave it',
      'No time authority outside Probant was asked',
      'Block 924310; the date is that of the block',
      'It existed before block 924310 of Bitcoin',
      'Page of this deposit, for as long as its owner shares it:',
      'to the verifier of any installation of Probant',
    ])
      expect(solid(text)).toContain(solid(line))
    expect(text).not.toContain('\u202e')
    const alternatives = await alternativesOf(join(dir, certificateName(sampleId)))
    expect(alternatives).toHaveLength(2)
    expect(alternatives).toContainEqual(expect.stringMatching(/^Rosette drawn from the seal [0-9a-f]{4}( [0-9a-f]{4}){3}$/))
    expect(alternatives).toContainEqual('QR code of the address of the page')
    const { output: boxes } = await runTool(dir, 'pdftotext', '-bbox', certificateName(sampleId), '-')
    const right = [...boxes.matchAll(/xMax="([\d.]+)"/g)].map((match) => Number(match[1]))
    expect(Math.max(...right)).toBeLessThan(595 - 44)
    await shell(dir, detachCommand(sampleId))
    const record = JSON.parse(await readFile(join(dir, 'deposit.json'), 'utf8')) as { declared: Record<string, unknown> }
    expect(record.declared).toMatchObject({ name: strange.facts.name, description: strange.facts.description })
    expect(record.declared['replaces']).toHaveLength(5)
  })

  it('says of each kind of time stamp and of a test chain what they are worth', async () => {
    const { facts } = single
    const [first] = facts.stamps
    if (first === undefined) throw new Error('no stamp')
    const source = { territory: 'FR', number: 77, issuedAt: '2026-11-01T10:00:00Z', provider: 'Horodatage \u202eSA' }
    const block = { height: 7, time: '2026-11-21T21:04:05.000Z' }
    const varied = {
      ...single,
      facts: {
        ...facts,
        stamps: [
          { ...first, embedded: true, qualification: { state: 'not_qualified' as const, source: null }, authority: 'Own' },
          {
            ...first,
            qualification: { state: 'qualified' as const, source },
            authority: 'Listed',
            genTime: '2026-11-21T22:00:00.000Z',
          },
          {
            ...first,
            qualification: { state: 'listed' as const, source },
            authority: 'Newer',
            genTime: '2026-11-21T23:00:00.000Z',
          },
        ],
        renewals: [1, 2].map((number) => ({
          ...first,
          file: 'document.ers',
          number,
          caFile: `document-renewal-${String(number)}-ca.pem`,
          authority: `Later ${String(number)}`,
          genTime: `20${String(28 + 2 * number)}-11-21T10:00:00.000Z`,
          qualification: { state: 'qualified' as const, source },
        })),
        anchor: { network: 'test' as const, block },
        log: null,
      },
      proofs: [...single.proofs, { name: 'document.ots', mediaType: 'application/octet-stream', bytes: new Uint8Array(9) }],
    }
    const dir = await lay('varied', await makeCertificate(varied, 'fr', unsigned()))
    const text = solid(await textOf(dir))
    for (const line of [
      'Horodatage 1',
      'Ce n’est pas un horodatage électronique qualifié.',
      'Délivré par l’autorité de temps de Probant, qui n’est pas indépendante de Probant.',
      'Horodatage électronique qualifié. Liste de confiance FR, nº 77, du 1er novembre 2026 : Horodatage U+202ESA. Son exactitude est présumée',
      'La plus récente liste de confiance donne ce service pour qualifié, mais elle est antérieure à l’horodatage',
      'existait au plus tard le 21 novembre 2026 à 22 h 00 min 00 s UTC',
      'Horodatage renouvelé (2 fois) 21 novembre 2032 à 10 h 00 min 00 s UTC',
      'Later 2, jeton',
      // What was renewed is checked as of its own instant.
      `-attime ${String(Date.parse('2026-11-21T22:00:00.000Z') / 1000)}`,
      'Bloc 7 d’un réseau d’essai de Bitcoin, qui ne prouve rien à des tiers.',
      'non inscrit à un journal public',
      otsCommand('FICHIER'),
    ])
      expect(text).toContain(solid(line))
    expect(text).not.toContain(solid('Il existait avant le bloc'))
    // Our own alone: what it proves rests on us, and that is said.
    const own = { ...varied, facts: { ...varied.facts, stamps: varied.facts.stamps.slice(0, 1), anchor: null } }
    const alone = await lay('own', await makeCertificate(own, 'fr', unsigned()))
    expect(solid(await textOf(alone))).toContain(solid('l’autorité de temps de Probant l’affirme, et cela repose sur Probant'))
    expect(solid(await textOf(alone))).toContain(solid('non inscrit dans la chaîne'))
  })
})
