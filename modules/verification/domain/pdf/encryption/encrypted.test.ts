import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runTool, temporaryFolder } from '../../../../../testing/keyring.ts'
import { signedForms, stream } from '../../../../../testing/proof-vectors/pdf-attacks.ts'
import type { SignedForms } from '../../../../../testing/proof-vectors/pdf-attacks.ts'
import { appendUpdate, formObjects, signText, writePdf } from '../../../../../testing/signed-pdf.ts'
import { readFolder } from '../../../../sealing/server/keyring/keyring-file.ts'
import { issueRevocationList } from '../../../../sealing/server/certificates/issue-revocation-list.ts'
import { MalformedError } from '../../encoding/der.ts'
import { fileOfBytes } from '../../dossier/dropped/dossier-units.ts'
import type { ProofReport } from '../../report/proof-report.ts'
import { openDocument } from '../document/document.ts'
import { readAttachments } from '../read-attachments.ts'
import { verifyPdfProof } from '../verify-pdf-proof.ts'
import { decipherDocument } from './decipher-document.ts'
import { below, seed, share } from '../../../../../testing/sweep.ts'

/** Every form of the standard security handler that qpdf writes (ISO 32000-2 §7.6). */
const forms: Readonly<Record<string, readonly string[]>> = {
  'V1 R2, RC4 of 40 bits': ['40', '--'],
  'V2 R3, RC4 of 128 bits': ['128', '--use-aes=n', '--'],
  'V4 R4, RC4 by crypt filters, metadata in clear': ['128', '--use-aes=n', '--force-V4', '--cleartext-metadata', '--'],
  'V4 R4, AES of 128 bits': ['128', '--use-aes=y', '--'],
  'V4 R4, AES of 128 bits, metadata in clear': ['128', '--use-aes=y', '--cleartext-metadata', '--'],
  'V4 R4, AES of 128 bits, object streams': ['128', '--use-aes=y', '--', '--object-streams=generate'],
  'V5 R5, AES of 256 bits': ['256', '--force-R5', '--'],
  'V5 R6, AES of 256 bits': ['256', '--'],
  'V5 R6, AES of 256 bits, metadata in clear': ['256', '--cleartext-metadata', '--'],
  'V5 R6, AES of 256 bits, object streams': ['256', '--', '--object-streams=generate'],
}
const attached = 'What stands in the attached file.'

let dir: string
let keys: SignedForms
let plain: string

beforeAll(async () => {
  const folder = await temporaryFolder()
  dir = folder.dir
  keys = await signedForms(dir)
  const { entries } = await readFolder(`${dir}/keys`)
  const [platform = '', time = ''] = (['platform-ca', 'time-ca'] as const).map((slot) => {
    const authority = entries.get(slot)?.at(-1)
    if (authority === undefined) throw new Error('no authority')
    return stream(Buffer.from(issueRevocationList(authority, new Date())).toString('latin1'))
  })
  const objects = {
    ...formObjects(),
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R /DSS 13 0 R /Metadata 16 0 R >>',
    13: '<< /CRLs [14 0 R 15 0 R] >>',
    14: platform,
    15: time,
    16: '<< /Type /Metadata /Subtype /XML /Length 10 >>\nstream\n<x:xmpmeta\nendstream',
  }
  plain = join(dir, 'plain.pdf')
  // A number holds the place of each that the signature states.
  await writeFile(plain, Buffer.from(writePdf(objects).replaceAll('**********', '9999999999'), 'latin1'))
  await writeFile(join(dir, 'attached.txt'), attached)
  return () => folder.remove()
}, 120_000)

async function encrypted(options: readonly string[], user = ''): Promise<string> {
  const lock = ['--allow-weak-crypto', '--stream-data=compress', '--encrypt', user, 'owner', ...options]
  const { code, output } = await runTool(dir, 'qpdf', plain, '--add-attachment', 'attached.txt', '--', ...lock, 'encrypted.pdf')
  expect(code, output).toBe(0)
  const text = (await readFile(join(dir, 'encrypted.pdf'))).toString('latin1').replaceAll('9999999999', '**********')
  const signer = await keys.keyring.signer('platform')
  return await signText(text, { signer, timestamper: keys.time })
}

const bytesOf = (pdf: string): Uint8Array => new Uint8Array(Buffer.from(pdf, 'latin1'))
const verify = async (pdf: string): Promise<ProofReport> =>
  await verifyPdfProof({ file: fileOfBytes('a.pdf', bytesOf(pdf)) }, { now: () => new Date(), trust: keys.trust })
const findings = ({ checks }: ProofReport): string[] =>
  checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)
const attachmentsOf = async (pdf: string): Promise<string[]> => {
  const { files } = await readAttachments(fileOfBytes('a.pdf', bytesOf(pdf)), undefined)
  return files.map(({ name, bytes }) => `${name}: ${new TextDecoder().decode(bytes)}`)
}
const pdfsig = async (pdf: string): Promise<string> => {
  await writeFile(join(dir, 'signed.pdf'), bytesOf(pdf))
  return (await runTool(dir, 'pdfsig', '-nocert', 'signed.pdf')).output
}

test.each(Object.entries(forms))(
  '%s: a signed document that opens without a password is verified like any other, its validation data and attachments too',
  async (_, options) => {
    const pdf = await encrypted(options)
    expect(pdf).toContain('/Encrypt')
    expect(pdf).not.toContain('(signature)')
    expect(await pdfsig(pdf)).toContain('Signature is Valid.')
    const report = await verify(pdf)
    expect(findings(report)).toEqual([])
    expect(report.verdict).toBe('TOTAL-PASSED')
    expect(report.facts).toContainEqual({ id: 'signature_field', value: 'signature', form: 'text' })
    // The lists of those who revoke were read: nothing but they makes it last.
    expect(report.facts).toContainEqual({ id: 'level', value: 'PAdES B-LT', form: 'text' })
    expect(await attachmentsOf(pdf)).toEqual([`attached.txt: ${attached}`])
  },
  120_000,
)

test.each(['128', '256'])('%s bits: one that asks for a password is not evaluated, and nothing of it is opened', async (bits) => {
  const pdf = await encrypted([bits, ...(bits === '128' ? ['--use-aes=y'] : []), '--'], 'secret')
  expect(findings(await verify(pdf))).toEqual(['signed~encrypted'])
  expect(await attachmentsOf(pdf)).toEqual([])
})

test('what was changed after the signature is compared in clear', async () => {
  const pdf = await encrypted(['256', '--'])
  const field = /(\d+) 0 obj\n<<[^>]*\/FT \/Tx[^\n]*/.exec(pdf)
  const [, number = '', body = ''] = /(\d+) 0 obj\n(<<[^\n]*\/FT \/Tx[^\n]*>>)\n/.exec(pdf) ?? []
  expect(field).not.toBeNull()
  const trailer = /trailer <<(.*?)\/Size \d+ (.*?)>>\nstartxref/s.exec(pdf)
  const kept = `${trailer?.[1]}${trailer?.[2]}`
  expect(kept).toContain('/Encrypt')
  expect(findings(await verify(appendUpdate(pdf, { [number]: body }, kept)))).toEqual(['covered~uncovered'])
  // Not enciphered: other readers show it as it stands.
  const filled = body.replace('/FT', '/V (Mallory) /FT')
  expect(findings(await verify(appendUpdate(pdf, { [number]: filled }, kept)))).toEqual([
    'later_changes~form_filled',
    'covered~uncovered',
  ])
  const page = /(\d+) 0 obj\n<<[^\n]*\/Type \/Page [^\n]*\/Contents (\d+) 0 R/.exec(pdf)
  const forged = stream('BT /F 20 Tf 50 150 Td (You owe 999 euros) Tj ET')
  expect(findings(await verify(appendUpdate(pdf, { [page?.[2] ?? '']: forged }, kept)))).toContain('later_changes=unreadable')
  // Another lock is another document.
  const other = kept.replace(/\/Encrypt \d+ 0 R/, '')
  expect(findings(await verify(appendUpdate(pdf, { [number]: body }, other)))).toContain('later_changes=content_changed')
})

test('a stream that is not enciphered says so, and is read as it stands', async () => {
  const pdf = await encrypted(['256', '--'])
  const [, root = '', entries = ''] = /(\d+) 0 obj\n<<([^\n]*\/Type \/Catalog[^\n]*)>>\n/.exec(pdf) ?? []
  const clear = `<< /Type /EmbeddedFile /Filter [/Crypt] /DecodeParms [<< /Name /Identity >>] /Length ${attached.length} >>`
  const trailer = /trailer <<(.*?)\/Size \d+ (.*?)>>\nstartxref/s.exec(pdf)
  const updated = (dictionary: string): string =>
    appendUpdate(
      pdf,
      {
        [root]: `<< ${entries} /AF [90 0 R] >>`,
        90: '<< /Type /Filespec /F (clear.txt) /EF << /F 91 0 R >> >>',
        91: `${dictionary}\nstream\n${attached}\nendstream`,
      },
      `${trailer?.[1]}${trailer?.[2]}`,
    )
  expect(await attachmentsOf(updated(clear))).toEqual([`attached.txt: ${attached}`, `clear.txt: ${attached}`])
  for (const other of [clear.replace('/Identity', '/Unknown'), clear.replace('[/Crypt]', '[]')])
    expect(await attachmentsOf(updated(other))).toEqual([`attached.txt: ${attached}`])
})

test('locks that are damaged, of another kind, or that lead in a circle: said, and nothing is green', async () => {
  const long = await encrypted(['256', '--'])
  const short = await encrypted(['128', '--use-aes=n', '--'])
  const [, own = ''] = /\/Encrypt (\d+) 0 R/.exec(long) ?? []
  const damaged: readonly [string, string, string][] = [
    [long, long.replace('/V 5', '/V 7'), 'signed~encrypted'],
    [long, long.replace('/V 5', '/V 4'), 'signed~encrypted'],
    [long, long.replace('/R 6', '/R 9'), 'signed~encrypted'],
    [long, long.replace('/R 6', '/R 5'), 'signed~encrypted'],
    [long, long.replace('/Filter /Standard', '/Filter /Stendard'), 'signed~encrypted'],
    [long, long.replace('/CFM /AESV3', '/CFM /AESV9'), 'signed~encrypted'],
    [long, long.replace('/StmF /StdCF', '/StmF /StdCX'), 'structure=malformed'],
    [long, long.replace(/\/UE (?=<)/, '/UX '), 'structure=malformed'],
    [long, long.replace(/\/U <[0-9a-f]{4}/, '/U <0   '), 'structure=malformed'],
    [long, long.replace(/\/P -?\d+ /, (at) => '/P /x '.padEnd(at.length)), 'structure=malformed'],
    [long, long.replace(`/Encrypt ${own} 0 R`, `/Encrypt ${String(9).repeat(own.length)} 0 R`), 'structure=malformed'],
    [long, long.replace(`\n${own} 0 obj\n<<`, `\n${own} 0 obj\n${own} 0 R <<`), 'structure=malformed'],
    [short, short.replace(/\/P -(\d)/, (_, digit: string) => `/P -${(Number(digit) % 9) + 1}`), 'signed~encrypted'],
    [short, short.replace('/Length 128', '/Length 999'), 'structure=malformed'],
    [short, short.replace('/Length 128', '/Length 127'), 'structure=malformed'],
    [short, short.replace('/Length 128', '/Length 120'), 'signed~encrypted'],
    [short, short.replace(/\/O </, '/X <'), 'structure=malformed'],
    [short, short.replace(/\/ID \[</, '/IX [<'), 'signed~encrypted'],
  ]
  for (const [i, [from, to, finds]] of damaged.entries()) {
    expect(to, `${i}`).not.toBe(from)
    expect(findings(await verify(to)), `${i}`).toEqual([finds])
  }
})

test(`an altered document that is encrypted never passes (seed ${seed})`, async () => {
  const next = below()
  for (const options of [
    ['256', '--', '--object-streams=generate'],
    ['128', '--use-aes=y', '--'],
  ]) {
    const pdf = await encrypted(options)
    for (let i = 0; i < share(600); i += 1) {
      const at = next(pdf.length)
      const altered = pdf.slice(0, at) + String.fromCharCode(pdf.charCodeAt(at) ^ (1 << next(8))) + pdf.slice(at + 1)
      expect((await verify(altered)).verdict, `${options.join(' ')}: ${i}, octet ${at}`).not.toBe('TOTAL-PASSED')
    }
  }
}, 120_000)

test('what is deciphered is bounded, however often a file has its streams read', async () => {
  // One octet more than the cipher gives: refused at once, and counted.
  const bytes = new Uint8Array((48 << 20) + 1)
  const document = openDocument({ size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) }, undefined)
  const deciphered = decipherDocument(document, {
    key: new Uint8Array(32),
    streams: 'aes256',
    strings: 'none',
    embedded: 'none',
    encryptsMetadata: true,
    own: undefined,
    named: () => 'none',
  })
  const dictionary = {
    entries: new Map([['Length', bytes.length]]),
    ambiguous: false,
    start: 0,
    end: 0,
    stream: { start: 0, number: 1, generation: 0 },
  }
  const outcomes: string[] = []
  for (let i = 0; i < 12; i += 1)
    await deciphered
      .stream(dictionary, async (value) => value)
      .catch((error: unknown) => {
        if (!(error instanceof MalformedError)) throw error
        outcomes.push(error.message)
      })
  expect(outcomes).toEqual([
    ...Array.from({ length: 10 }, () => 'an enciphered stream'),
    'too much to decipher',
    'too much to decipher',
  ])
})
