import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealRosette } from '../../../kernel/seal-rosette.ts'
import type { ReportInput } from './content/read-content.ts'
import { type Reports, makePreviewReport, makeReports } from './make-report.ts'
import { writeSampleFiles } from './sample-report.test-data.ts'
import {
  emptySession,
  sessionFacts,
  sessionPieces,
  sessionSeal,
  sessionSubject,
  writeSessionFiles,
} from './sample-session.test-data.ts'

const run = promisify(execFile)

let folder = ''
let files: ReadonlyMap<string, string> = new Map()
let full: ReportInput
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session-report-'))
  await chmod(folder, 0o755)
  const written = await writeSessionFiles(folder)
  files = new Map([...(await writeSampleFiles(folder, 900)), ...written.files])
  full = {
    subject: sessionSubject,
    facts: sessionFacts(written.session),
    pieces: sessionPieces,
    seal: sessionSeal,
    siteUrl: null,
  }
}, 60_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const deps = () => ({
  signPdf: async (pdf: Uint8Array) => pdf,
  captureWords: () => () => null,
  rosette: sealRosette,
  localFile: async (path: string) => {
    const file = files.get(path)
    if (file === undefined) throw new Error(`asked for ${path}`)
    return file
  },
  workDir: join(folder, 'work'),
  signal: AbortSignal.timeout(90_000),
})

async function pagesOf(pdf: Uint8Array, name: string, order: '-layout' | '-raw' = '-layout'): Promise<readonly string[]> {
  const file = join(folder, `${name}.pdf`)
  await writeFile(file, pdf)
  const { stdout } = await run('pdftotext', [order, file, '-'], { maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\f').map((page) => page.replaceAll(/\s+/g, ' '))
}

const textOf = async (pdf: Uint8Array, name: string): Promise<string> => (await pagesOf(pdf, name)).join(' ')

describe('the report of a live session', () => {
  let reports: Reports
  beforeAll(async () => {
    reports = await makeReports(full, deps())
  }, 90_000)

  it('says who steered, what was automatic, the path that was followed and how each page was reached', async () => {
    const pages = await pagesOf(reports.en, 'full-en')
    const text = pages.join(' ')
    expect(pages[0]).toContain('Web evidence report – live session')
    expect(pages[0]).toContain('while a visitor steered the browser')
    expect(pages[1]).toContain('the visitor chose what was opened and done')
    expect(pages[1]).toContain('9 min 58 s; ended by the visitor; pages shown: 8')
    expect(pages[1]).toContain('2 taken by the visitor, 2 automatically at the end; video of 9 min 58 s')
    expect(pages[1]).toContain('14,945 pictures, 2 gaps, with sound')
    // One page for the judge, whatever the session was.
    expect(pages[2]).toContain('2 Points to note')
    expect(text).toMatch(/1 23:10:02\.900 0:00\.9 \[4\] 1 address typed 200/)
    expect(text).toContain('opened by a page')
    expect(text).toContain('Redirected by HTTP status 301 from')
    expect(text).not.toContain('Second vantage point')
    expect(text).not.toContain('No scenario was asked for')
  })

  it('K-01 counts what was done, and names gaps, absences, hands, failures, files and what was masked, with words of witnesses', async () => {
    const text = await textOf(reports.en, 'full-en')
    for (const line of [
      'Clicks 2',
      'Movements of the wheel 1',
      'Touches 1',
      'Keys pressed 1',
      'Texts entered as such 1',
      'Pastes 1',
      'Inputs masked 2',
      'The TLS keys of 1 connection are left out: they would show a secret. Those of 3 connections in which nothing was masked are in tls-keys.log.',
      '7 lines were left out of the timeline',
      '1:01.2 to 1:01.9: the encoder ended',
      '1:10.0 to 1:10.1: a_reason_of_later',
      'left out by the encoder: 3',
      full.facts.interactive?.video?.chain,
      full.facts.interactive?.timeline.head,
      'a telephone, emulated: Pixel 7, 412 × 839',
      '3:20.0 to 3:39.8',
      '3:39.8: device 2',
      'as Ève Œuvrard',
      'J’ai vu la commande nº 12 ainsi affichée. <script>alert(1)</script> U+202E',
      'Did not countersign.',
      'kept as capture/downloads/01-facture-12-.pdf, never opened',
      'not kept: larger than a session takes',
      'Given to the page 2:30.0 photo.jpg',
      'Replaced in capture/network.har: 1 time',
      'No replacement in a piece is recorded.',
      'capture/network.pcap, 3.9 MB',
      'a secret passed in it unencrypted',
      '1:01.2: the recording of the picture failed; recovered',
      '6:40.0: a page crashed; not recovered',
      'capture/timeline.jsonl',
      'Whoever steered brought about what is shown.',
      'Who steered was not measured.',
      'Images and video are not searched for secrets',
      'Hash of the last line of the timeline, against section 5',
    ])
      expect(text).toContain(line)
  })

  it('numbers screenshots as the visitor saw them, then pictures of the video with their seconds', async () => {
    // Two stand beside each other.
    const text = (await pagesOf(reports.en, 'full-en', '-raw')).join(' ')
    expect(text).toContain('Exhibit 1 – What the window showed')
    expect(text).toMatch(/1:06\.3 in the video; tab 1; taken at the visitor’s request/)
    expect(text).toMatch(/Exhibit 4 – The whole page.*taken automatically at the end/)
    expect(text).toMatch(/the video keeps the picture that stood before: from 2:05\.0, 2 times, 0\.8 s in all/)
    expect(text).toMatch(/which a page can notice; the video may show it/)
    expect(text).toMatch(/Exhibit ?6 ?– 1:06\.3 in the video \(a screenshot taken\); 1:07\.0 in the video \(a page shown\)/)
    expect(text).toMatch(/Exhibit ?7 ?– 9:58\.4 in the video \(end of the session\)/)
    const { stdout } = await run('pdfimages', ['-list', join(folder, 'full-en.pdf')])
    expect(stdout.match(/ 1280 +840 /g)).toHaveLength(3)
  })

  it('says the same in French, with no word of English', async () => {
    const text = await textOf(reports.fr, 'full-fr')
    expect(text).toContain('Rapport de preuve web – session en direct')
    expect(text).toContain('un visiteur a piloté un navigateur')
    expect(text).toContain('9 min 58 s ; terminée par le visiteur')
    expect(text).toContain('Image 6 – 1:06.3 dans la vidéo (capture d’écran prise)')
    expect(text).toContain('adresse saisie')
    expect(text).not.toMatch(/\b(?:visitor|steered|timeline of|pictures|screenshot taken)\b/)
  })

  it('leaves the judge one page, whatever has to be said', async () => {
    const long = `https://a.example/${'r'.repeat(3000)}`
    const checklist = Array.from({ length: 18 }, (_, i) => ({
      result: 'fail' as const,
      data: {},
      evidence_path: null,
      id: `a_condition_with_a_long_name_${i}`,
    }))
    const worst: ReportInput = {
      ...full,
      askedBy: { kind: 'account', name: 'N'.repeat(120), owner: { name: 'O'.repeat(120) } },
      subject: { ...sessionSubject, requested_url: long, final_url: `${long}x` },
      facts: { ...full.facts, title: 'T'.repeat(500), checklist },
    }
    const pages = await pagesOf((await makePreviewReport(worst, 'fr', deps())).pdf, 'worst-fr')
    expect(pages[1]).toContain('1 L’essentiel en une page')
    expect(pages[2]).toContain('2 Points à relever')
  }, 60_000)

  it('prints nothing in place of what a session did not have', async () => {
    const nothing: ReportInput = {
      ...full,
      facts: sessionFacts(emptySession),
      pieces: sessionPieces.filter(({ role }) => role === 'checklist'),
    }
    // What is written across each page stands between the lines that lie beside each other.
    const text = (await pagesOf((await makePreviewReport(nothing, 'en', deps())).pdf, 'empty-en', '-raw')).join(' ')
    for (const line of [
      'no picture was recorded',
      'and no device took control of it',
      'No page was shown.',
      'The lines were not counted for this report.',
      'No device took control.',
      'No witness watched.',
      'Nothing was entered as a secret',
      'No file was downloaded, and none was given to a page.',
      '0:04.2: the browser ended; not recovered',
      'No image was taken.',
      'No picture was recorded, so there is no video.',
    ])
      expect(text).toContain(line)
    expect(text).not.toContain('visitor steered')
    expect(text).not.toContain('ffmpeg')
    expect(text).not.toContain('Pictures from the video')
    expect(await readdir(join(folder, 'work'))).toEqual([])
  }, 60_000)
})
