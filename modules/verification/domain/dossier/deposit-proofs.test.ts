import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import * as fc from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DepositProofs, depositProofs, pdfWith } from '../../../../testing/deposit-proofs.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import type { Dossier } from './dossier.ts'
import { verifyDossier } from './dossier.ts'
import { fileOfBytes } from './dropped/dossier-units.ts'
import { unlinked } from './linked/link-items.ts'
import { buildOts } from '../opentimestamps/write-ots.ts'
import { readAttachments } from '../pdf/read-attachments.ts'
import { hostSha256, nodeHashes } from '../../server/index.ts'

const document = new TextEncoder().encode('Ceci est le contrat.\n')
const altered = Uint8Array.from(document, (octet, i) => (i === 5 ? octet ^ 1 : octet))

let dir: string
let outside: OutsideTsa
let alone: DepositProofs
/** Of three deposited together. */
let together: DepositProofs
let trust: Uint8Array
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'deposit-proofs-'))
  outside = await startOutsideTsa()
  const platform = { keys: join(dir, 'keys'), tsaUrls: [outside.url] }
  const others = [new TextEncoder().encode('another'), new TextEncoder().encode('a third')]
  const [one] = await depositProofs([document], platform)
  const [first] = await depositProofs([document, ...others], platform)
  if (one === undefined || first === undefined) throw new Error('no deposit')
  alone = one
  together = first
  trust = Buffer.concat(['platform-ca.pem', 'document-ca.pem'].map((name) => bytesOf(alone, name)))
}, 120_000)
afterAll(async () => {
  await outside?.close()
  rmSync(dir, { recursive: true, force: true })
})

const bytesOf = ({ files }: DepositProofs, name: string): Uint8Array => {
  const found = files.find((file) => file.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found.bytes
}

async function verify(files: Readonly<Record<string, Uint8Array>>): Promise<Dossier> {
  const given = Object.entries(files).map(([path, bytes]) => fileOfBytes(path, bytes))
  return await verifyDossier(given, { now: () => new Date(), sha256: hostSha256, hashes: nodeHashes, trust })
}

/** What is left without a conclusion or fails, but for what nobody here can know: whose log it is. */
const openIn = ({ items }: Dossier) =>
  items.flatMap(({ name, result }) =>
    'report' in result
      ? result.report.checks
          .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
          .map(({ id }) => `${name} ${id}`)
      : [],
  )

describe('the proofs of a deposit and its file are one answer', () => {
  test.each(['alone', 'together'] as const)(
    'the archive beside the file: every proof is found to be about it (%s)',
    async (which) => {
      const { zip } = which === 'alone' ? alone : together
      const dossier = await verify({ 'proofs.zip': zip, 'contrat.txt': document })
      expect(openIn(dossier)).toEqual(['proofs.zip/log-proof.txt checkpoint_signature'])
      const [answer, ...more] = dossier.answers
      expect(more).toEqual([])
      expect(answer).toMatchObject({ name: 'contrat.txt', sha256: createHash('sha256').update(document).digest('hex') })
      expect(answer?.proofs.map(({ name, verdict, matches }) => [name, verdict, matches])).toEqual([
        ['proofs.zip/document.ers', 'TOTAL-PASSED', true],
        ['proofs.zip/document.tsr', 'TOTAL-PASSED', true],
        ['proofs.zip/log-proof.txt', 'INDETERMINATE', true],
        ['proofs.zip/signature.p7s', 'TOTAL-PASSED', true],
      ])
      expect(answer?.dates.map(({ kind }) => kind)).toEqual(['timestamp'])
    },
  )

  test.each(['alone', 'together'] as const)('the certificate and the file alone suffice (%s)', async (which) => {
    const { certificate } = which === 'alone' ? alone : together
    const dossier = await verify({ 'deposit.pdf': certificate, 'contrat.txt': document })
    expect(openIn(dossier)).toEqual(['deposit.pdf/log-proof.txt checkpoint_signature'])
    expect(dossier.answers).toHaveLength(1)
    expect(
      dossier.answers[0]?.proofs
        .filter(({ matches }) => matches)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['cms', 'evidence_record', 'log_proof', 'pdf', 'timestamp'])
    expect(dossier.links.map(({ relation }) => relation)).toContain('states')
  })

  test.each(['zip', 'certificate'] as const)(
    'without its file nothing is said to be false, and nothing is answered (%s)',
    async (form) => {
      for (const proofs of [alone, together]) {
        const dossier = await verify({ given: proofs[form] })
        expect([dossier.verdict, dossier.answers]).toEqual(['INDETERMINATE', []])
      }
    },
  )

  test('an evidence record and the file: passed, with one date', async () => {
    const dossier = await verify({ 'contrat.ers': bytesOf(together, 'document.ers'), 'contrat.txt': document })
    expect([dossier.verdict, dossier.answers[0]?.verdict, dossier.answers[0]?.dates.length]).toEqual([
      'TOTAL-PASSED',
      'TOTAL-PASSED',
      1,
    ])
  })

  test('the signature of a deposit sealed by itself is over its fingerprint, without root.bin too', async () => {
    const dossier = await verify({ 'signature.p7s': bytesOf(alone, 'signature.p7s'), 'contrat.txt': document })
    expect(openIn(dossier)).toEqual([])
    expect(dossier.answers[0]?.proofs.map(({ name }) => name)).toEqual(['signature.p7s'])
  })

  test('a PDF that nobody signed, and an archive, are what proofs are about like any other file', async () => {
    const files = { 'plan.pdf': await pdfWith([]), 'plans.zip': zipOf([{ path: 'a.txt', bytes: document }]) }
    const made = await depositProofs(Object.values(files), {
      keys: join(dir, 'keys'),
      tsaUrls: [outside.url],
      certificates: false,
    })
    for (const [i, [name, bytes]] of Object.entries(files).entries()) {
      const dossier = await verify({ [name]: bytes, 'p.ers': bytesOf(made[i] as DepositProofs, 'document.ers') })
      expect([name, dossier.verdict, dossier.answers.map((each) => each.name)]).toEqual([name, 'TOTAL-PASSED', [name]])
    }
  })
})

describe('the header of the block that came with the proofs', () => {
  /** A block of a test chain whose Merkle root is the digest, with the least work there is. */
  function blockOver(root: Uint8Array): Buffer {
    const header = Buffer.alloc(80)
    header.writeInt32LE(0x20000000, 0)
    header.set(root, 36)
    header.writeUInt32LE(1_700_000_000, 68)
    header.writeUInt32LE(0x207fffff, 72)
    for (let nonce = 0; ; nonce += 1) {
      header.writeUInt32LE(nonce, 76)
      if ((doubleSha256(header)[31] ?? 255) < 0x7f) return header
    }
  }
  const doubleSha256 = (bytes: Uint8Array) => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()

  test('dates the file by the chain, on the platform’s word; on the main chain such a block is none', async () => {
    const digest = new Uint8Array(createHash('sha256').update(document).digest())
    const header = blockOver(digest)
    const said = canonicalJson({
      format: 'probant-anchor-header/1',
      height: 7,
      header: header.toString('hex'),
      hash: Buffer.from(doubleSha256(header).toReversed()).toString('hex'),
      time: new Date(1_700_000_000_000).toISOString(),
      sources: ['node'],
    })
    const zip = zipOf([
      { path: 'document.ots', bytes: buildOts({ digest, operations: [], end: [{ kind: 'bitcoin', height: 7 }] }) },
      { path: 'anchor-header.json', bytes: new TextEncoder().encode(said) },
    ])
    const given = [fileOfBytes('proofs.zip', zip), fileOfBytes('contrat.txt', document)]
    const onTest = await verifyDossier(given, { now: () => new Date(), network: 'regtest' })
    expect([onTest.verdict, onTest.answers[0]?.verdict]).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED'])
    expect(onTest.answers[0]?.dates).toMatchObject([{ kind: 'bitcoin', rests_on: ['bitcoin', 'platform'] }])
    const onMain = await verifyDossier(given, { now: () => new Date() })
    expect([onMain.verdict, onMain.answers[0]?.dates]).toEqual(['TOTAL-FAILED', []])
  })
})

describe('one octet of the file is another', () => {
  test.each([
    ['alone', 'zip', ['document.ers', 'document.tsr']],
    ['together', 'zip', ['document.ers']],
    ['alone', 'certificate', ['', 'document.ers', 'document.tsr']],
    ['together', 'certificate', ['', 'document.ers']],
  ] as const)('it fails, names the file, and which proofs are about another (%s, %s)', async (which, form, expected) => {
    const proofs = which === 'alone' ? alone : together
    const dossier = await verify({ 'p/given': proofs[form], 'contrat.txt': altered })
    expect(dossier.verdict).toBe('TOTAL-FAILED')
    const [answer, ...more] = dossier.answers
    expect([answer?.name, answer?.verdict, answer?.dates, more]).toEqual(['contrat.txt', 'TOTAL-FAILED', [], []])
    const others = answer?.proofs.filter(({ matches }) => !matches).map(({ name }) => name.replace(/^p\/given\/?/, ''))
    expect(others).toEqual(expected)
  })

  test('the archive has the certificate in two languages, and the file another name: it is compared all the same', async () => {
    const names = ['en', 'fr'].map((locale) => `deposit_00000000-0000-4000-8000-000000000000.${locale}.pdf`)
    const proofs = alone.files.map(({ name, bytes }) => ({ path: name, bytes }))
    const zip = zipOf([...proofs, ...names.map((path) => ({ path, bytes: alone.certificate }))])
    const intact = await verify({ 'proofs.zip': zip, 'copy.txt': document })
    expect(intact.answers.map(({ name, verdict }) => [name, verdict])).toEqual([['copy.txt', 'INDETERMINATE']])
    const { verdict, answers } = await verify({ 'proofs.zip': zip, 'copy.txt': altered })
    expect([verdict, ...answers.map(({ name, verdict: said }) => [name, said])]).toEqual([
      'TOTAL-FAILED',
      ['copy.txt', 'TOTAL-FAILED'],
    ])
  })

  test('among other documents: nothing passes as a whole while a proof is about none of them, and each of those is named', async () => {
    const given = ['document.tsr', 'document.ers', 'root.bin'].map((name) => [name, bytesOf(alone, name)] as const)
    const beside = { 'notes.txt': new TextEncoder().encode('notes'), 'copy.txt': altered }
    const open = await verify({ ...Object.fromEntries(given), ...beside })
    expect([open.verdict, open.answers]).toEqual(['INDETERMINATE', []])
    const whole = await verify({ ...Object.fromEntries(given), ...beside, 'contrat.txt': document })
    expect([whole.verdict, ...whole.answers.map(({ name, verdict }) => [name, verdict])]).toEqual([
      'INDETERMINATE',
      ['contrat.txt', 'TOTAL-PASSED'],
    ])
    expect(whole.conclusion.files).toEqual({ given: 3, covered: 1 })
    expect(whole.conclusion.missing).toEqual([
      { what: 'unproven', item: 'notes.txt' },
      { what: 'unproven', item: 'copy.txt' },
    ])
  })

  test('of logged.bin: the proof by the log, which is over it, fails', async () => {
    const files = Object.fromEntries(alone.files.map((file) => [file.name, file.bytes]))
    const other = Uint8Array.from(bytesOf(alone, 'logged.bin'), (octet, i) => (i === 3 ? octet ^ 1 : octet))
    const dossier = await verify({ ...files, 'logged.bin': other, 'contrat.txt': document })
    expect(dossier.verdict).toBe('TOTAL-FAILED')
    const about = dossier.answers.find(({ name }) => name === 'logged.bin')
    expect(about?.proofs.filter(({ matches }) => !matches).map(({ name }) => name)).toEqual(['log-proof.txt'])
  })

  test('of root.bin: what is over the root holds without it, and it is said to be linked to nothing', async () => {
    const files = Object.fromEntries(together.files.map((file) => [file.name, file.bytes]))
    const other = Uint8Array.from(bytesOf(together, 'root.bin'), (octet, i) => (i === 3 ? octet ^ 1 : octet))
    const { items, links } = await verify({ ...files, 'root.bin': other, 'contrat.txt': document })
    expect(unlinked(items, links).map((i) => items[i]?.name)).toEqual(['root.bin'])
  })

  test('of any proof: never passed as a whole', async () => {
    const names = ['document.ers', 'document.tsr', 'signature.p7s'] as const
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.nat(100_000), async (name, at) => {
        const bytes = Uint8Array.from(bytesOf(together, name))
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 1
        const files = Object.fromEntries(together.files.map((file) => [file.name, file.bytes]))
        const dossier = await verify({ ...files, [name]: bytes, 'contrat.txt': document })
        expect([name, at, dossier.verdict]).not.toEqual([name, at, 'TOTAL-PASSED'])
      }),
      { numRuns: 12 },
    )
  })
})

describe('tools that are not ours say the same of the same', () => {
  const lay = (files: Readonly<Record<string, Uint8Array>>) => {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(dir, name), bytes)
  }
  const holds = (tool: string, ...args: string[]): boolean => {
    try {
      execFileSync(tool, args, { cwd: dir, stdio: 'pipe' })
      return true
    } catch {
      return false
    }
  }

  test('pdfdetach takes the same octets out of the certificate', async () => {
    lay({ 'deposit.pdf': together.certificate })
    mkdirSync(join(dir, 'detached'))
    const { files, left_out: leftOut } = await readAttachments(fileOfBytes('deposit.pdf', together.certificate), undefined)
    expect([leftOut, files.length]).toEqual([0, together.files.length + 1])
    execFileSync('pdfdetach', ['-saveall', '-o', join(dir, 'detached'), 'deposit.pdf'], { cwd: dir })
    for (const { name, bytes } of files)
      expect([name, Buffer.compare(readFileSync(join(dir, 'detached', name)), bytes)]).toEqual([name, 0])
  })

  test.each([true, false])('openssl and the reader of evidence records, of the file as it was: %s', async (intact) => {
    const file = intact ? document : altered
    lay({ ...Object.fromEntries(together.files.map(({ name, bytes }) => [name, bytes])), FILE: file })
    const oracle = join(import.meta.dirname, '../../../../e2e/oracles/check_evidence_record.py')
    expect(holds('python3', oracle, 'document.ers', '--document', 'FILE')).toBe(intact)
    const root = Buffer.from(bytesOf(together, 'root.bin')).toString('hex')
    expect(holds('openssl', 'ts', '-verify', '-digest', root, '-in', 'document.tsr', '-CAfile', 'document-ca.pem')).toBe(true)
    const cms = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'signature.p7s', '-CAfile', 'platform-ca.pem']
    expect(holds('openssl', ...cms, '-content', 'root.bin', '-purpose', 'any', '-out', '/dev/null')).toBe(true)
    const dossier = await verify({ 'p.zip': together.zip, FILE: file })
    const said = (name: string) => dossier.items.find((item) => item.name === `p.zip/${name}`)?.result
    expect(said('document.ers')).toMatchObject({ report: { verdict: intact ? 'TOTAL-PASSED' : 'TOTAL-FAILED' } })
    for (const name of ['document.tsr', 'signature.p7s'])
      expect(said(name)).toMatchObject({ report: { verdict: 'TOTAL-PASSED' } })
  })
})

describe('hostile PDFs', () => {
  const open = async (bytes: Uint8Array) => await readAttachments(fileOfBytes('x.pdf', bytes), undefined)

  /** A PDF of these objects, with a cross-reference table that is right. */
  function pdfOf(objects: readonly (string | Buffer)[]): Uint8Array {
    const chunks: Buffer[] = [Buffer.from('%PDF-2.0\n')]
    const offsets: number[] = []
    const length = () => chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    for (const [i, object] of objects.entries()) {
      offsets.push(length())
      chunks.push(Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'))
    }
    const at = length()
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
    const size = objects.length + 1
    chunks.push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`,
      ),
    )
    return Uint8Array.from(Buffer.concat(chunks))
  }
  const stream = (bytes: Buffer, more = '/Filter/FlateDecode') =>
    Buffer.concat([Buffer.from(`<</Length ${bytes.length}${more}>>stream\n`), bytes, Buffer.from('\nendstream')])
  const catalog = (tree: string) => `<</Type/Catalog/Names<</EmbeddedFiles ${tree}>>>>`
  const specification = (at: number) => `<</Type/Filespec/F(a.txt)/EF<</F ${at} 0 R>>>>`

  test('an ordinary one, a folder in its name, Flate: read as it is', async () => {
    const { files } = await open(
      pdfOf([catalog('<</Names[(a)2 0 R]>>'), '<</Type/Filespec/F(../b/a.txt)/EF<</F 3 0 R>>>>', stream(deflateSync('hello'))]),
    )
    expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([['.._b_a.txt', 'hello']])
  })

  test('bombs, other filters, cut streams and streams of others are left out, and how many is said', async () => {
    const bomb = deflateSync(Buffer.alloc(20 << 20))
    const { files, left_out: leftOut } = await open(
      pdfOf([
        catalog('<</Names[(a)2 0 R(b)3 0 R(c)4 0 R(d)5 0 R]>>'),
        specification(6),
        specification(7),
        specification(8),
        specification(9),
        stream(bomb),
        stream(Buffer.from('00>'), '/Filter/ASCIIHexDecode'),
        stream(deflateSync('hello').subarray(0, 4)),
        stream(deflateSync('hello')),
      ]),
    )
    expect([files.length, leftOut]).toEqual([1, 3])
  })

  test('a tree that is a circle, one without end, ten thousand files: an end is found', async () => {
    expect(await open(pdfOf([catalog('2 0 R'), '<</Kids[2 0 R 3 0 R]>>', '<</Kids[2 0 R]>>']))).toEqual({
      files: [],
      left_out: 0,
    })
    const deep = Array.from({ length: 100 }, (_, i) => `<</Kids[${i + 3} 0 R]>>`)
    expect((await open(pdfOf([catalog('2 0 R'), ...deep, '<<>>']))).files).toEqual([])
    const names = Array.from({ length: 10_000 }, (_, i) => `(n${i})<</F(n)/EF<</F 2 0 R>>>>`).join('')
    const many = await open(pdfOf([catalog(`<</Names[${names}]>>`), stream(deflateSync('hello'))]))
    expect([many.files.length, many.left_out]).toEqual([64, 9_936])
  })

  test('any octet of a certificate altered: attachments are read or not, and nothing is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), fc.nat(255), async (at, octet) => {
        const bytes = Uint8Array.from(alone.certificate)
        bytes[at % bytes.length] = octet
        expect((await open(bytes)).files.length).toBeLessThanOrEqual(64)
      }),
      { numRuns: 150 },
    )
  })
})

describe('many deposits given together', () => {
  const count = 105
  let documents: Uint8Array[]
  let proofs: DepositProofs[]
  beforeAll(async () => {
    documents = Array.from({ length: count }, (_, i) => new TextEncoder().encode(`document ${i}`))
    proofs = await depositProofs(documents, { keys: join(dir, 'keys'), tsaUrls: [outside.url], certificates: false })
  }, 60_000)
  const files = (changed: readonly number[]) =>
    Object.fromEntries(
      proofs.flatMap(({ files: own }, i) => {
        const bytes = documents[i] ?? new Uint8Array()
        return [
          [`case/document-${i}.txt`, changed.includes(i) ? Uint8Array.from([...bytes, 33]) : bytes],
          [`case/document-${i}.txt.ers`, own.find(({ name }) => name === 'document.ers')?.bytes ?? new Uint8Array()],
        ]
      }),
    )

  test('all hold: one answer for each file, no item kept', async () => {
    const dossier = await verify(files([]))
    expect(dossier.many).toEqual({ things: count, passed: count, failed: 0, indeterminate: 0 })
    expect([dossier.verdict, dossier.items.length, dossier.answers.length, dossier.left_out]).toEqual([
      'TOTAL-PASSED',
      0,
      count,
      0,
    ])
    expect(new Set(dossier.answers.map(({ verdict }) => verdict))).toEqual(new Set(['TOTAL-PASSED']))
  })

  test('two were changed: they come first, and are shown whole', async () => {
    const dossier = await verify(files([7, 99]))
    expect(dossier.many).toMatchObject({ passed: count - 2, failed: 2 })
    expect(new Set(dossier.answers.slice(0, 2).map(({ name, verdict }) => `${name} ${verdict}`))).toEqual(
      new Set(['case/document-7.txt TOTAL-FAILED', 'case/document-99.txt TOTAL-FAILED']),
    )
    expect(dossier.items.map(({ name }) => name).toSorted()).toEqual([
      'case/document-7.txt',
      'case/document-7.txt.ers',
      'case/document-99.txt',
      'case/document-99.txt.ers',
    ])
  })

  test('archives of proofs find their files by what they are, not by name', async () => {
    const given = Object.fromEntries(
      proofs.slice(0, 102).flatMap(({ files: own }, i) => [
        [`x${i}.bin`, documents[i] ?? new Uint8Array()],
        [
          `proofs_${i}.zip`,
          zipOf(own.filter(({ name }) => /^(?:document|root|sig)/.test(name)).map(({ name, bytes }) => ({ path: name, bytes }))),
        ],
      ]),
    )
    const changed = { ...given, 'x7.bin': new TextEncoder().encode('changed') }
    const one = await verify(changed)
    expect(one.many).toEqual({ things: 102, passed: 101, failed: 1, indeterminate: 0 })
    expect([one.verdict, one.answers[0]?.name, one.answers[0]?.verdict]).toEqual(['TOTAL-FAILED', 'x7.bin', 'TOTAL-FAILED'])
    // Two files are left then, and nothing says which of them the proofs are about.
    const two = await verify({ ...changed, 'notes.txt': document })
    expect(two.many).toEqual({ things: 102, passed: 101, failed: 0, indeterminate: 1 })
    expect(two.answers).toHaveLength(101)
    expect(two.items.map(({ name }) => name)).toEqual(expect.arrayContaining(['proofs_7.zip', 'x7.bin', 'notes.txt']))
  })
})
