import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { createTimestampers } from '../../modules/sealing/server/index.ts'
import type { Keyring, Timestamper } from '../../modules/sealing/server/index.ts'
import { issueCertificate } from '../../modules/sealing/server/certificates/issue-certificate.ts'
import { readFolder } from '../../modules/sealing/server/keyring/keyring-file.ts'
import { pemOf, readCertificate } from '../../modules/sealing/server/certificates/read-certificate.ts'
import { issueRevocationList } from '../../modules/sealing/server/certificates/issue-revocation-list.ts'
import { silentLog } from '../../platform/log/log.ts'
import { runTool, temporaryKeyring } from '../keyring.ts'
import { appendUpdate, formObjects, signText, stampText, tableOf, writePdf } from '../signed-pdf.ts'

/** A keyring in `dir/keys`, and two documents that it signed: what PDFs that lie are made from. */
export type SignedForms = {
  readonly dir: string
  readonly keyring: Keyring
  readonly time: Timestamper
  /** Both roots, PEM. */
  readonly trust: Uint8Array
  readonly platformOnly: Uint8Array
  /** B-T, of the platform's own key and authority. */
  readonly signed: string
  /** The same, certified with nothing allowed afterwards. */
  readonly certified: string
}

export async function signedForms(dir: string): Promise<SignedForms> {
  const keyring = await temporaryKeyring(dir)
  const time = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })[0] as Timestamper
  const platform = await keyring.signer('platform')
  const signing = { signer: platform, timestamper: time }
  const reference = '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /P 1 /V /1.2 >> >>] '
  return {
    dir,
    keyring,
    time,
    trust: Buffer.from(pemOf([...platform.chain, ...(await keyring.signer('time')).chain])),
    platformOnly: Buffer.from(pemOf(platform.chain)),
    signed: await signText(writePdf(formObjects()), signing),
    certified: await signText(writePdf(formObjects({ signature: reference })), signing),
  }
}

export const stream = (text: string): string => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
const flipped = (text: string, at: number): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
export const page = (contents: string, annotations = '[7 0 R 8 0 R]'): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Resources << /Font << /F 5 0 R >> >> /Contents ${contents} /Annots ${annotations} >>`
const forged = stream('BT /F 20 Tf 50 150 Td (You owe 999 euros) Tj ET')
export const field = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Rect [50 50 150 70] /P 3 0 R /V (Mallory) >>'
const note = '<< /Type /Annot /Subtype /FreeText /Rect [50 140 250 170] /Contents (You owe 999 euros) /DA (/F 20 Tf) >>'
export const catalog = (more: string): string => `<< /Type /Catalog /Pages 2 0 R /AcroForm 6 0 R ${more}>>`
/** Moves the second part of the signed bytes away, and puts something into the space that this leaves (SWA). */
function wrapped(signed: string): string {
  const [, numbers = '', start = '0', end = '0', rest = '0'] = /\/ByteRange \[(0 (\d+) +(\d+) +(\d+) *)\]/.exec(signed) ?? []
  const changed = signed.replace(`[${numbers}]`, `[${`0 ${start} ${Number(end) + 600} ${rest}`.padEnd(numbers.length)}]`)
  const moved = changed
    .slice(Number(end))
    .replaceAll(/(?<=\n)\d{10}(?= 00000 n)/g, (at) => String(Number(at) + (Number(at) > Number(end) ? 600 : 0)).padStart(10, '0'))
    .replace(/(?<=startxref\n)\d+/, (at) => String(Number(at) + 600))
  return changed.slice(0, Number(end)) + ` /Padding (${'x'.repeat(580)}) `.padEnd(600) + moved
}
/** An update whose table leads to bytes that are signed already (a shadow attack that hides and replaces). */
function repointed(signed: string): string {
  const start = /startxref\n(\d+)/.exec(signed)?.[1] ?? '0'
  const inner = signed.indexOf('4 0 obj', signed.indexOf('\n10 0 obj\n'))
  const table = tableOf(new Map([[4, inner]]))
  return `${signed}${table}trailer\n<< /Size 20 /Root 1 0 R /Prev ${start} >>\nstartxref\n${signed.length}\n%%EOF\n`
}

/** Each attack and each flaw, and exactly what is found. The names of attacks are those of Mladenov et al. (CCS 2019, NDSS 2021). */
export type Attack = { readonly pdf: () => string | Promise<string>; readonly finds: readonly string[] }
export const attacksOn = (forms: SignedForms): Readonly<Record<string, Attack>> => {
  const { keyring, time, signed, certified } = forms
  return {
    'cut short': { pdf: () => signed.slice(0, -40), finds: ['structure=malformed'] },
    'not a PDF': { pdf: () => 'Hello, world', finds: ['structure=not_pdf'] },
    'bytes before the header': { pdf: () => ` ${signed}`, finds: ['structure~bytes_before', 'byte_range=gap_is_not_contents'] },
    unsigned: { pdf: () => writePdf({ ...formObjects(), 8: '<< /FT /Sig /T (signature) >>' }), finds: ['signed=unsigned'] },
    'USF: ByteRange absent': {
      pdf: () => signed.replace('/ByteRange', '/ByteRangx'),
      finds: ['byte_range=range_absent'],
    },
    'USF: Contents absent': { pdf: () => signed.replace('/Contents <', '/Contentz <'), finds: ['byte_range=range_absent'] },
    'USF: Contents null': {
      pdf: () => signed.replace(/\/Contents <[^>]*>/, (found) => `/Contents null${' '.repeat(found.length - 14)}`),
      finds: ['byte_range=not_four_numbers'],
    },
    'USF: ByteRange negative': {
      pdf: () => signed.replace(/\/ByteRange \[0 \d/, '/ByteRange [0 -'),
      finds: ['byte_range=not_four_numbers'],
    },
    'ByteRange does not begin at 0': {
      pdf: () => signed.replace('/ByteRange [0 ', '/ByteRange [1 '),
      finds: ['byte_range=not_from_start'],
    },
    'ByteRange past the end': {
      pdf: () =>
        signed.replace(/(\/ByteRange \[0 \d+ +\d+ +)(\d+) ( *\])/, (_, a: string, rest: string, c: string) => `${a}${rest}0${c}`),
      finds: ['byte_range=past_the_end'],
    },
    'ByteRange ends inside': {
      pdf: () =>
        signed.replace(
          /(\/ByteRange \[0 \d+ +\d+ +)(\d+)(?= *\])/,
          (_, a: string, rest: string) => a + String(Number(rest) - 20),
        ),
      finds: ['byte_range=ends_inside'],
    },
    'SWA: something in a wider gap': { pdf: () => wrapped(signed), finds: ['byte_range=gap_is_not_contents'] },
    'padding after the signature': {
      pdf: () => signed.replace(/0000>/, '0100>'),
      finds: ['contents~bytes_after'],
    },
    'other characters in the gap': { pdf: () => signed.replace(/0000>/, '00 0>'), finds: ['contents=not_hexadecimal'] },
    'a digit in another case': {
      pdf: () => signed.replace(/(\/Contents <[^>a-f]*)([a-f])/, (_, a: string, digit: string) => a + digit.toUpperCase()),
      finds: ['contents=mixed_case'],
    },
    'nothing in the gap': {
      pdf: () => signed.replace(/\/Contents <[0-9a-f]*/, (found) => `/Contents <${'0'.repeat(found.length - 11)}`),
      finds: ['contents=empty'],
    },
    'another format': {
      pdf: () => signed.replace('ETSI.CAdES.detached', 'ETSI.CAdES.unheard_'),
      finds: ['sub_filter~unknown_format'],
    },
    'a word of the page changed': { pdf: () => signed.replace('100 euros', '900 euros'), finds: ['signature=other_content'] },
    'version of the CMS changed': {
      pdf: () => {
        // ContentInfo, [0], SignedData, INTEGER 1.
        const at = signed.indexOf('020101', signed.indexOf('/Contents <')) + 5
        return flipped(signed, at)
      },
      finds: ['octets~version'],
    },
    'a token over something else': {
      pdf: async () =>
        await signText(writePdf(formObjects()), {
          signer: await keyring.signer('platform'),
          timestamper: time,
          stampedInstead: new Uint8Array(32),
        }),
      finds: ['timestamp=other_imprint'],
    },
    'no certificate enclosed': {
      pdf: async () =>
        await signText(writePdf(formObjects()), {
          signer: await keyring.signer('platform'),
          timestamper: time,
          certificates: [],
        }),
      finds: ['signature~certificate_absent'],
    },
    'a certificate of before': {
      pdf: async () => await signText(writePdf(formObjects()), { signer: await shortSigner(forms), timestamper: time }),
      finds: ['certificate=expired'],
    },
    'a key of 1,024 bits': { pdf: () => weaklySigned(forms), finds: ['algorithm~weak_then', 'trust~not_among_roots'] },
    'a revoked certificate': { pdf: () => revoked(forms), finds: ['revocation=revoked_before'] },
    'ISA: page content replaced': {
      pdf: () => appendUpdate(signed, { 4: forged }),
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'ISA: another page tree': {
      pdf: () => appendUpdate(signed, { 2: '<< /Type /Pages /Kids [3 0 R 13 0 R] /Count 2 >>', 13: page('14 0 R'), 14: forged }),
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'ISA: page points to new content': {
      pdf: () => appendUpdate(signed, { 3: page('13 0 R'), 13: forged }),
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'ISA: a body without cross-reference': {
      pdf: () => `${signed}4 0 obj\n${forged}\nendobj\n`,
      finds: ['covered~uncovered'],
    },
    'ISA: font replaced': {
      pdf: () => appendUpdate(signed, { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' }),
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'history left out': {
      pdf: () => {
        const objects = { ...formObjects(), 9: /9 0 obj\n([^]*?)\nendobj/.exec(signed)?.[1] ?? '' }
        return (
          signed +
          writePdf({ ...objects, 4: forged }, '')
            .replaceAll(/(?<=\n)(\d{10})(?= 00000 n)/g, (at) => String(Number(at) + signed.length).padStart(10, '0'))
            .replace(/startxref\n(\d+)/, (_, at: string) => `startxref\n${Number(at) + signed.length}`)
        )
      },
      finds: ['byte_range=gap_is_not_contents'],
    },
    'shadow: an overlay is taken away': {
      pdf: async () => {
        const shown = await signText(writePdf({ ...formObjects(), 3: page('4 0 R', '[7 0 R 8 0 R 13 0 R]'), 13: note }), {
          signer: await keyring.signer('platform'),
          timestamper: time,
        })
        return appendUpdate(shown, { 3: page('4 0 R') })
      },
      finds: ['later_changes~annotations_changed', 'covered~uncovered'],
    },
    'shadow: hidden content is turned to': {
      pdf: () => repointed(signed),
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'shadow: a reference that led nowhere is filled': {
      pdf: async () => {
        const open = await signText(writePdf({ ...formObjects(), 3: page('[4 0 R 13 0 R]') }), {
          signer: await keyring.signer('platform'),
          timestamper: time,
        })
        return appendUpdate(open, { 13: forged })
      },
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'shadow: content dressed as validation data': {
      pdf: () => appendUpdate(signed, { 1: catalog('/DSS 13 0 R '), 13: '<< /Certs [4 0 R] /Page 4 0 R >>', 4: forged }),
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'a script added': {
      pdf: () => appendUpdate(signed, { 1: catalog('/OpenAction << /S /JavaScript /JS (app.alert(1)) >> ') }),
      finds: ['later_changes=content_changed', 'covered~uncovered'],
    },
    'a form filled': {
      pdf: () => appendUpdate(signed, { 7: field }),
      finds: ['later_changes~form_filled', 'covered~uncovered'],
    },
    'a note drawn over the page': {
      pdf: () => appendUpdate(signed, { 3: page('4 0 R', '[7 0 R 8 0 R 13 0 R]'), 13: note }),
      finds: ['later_changes~annotations_changed', 'covered~uncovered'],
    },
    'the signature itself replaced': {
      pdf: () =>
        appendUpdate(signed, {
          8: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (signature) /Rect [0 0 0 0] /V 13 0 R >>',
          13: '<< /Type /Sig /SubFilter /ETSI.CAdES.detached /Contents <00> /ByteRange [0 1 2 3] >>',
        }),
      finds: ['byte_range=gap_is_not_contents'],
    },
    'properties changed': {
      pdf: () => appendUpdate(signed, { 13: '<< /Title (Another) >>' }, '/Root 1 0 R /Info 13 0 R'),
      finds: ['covered~uncovered'],
    },
    'certified, then a form filled': {
      pdf: () => appendUpdate(certified, { 7: field }),
      finds: ['later_changes~form_filled', 'permissions=not_permitted', 'covered~uncovered'],
    },
    'a locked field filled, and a timestamp over it': {
      pdf: async () => {
        const locked = await signText(writePdf(formObjects({ lock: '/Lock << /Type /SigFieldLock /Action /All /P 2 >> ' })), {
          signer: await keyring.signer('platform'),
          timestamper: time,
        })
        return await stampText(appendUpdate(locked, { 7: field }), time)
      },
      finds: ['permissions=locked_field'],
    },
  }
}

/** A certificate of the platform's authority that ended before the token was made. */
async function shortSigner({ keyring, dir }: SignedForms) {
  const signer = await keyring.signer('platform')
  const { entries } = await readFolder(`${dir}/keys`)
  const authority = entries.get('platform-ca')?.at(-1)
  if (authority === undefined) throw new Error('no authority')
  const { x509 } = readCertificate(signer.certificate)
  const certificate = issueCertificate(
    {
      commonName: 'Probant platform seal',
      organization: 'Probant',
      use: 'signature',
      publicKey: new Uint8Array(x509.publicKey.export({ type: 'spki', format: 'der' })),
      notBefore: authority.certificate.notBefore,
      notAfter: new Date(authority.certificate.notBefore.getTime() + 1000),
    },
    { certificate: authority.certificate.encoded, sign: (data) => authority.sign(data) },
  )
  return { ...signer, certificate }
}

/** Validation data that says that the key had been taken. */
async function revoked({ keyring, dir, signed, time }: SignedForms): Promise<string> {
  const signer = await keyring.signer('platform')
  const { entries } = await readFolder(`${dir}/keys`)
  const authority = entries.get('platform-ca')?.at(-1)
  if (authority === undefined) throw new Error('no authority')
  const { serialEncoded } = readCertificate(signer.certificate)
  const list = issueRevocationList(authority, new Date(), [{ serialEncoded, at: new Date('2020-01-01T00:00:00Z') }])
  const text = Buffer.from(list).toString('latin1')
  return await stampText(appendUpdate(signed, { 1: catalog('/DSS 13 0 R '), 13: '<< /CRLs [14 0 R] >>', 14: stream(text) }), time)
}

/** By openssl, with a certificate that stands for itself. */
async function weaklySigned({ dir }: SignedForms): Promise<string> {
  const subject = ['-subj', '/CN=Weak', '-days', '30', '-keyout', 'weak.key', '-out', 'weak.pem']
  await runTool(dir, 'openssl', 'req', '-x509', '-newkey', 'rsa:1024', '-noenc', ...subject)
  return await signText(writePdf(formObjects()), {
    cms: async (content) => {
      await writeFile(join(dir, 'content.bin'), content)
      const made = ['-binary', '-cades', '-md', 'sha256', '-nosmimecap', '-outform', 'DER', '-out', 'weak.p7s']
      await runTool(dir, 'openssl', 'cms', '-sign', '-in', 'content.bin', '-signer', 'weak.pem', '-inkey', 'weak.key', ...made)
      return await readFile(join(dir, 'weak.p7s'))
    },
  })
}
