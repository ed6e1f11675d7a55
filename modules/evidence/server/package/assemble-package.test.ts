import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { createTimestampers, openKeyring, sealPieces } from '../../../sealing/server/index.ts'
import type { Piece } from '../../../verification/server/index.ts'
import { checkArchival } from '../../../../testing/pdf-a/check-archival.ts'
import {
  numberedRow,
  sampleFacts,
  samplePieces,
  sampleSubject,
  writeSampleFiles,
} from '../../../report/server/sample-report.test-data.ts'
import { type SealedCapture, assemblePackage } from './assemble-package.ts'
import { type LaidOutEntry, type PackageLayout } from './lay-out.ts'
import { makeReadme } from '../../../report/server/instructions/readme.ts'
import { timelineCommand, videoCommand } from '../../../report/server/instructions/verify-commands.ts'
import { packageStream } from './write-package.ts'

const run = promisify(execFile)
const shell = async (command: string, cwd: string): Promise<string> => {
  const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', command], { cwd })
  return stdout + stderr
}
/** What a command prints that must fail. */
const failing = async (command: string, cwd: string): Promise<string> => {
  const failure: unknown = await shell(command, cwd).then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failure instanceof Error && 'stdout' in failure && 'stderr' in failure)) throw new Error(`did not fail: ${command}`)
  return `${String(failure.stdout)}${String(failure.stderr)}`
}

/** Height of the page captured: more than one of the images that browsers can make, 41,000 rows. */
const height = 41_000

let folder = ''
let open = ''
let layout: PackageLayout
let again: PackageLayout
let capture: SealedCapture
/** SHA-256 of the page's rows as RGB. */
let pixels = ''

function pieceOf(piece: Piece, file: string, data: Buffer): Piece & LaidOutEntry {
  const { path, role, media_type } = piece
  return {
    path,
    role,
    media_type,
    mediaType: media_type,
    bytes: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
    open: async () => createReadStream(file),
    openAt: async (start) => createReadStream(file, { start }),
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assemble-'))
  await chmod(folder, 0o755)
  const files = new Map(await writeSampleFiles(folder, height))
  const pieces: (Piece & LaidOutEntry)[] = []
  for (const piece of samplePieces) {
    const file = files.get(piece.path) ?? join(folder, piece.path.replaceAll('/', '-'))
    if (!files.has(piece.path)) await writeFile(file, `content of ${piece.path}\n`)
    files.set(piece.path, file)
    pieces.push(pieceOf(piece, file, await readFile(file)))
  }
  const log = { info: () => {}, warn: () => {} }
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock: systemClock, log })
  const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log })
  const sealed = await sealPieces(
    {
      subject: sampleSubject,
      pieces: pieces.map(({ path, role, media_type, bytes, sha256 }) => ({ path, role, media_type, bytes, sha256 })),
    },
    { keyring, timestampers, clock: systemClock },
  )
  const verifyHtmlFile = join(folder, 'verify.html')
  await writeFile(verifyHtmlFile, '<!doctype html><title>verify</title>')
  capture = {
    subject: sampleSubject,
    facts: { ...sampleFacts(height), operator: 'Études du Port SARL, RCS Marseille 123 456 789' },
    pieces,
    seal: sealed.summary,
    sealedFiles: sealed.files,
    siteUrl: 'https://probant.example',
  }
  const assemble = async (name: string): Promise<PackageLayout> =>
    await assemblePackage(capture, {
      keyring,
      timestampers,
      clock: systemClock,
      verifyHtmlFile,
      localFile: async (path) => files.get(path) ?? '',
      workDir: join(folder, name),
      signal: AbortSignal.timeout(110_000),
    })
  const hash = createHash('sha256')
  for (let y = 0; y < height; y += 1) hash.update(numberedRow(y, 1280))
  pixels = hash.digest('hex')
  layout = await assemble('work-1')
  again = await assemble('work-2')
  await pipeline(packageStream(layout.full()).stream, createWriteStream(join(folder, 'package.zip')))
  open = join(folder, 'open')
  await run('unzip', ['-q', join(folder, 'package.zip'), '-d', open])
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('the package', () => {
  it('has its entries in the order of the format, and the short one withholds the pieces', () => {
    const seal = capture.sealedFiles.map((file) => file.path).filter((path) => path.startsWith('seal/'))
    const core = ['mimetype', 'manifest.json', 'README.txt', 'report.en.pdf', 'report.fr.pdf', ...seal, 'verify.html']
    const cover = (number: number): string[] =>
      [`ASiCManifest00${number}.xml`, `timestamp00${number}.tst`, `timestamp00${number}-ca.pem`].map((name) => `META-INF/${name}`)
    expect(layout.full().map((entry) => entry.path)).toEqual([
      ...core,
      ...samplePieces.map((piece) => piece.path),
      ...cover(1),
      ...cover(2),
    ])
    expect(layout.short().map((entry) => entry.path)).toEqual([...core, ...cover(1)])
  })

  it('is clean for unzip, and every entry is the bytes it was given as', async () => {
    expect((await run('unzip', ['-t', join(folder, 'package.zip')])).stdout).toContain('No errors detected')
    expect((await stat(join(folder, 'package.zip'))).size).toBe(packageStream(layout.full()).totalBytes)
    for (const entry of layout.full())
      expect(
        createHash('sha256')
          .update(await readFile(join(open, entry.path)))
          .digest('hex'),
        entry.path,
      ).toBe(entry.sha256)
  })

  it('is covered whole: each entry but the media type stands once in an ASiC manifest', async () => {
    const text = await shell('cat META-INF/ASiCManifest00[12].xml', open)
    const covered = [...text.matchAll(/DataObjectReference URI="([^"]+)"/g)].map((match) => match[1])
    const expected = layout
      .full()
      .map((entry) => entry.path)
      .filter((path) => path !== 'mimetype' && !path.startsWith('META-INF/'))
    expect(covered).toHaveLength(expected.length)
    expect(new Set(covered)).toEqual(new Set(expected))
  })

  it('verifies by each command of README.txt, run as it is printed there, in both halves', async () => {
    const readme = await readFile(join(open, 'README.txt'), 'utf8')
    const halves = readme.split('*'.repeat(72))
    expect(halves).toHaveLength(2)
    for (const half of halves) {
      // A command is an indented block after a blank line.
      const commands = [...half.matchAll(/\n\n((?: {4}.+\n?)+)/g)].map((match) => (match[1] ?? '').replaceAll(/^ {4}/gm, ''))
      const [unzip, sums, cms, authority, stamp, pdf, keys, container] = commands
      expect(commands).toHaveLength(8)
      expect(unzip).toMatch(/^unzip \S+ -d package && cd package$/m)
      // The fingerprint that the command prints is the one that README.txt and the report give to compare.
      const [, printed = ''] = /Fingerprint=([0-9A-F:]{95})/i.exec(await shell(authority ?? '', open)) ?? []
      const sha256 = printed.replaceAll(':', '').toLowerCase()
      expect(half).toContain(`\n    ${sha256.replaceAll(/(.{8})(?=.)/g, '$1 ')}\n`)
      expect(sha256).toBe(capture.seal.authority?.sha256)
      const checked = await shell(sums ?? '', open)
      expect(checked.match(/: OK$/gm)).toHaveLength(samplePieces.length)
      expect(await shell(cms ?? '', open)).toMatch(/CMS Verification successful/i)
      expect(await shell(authority ?? '', open)).toMatch(/^sha256 fingerprint=(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/im)
      expect(await shell(stamp ?? '', open)).toContain('Verification: OK')
      expect(await shell(pdf ?? '', open)).toContain('Signature is Valid.')
      expect(await shell(keys ?? '', open)).toMatch(/CMS Verification successful/i)
      expect(await shell(container ?? '', open)).toContain('Verification: OK')
    }
  })

  it('fails by the same commands once a piece or the root is altered', async () => {
    const bent = join(folder, 'bent')
    await run('cp', ['-r', open, bent])
    const dom = join(bent, 'capture/dom.html')
    const bytes = await readFile(dom)
    bytes[3] = (bytes[3] ?? 0) ^ 1
    await writeFile(dom, bytes)
    const readme = await readFile(join(bent, 'README.txt'), 'utf8')
    const commands = [...readme.matchAll(/\n\n((?: {4}.+\n?)+)/g)].map((match) => (match[1] ?? '').replaceAll(/^ {4}/gm, ''))
    expect(await failing(commands[1] ?? '', bent)).toMatch(/^capture\/dom\.html: FAILED$/m)
    await writeFile(join(bent, 'seal/root.bin'), Buffer.alloc(32))
    expect(await failing(commands[2] ?? '', bent)).toMatch(/verification failure/i)
    expect(await failing(commands[4] ?? '', bent)).toMatch(/message imprint mismatch/i)
  })
})

describe.each(['en', 'fr'] as const)('report.%s.pdf', (locale) => {
  const file = (): string => join(open, `report.${locale}.pdf`)
  const text = async (): Promise<string> =>
    (await run('pdftotext', ['-layout', file(), '-'], { maxBuffer: 64 * 1024 * 1024 })).stdout
  /** Without the line ends that wrapping puts into long words. */
  const solid = async (): Promise<string> =>
    (await run('pdftotext', ['-raw', file(), '-'], { maxBuffer: 64 * 1024 * 1024 })).stdout.replaceAll(/\s/g, '')

  it('is a tagged A4 document with title, metadata and bookmarks for each section', async () => {
    const { stdout } = await run('pdfinfo', [file()])
    expect(stdout).toMatch(/^Tagged: +yes$/m)
    expect(stdout).toMatch(/^JavaScript: +no$/m)
    expect(stdout).toMatch(/^Title: +.*0199c2a4-7b1e-7c34-9f10-5d2f6a7b8c9d$/m)
    expect(stdout).toMatch(/^Page size: .*\(A4\)$/m)
    const { stdout: metadata } = await run('pdfinfo', ['-meta', file()])
    expect(metadata).toMatch(new RegExp(`<dc:language>\\s*<rdf:Bag>\\s*<rdf:li>${locale === 'en' ? 'en-GB' : 'fr-FR'}</rdf:li>`))
    // ISO 19005-3, with its tags (level A).
    expect(metadata).toMatch(/<pdfaid:part>3</)
    expect(metadata).toMatch(/<pdfaid:conformance>A</)
    expect(metadata).not.toContain('pdfuaid')
    // Without its text, for which poppler draws a page anew for each element of it.
    const { stdout: tags } = await run('pdfinfo', ['-struct', file()], { maxBuffer: 64 * 1024 * 1024 })
    expect(tags.match(/^ *H1\b/gm)).toHaveLength(1)
    // Six sections and eight annexes; the contents and the annexes as such have a heading too.
    const numbers = '1 2 3 4 5 6 A B C D E F G H'.split(' ')
    expect(tags.match(/^ *H2\b/gm)).toHaveLength(numbers.length + 2)
    expect(tags.match(/^ *Figure\b/gm)?.length).toBeGreaterThanOrEqual(26)
    const { stdout: xml } = await run('pdftohtml', ['-xml', '-i', '-stdout', '-l', '1', file()])
    const bookmarks = [...xml.matchAll(/<item page="\d+">([^<]*)<\/item>/g)].map((match) => match[1] ?? '')
    for (const number of numbers)
      expect(
        bookmarks.some((title) => title.startsWith(`${number} `)),
        `section ${number} among ${bookmarks.join(' | ')}`,
      ).toBe(true)
  })

  it('is PDF/A-3a as it goes out, signed and dated', async () => {
    expect(await checkArchival(await readFile(file()))).toEqual([])
    expect((await run('qpdf', ['--check', file()])).stdout).toContain('No syntax or stream encoding errors found')
  })

  it('carries root, addresses, and path and SHA-256 of every piece in its text', async () => {
    const found = await solid()
    expect(found).toContain(capture.seal.root)
    expect(found).toContain(sampleSubject.requested_url)
    expect(found).toContain(sampleSubject.final_url)
    for (const piece of capture.pieces) {
      expect(found).toContain(piece.sha256)
      expect(found).toContain(piece.path)
    }
    expect(found).toContain(capture.seal.timestamps[0]?.serial)
  })

  it('says who runs the machine as stated by the installation, and where verifier, keys and fingerprint are', async () => {
    const found = await solid()
    const stated = locale === 'en' ? 'asstatedbytheinstallation' : 'selonl’indicationdel’installation'
    // On the cover, on the page that answers a judge, and with the machine.
    expect(found.split(`ÉtudesduPortSARL,RCSMarseille123456789(${stated})`)).toHaveLength(4)
    expect(found).toContain(`https://probant.example/${locale}/proofs/`)
    expect(found).toContain(`https://probant.example/${locale}/keys/`)
    expect(found).toContain(capture.seal.authority?.sha256)
  })

  it('shows what a hostile title hides, and none of its markup is markup', async () => {
    const found = await text()
    expect(found).toContain('U+202E')
    expect(await solid()).toContain('<script>alert(1)')
    expect(found).not.toMatch(/\u202e/)
  })

  it('says what was not measured and that the time stamp is not qualified, and claims no public officer’s act', async () => {
    const found = (await text()).replaceAll(/\s+/g, ' ')
    expect(found).toContain(locale === 'en' ? 'Virtualisation not measured' : 'Virtualisation non mesuré')
    expect(found).toContain(
      locale === 'en' ? 'Not a qualified electronic time stamp' : 'Ce n’est pas un horodatage électronique qualifié',
    )
    expect(found).not.toMatch(/constat\b|authentique/i)
  })

  it('holds no word of the other language in its own sentences', async () => {
    const found = (await text()).replaceAll(/\s+/g, ' ')
    expect(found).not.toContain(locale === 'en' ? 'Comment vérifier' : 'How to verify')
    expect(found).toContain(locale === 'en' ? 'How to verify' : 'Comment vérifier')
    if (locale === 'fr') expect(found).toMatch(/lignes 1 à 1\s\d{3} sur 41\s000/)
    else expect(found).toMatch(/rows 1–1,\d{3} of 41,000/)
  })

  it('reproduces each of 41,000 rows once, pixel for pixel, in order', async () => {
    const pictures = join(folder, `pictures-${locale}`)
    await run('mkdir', [pictures])
    await run('pdfimages', ['-png', file(), join(pictures, 'i')])
    const names = (await run('ls', [pictures])).stdout.trim().split('\n')
    const hash = createHash('sha256')
    let rows = 0
    // The window of 800 rows stands on the cover, in the summary, and as the first exhibit.
    for (const [index, name] of names.entries()) {
      const { data, width, height: high } = PNG.sync.read(await readFile(join(pictures, name)))
      expect([index, width, high]).toEqual([index, 1280, index < 3 ? 800 : high])
      if (index < 3) continue
      const rgb = Buffer.alloc(width * high * 3)
      // Octet by octet: over a hundred million of them, a call for each would take longer than all the rest.
      for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
        rgb[to] = data[from] ?? 0
        rgb[to + 1] = data[from + 1] ?? 0
        rgb[to + 2] = data[from + 2] ?? 0
      }
      hash.update(rgb)
      rows += high
    }
    expect(rows).toBe(height)
    expect(hash.digest('hex')).toBe(pixels)
  })

  it('stays light, and is the same but for its signature when made again', async () => {
    const [one, two] = [layout, again].map((made) => made.core.find((entry) => entry.path === `report.${locale}.pdf`)?.data)
    expect(one?.length).toBeLessThan(8 * 1024 * 1024)
    const end = one === undefined ? 0 : Buffer.from(one).indexOf('%%EOF')
    expect(end).toBeGreaterThan(100_000)
    expect(
      Buffer.from(two ?? [])
        .subarray(0, end)
        .equals(Buffer.from(one ?? []).subarray(0, end)),
    ).toBe(true)
  })
})

describe('README.txt', () => {
  it('names the addresses, the root and the time stamp in both languages', async () => {
    const readme = (await buffer(createReadStream(join(open, 'README.txt')))).toString('utf8')
    expect(readme.split(capture.seal.root)).toHaveLength(3)
    expect(readme.split(sampleSubject.requested_url)).toHaveLength(3)
    expect(readme).toContain('not qualified within the meaning of Article 42')
    expect(readme).toContain('ne sont pas qualifiés au sens de l’article 42')
    expect(readme).not.toContain('\r')
    expect(readme).toContain('Études du Port SARL, RCS Marseille 123 456 789 (as stated by the installation)')
    expect(readme).toContain('Études du Port SARL, RCS Marseille 123 456 789 (selon l’indication de l’installation)')
    for (const page of ['en/proofs', 'en/keys', 'fr/proofs', 'fr/keys'])
      expect(readme).toContain(`https://probant.example/${page}/`)
  })

  it('names no page of an installation that nobody can reach, and says where a fingerprint comes from then', () => {
    const readme = Buffer.from(makeReadme({ ...capture, siteUrl: null, facts: {} })).toString('utf8')
    expect(readme).not.toContain('probant.example')
    expect(readme).toContain('by another way, on paper or in person')
    expect(readme).toContain('Machine run by:\n    not stated')
    expect(readme).toContain('Machine exploitée par\u202f:\n    non indiqué')
  })

  it('gives the commands of an interactive session in both languages, and to no other', () => {
    const readme = (kind: 'static' | 'interactive'): string =>
      Buffer.from(makeReadme({ ...capture, subject: { ...sampleSubject, kind } })).toString('utf8')
    for (const command of [timelineCommand, videoCommand]) {
      const printed = command.replaceAll(/^/gm, '    ')
      expect(readme('interactive').split(printed)).toHaveLength(3)
      expect(readme('static')).not.toContain(printed)
    }
  })
})
