import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealRosette } from '../../../kernel/seal-rosette.ts'
import { UnreadablePng } from '../../../platform/pictures/read-png-rows.ts'
import type { ReportInput } from './content/read-content.ts'
import { type ReportDeps, makePreviewReport, makeReports } from './make-report.ts'
import { sampleFacts, samplePieces, sampleSeal, sampleSubject, writeSampleFiles } from './sample-report.test-data.ts'

const run = promisify(execFile)

let folder = ''
let files: ReadonlyMap<string, string> = new Map()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'))
  await chmod(folder, 0o755)
  files = await writeSampleFiles(folder, 900)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

function depsOf(): ReportDeps {
  return {
    signPdf: async (pdf) => pdf,
    captureWords: () => () => null,
    rosette: sealRosette,
    localFile: async (path) => files.get(path) ?? '',
    workDir: join(folder, 'work'),
    signal: AbortSignal.timeout(50_000),
  }
}

const sample = (): ReportInput => ({
  subject: sampleSubject,
  facts: sampleFacts(900),
  pieces: samplePieces,
  seal: sampleSeal,
  siteUrl: null,
})

async function textOf(pdf: Uint8Array): Promise<string> {
  const file = join(folder, 'text.pdf')
  await writeFile(file, pdf)
  const { stdout } = await run('pdftotext', ['-layout', file, '-'], { maxBuffer: 64 * 1024 * 1024 })
  return stdout.replaceAll(/\s+/g, ' ')
}

describe('makeReports', () => {
  it('prints nothing in place of what was not measured, and takes the strangest of pages', async () => {
    const { facts, ...rest } = sample()
    const reports = await makeReports(
      {
        ...rest,
        pieces: samplePieces.filter((piece) => piece.role === 'dom'),
        facts: {
          ...facts,
          // No visible character at all: the browser makes no bookmark of it.
          title: '\u200d\u200d',
          http_status: null,
          server_address: null,
          certificate: null,
          images: [],
          redirects: Array.from({ length: 100 }, () => ({ url: `https://a.example/${'r'.repeat(3000)}`, status: 302 })),
          checklist: [],
          warnings: [{ code: 'bot_wall', data: { signal: `<script>\u202e${'x'.repeat(5000)}` } }],
          allowed_addresses_used: ['127.0.0.1:8123'],
          isolation: 'override',
          completeness: {
            state: 'incomplete',
            losses: Array.from({ length: 500 }, (_, i) => ({
              url: `https://l.example/${i}`,
              reason: i === 0 ? 'tls_keys_missing' : '<i>',
            })),
          },
        },
        seal: {
          ...sampleSeal,
          outside_stamps: false,
          pending_authorities: [{ authority: 'https://tsa.example', code: 'sealing.tsa_timeout' }],
        },
      },
      depsOf(),
    )
    const english = await textOf(reports.en)
    expect(english).toContain('Answer of the server not measured')
    expect(english).toContain('Server of the site not measured')
    expect(english).toContain('Page reached (HTTP status not measured)')
    expect(english).toContain('No image was taken.')
    expect(english).toContain('No list of exchanges was recorded.')
    expect(english).toContain('No line of the checklist was measured')
    expect(english).toContain('the keys of the encrypted connection are missing')
    expect(english).toContain('… and 400 more, not shown here.')
    expect(english).toContain('bot_wall, signal: <script> U+202E')
    expect(english).toContain('127.0.0.1:8123. A local address is not on the public internet')
    expect(english).toContain('without the isolation')
    expect(english).toContain('No usable answer came from: https://tsa.example.')
    // E-55 H-28
    expect(english).toContain('No time authority outside the platform was asked')
    expect(english).toContain('and none is qualified.')
    expect(english).toContain('The date rests on the word of the platform alone')
    // A word that does not fit would be cut at the margin, and make the printer shrink every page.
    expect(english.match(/x{20,}/g)?.join('').length).toBeGreaterThan(900)
    await writeFile(join(folder, 'boxes.pdf'), reports.en)
    const { stdout: boxes } = await run('pdftotext', ['-bbox', join(folder, 'boxes.pdf'), '-'], { maxBuffer: 64 * 1024 * 1024 })
    const right = [...boxes.matchAll(/xMax="([\d.]+)"/g)].map((match) => Number(match[1]))
    expect(Math.max(...right)).toBeLessThan(595 - 50)
    const french = await textOf(reports.fr)
    expect(french).toContain('Réponse du serveur non mesuré')
    expect(french).toContain('les clés de la connexion chiffrée manquent')
    expect(french).toContain('Aucune autorité de temps extérieure à la plateforme n’a été sollicitée')
    expect(french).toContain('Aucune image n’a été prise.')
    expect(await readdir(join(folder, 'work'))).toEqual([])
  })

  it('is marked as a preview on every page, images too, in its title and its head, and differs from the final one', async () => {
    const file = join(folder, 'preview.pdf')
    const { facts, subject, ...rest } = sample()
    // What makes the page for the judge as long as it can be: many conditions not met, long addresses and titles.
    const checklist = Array.from({ length: 18 }, (_, i) => ({
      result: 'fail' as const,
      data: {},
      evidence_path: null,
      id: `a_condition_with_a_long_name_${i}`,
    }))
    const long = `https://a.example/${'r'.repeat(3000)}`
    const worst = {
      ...rest,
      askedBy: { kind: 'account' as const, name: 'N'.repeat(120) },
      subject: { ...subject, requested_url: long, final_url: `${long}x` },
      facts: { ...facts, title: 'T'.repeat(500), checklist: checklist },
    }
    await writeFile(file, (await makePreviewReport(worst, 'fr', depsOf())).pdf)
    const { stdout } = await run('pdftotext', ['-raw', file, '-'], { maxBuffer: 64 * 1024 * 1024 })
    const pages = stdout
      .replaceAll(/[ \u00a0\u202f\n]/g, '')
      .split('\f')
      .slice(0, -1)
    expect(pages.length).toBeGreaterThan(12)
    // Three across every sheet and one at its foot.
    for (const [index, text] of pages.entries())
      expect([index, text.split('APERÇU–nondéfinitif').length - 1]).toEqual([index, index === 0 ? 5 : 4])
    expect((await run('pdfinfo', [file])).stdout).toMatch(/^Title: +APERÇU – non définitif/m)
    expect(pages[0]).toContain('nidéfinitif,nisigné')
    // One page for the judge.
    expect(pages[1]).toContain('1L’essentielenunepage')
    expect(pages[2]).toContain('2Pointsàrelever')
    // The bounds that were recorded are printed, from the piece that states them.
    expect(pages.join('')).toContain('Captureentière180s')
  })

  it('names the image that the capture server ran from, what was measured of it and what is stated, and nothing where nobody looked', async () => {
    const { facts, ...rest } = sample()
    const registered = {
      id: 'paris',
      name: 'Paris',
      kind: 'public' as const,
      country: null,
      city: null,
      manifest_sha256: 'e'.repeat(64),
      preflight_at: facts.started_at,
      set_aside: [],
    }
    const image = { digest_as_stated: null, files_sha256: 'd'.repeat(64), files: 10_250, measured_at: facts.started_at }
    const ran = await makeReports({ ...rest, facts: { ...facts, server: { ...registered, image } } }, depsOf())
    const english = await textOf(ran.en)
    expect(english).toContain('Image that it ran from 10,250 files of it as measured; SHA-256 of their list:')
    expect(english.replaceAll(' ', '')).toContain('d'.repeat(64))
    expect(english).toMatch(/Image digest, as stated\s+not stated/)
    const textIn = async (server: typeof registered & { image?: typeof image | null }) =>
      await textOf((await makePreviewReport({ ...rest, facts: { ...facts, server } }, 'fr', depsOf())).pdf)
    expect(await textIn({ ...registered, image: null })).toMatch(/Image d’exécution\s+aucune image du produit/)
    const before = await textIn(registered)
    expect(before).toContain('Manifeste comparé')
    expect(before).not.toContain('Image d’exécution')
  })

  it('is not made, and leaves nothing, when an image is not what a browser writes', async () => {
    const broken = join(folder, 'broken.png')
    await writeFile(broken, 'not an image')
    const deps = { ...depsOf(), localFile: async () => broken }
    await expect(makeReports(sample(), deps)).rejects.toThrow(UnreadablePng)
    expect(await readdir(join(folder, 'work'))).toEqual([])
  })

  it('stops when told to', async () => {
    const deps = { ...depsOf(), signal: AbortSignal.abort(new Error('shutting down')) }
    await expect(makeReports(sample(), deps)).rejects.toThrow('shutting down')
  })
})
