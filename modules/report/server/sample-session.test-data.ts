/** A whole and plausible live session for the tests of its report: everything that its facts can say, hostile texts among it. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import jpeg from 'jpeg-js'
import { canonicalJson } from '../../verification/server/index.ts'
import type { CaptureFacts, Piece, SealSummary, SessionContent, Subject } from './content/report-content.ts'
import { encodeSamplePng, numberedRow, sampleFacts, samplePieces, sampleSeal, sampleSubject } from './sample-report.test-data.ts'

type Session = NonNullable<CaptureFacts['interactive']>

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const beganAt = Date.parse('2026-11-20T23:10:02.000Z')
const at = (ms: number): string => new Date(beganAt + ms).toISOString()
const shop = 'https://www.boutique.example'

export const sessionSeal: SealSummary = {
  ...sampleSeal,
  signed_at: '2026-11-20T23:20:19.000Z',
  timestamps: sampleSeal.timestamps.map((stamp) => ({ ...stamp, gen_time: '2026-11-20T23:20:20.000Z' })),
}

export const sessionSubject: Subject = { ...sampleSubject, kind: 'interactive', finished_at: '2026-11-20T23:20:14.000Z' }

const navigation = (ms: number, tab: number, url: string, title: string, status: number | null, cause: string) => ({
  ms,
  at: at(ms),
  tab,
  url,
  title,
  status,
  cause,
})

const shot = (number: number, kind: 'viewport' | 'full_page', paths: readonly string[], ms: number, automatic = false) => ({
  number,
  kind,
  paths,
  ms,
  at: at(ms),
  tab: 1,
  url: `${shop}/fr/compte?commande=${number}`,
  title: number === 2 ? '' : 'Compte \u202eélitno <b>gras</b>',
  automatic,
})

export const fullSession: Session = {
  ended_by: 'visitor',
  began_at: at(0),
  duration_ms: 598_400,
  device: { kind: 'mobile', name: 'Pixel 7', width: 412, height: 839 },
  video: {
    path: 'capture/session.mp4',
    media_type: 'video/mp4',
    width: 1280,
    height: 840,
    page_height: 800,
    codec: 'avc1.640028',
    frames: 14_945,
    duration_ms: 598_320,
    chain: sha256('chain'),
    sound: { codec: 'opus', packets: 29_916 },
    gaps: [
      { from_ms: 61_240, to_ms: 61_960, reason: 'encoder_ended' },
      { from_ms: 70_000, to_ms: 70_100, reason: 'a_reason_of_later' },
    ],
    frames_dropped: 3,
  },
  timeline: { path: 'capture/timeline.jsonl', entries: 0, head: '' },
  navigations: [
    navigation(900, 1, `${shop}/`, 'Boutique – accueil', 200, 'address'),
    navigation(42_000, 1, `${shop}/fr/connexion?retour=%2Ffr%2Fcompte`, 'Connexion', 200, 'link'),
    navigation(65_500, 1, `${shop}/fr/compte`, 'Votre compte \u202eélitsoh', 200, 'form'),
    navigation(120_000, 2, `${shop}/fr/conditions`, 'Conditions générales', null, 'opened'),
    navigation(180_000, 2, `${shop}/fr/conditions#prix`, '', null, 'script'),
    navigation(240_000, 1, `${shop}/fr/connexion?retour=%2Ffr%2Fcompte`, 'Connexion', 200, 'back'),
    navigation(250_000, 1, `${shop}/fr/compte`, 'Votre compte', 200, 'forward'),
    navigation(300_000, 1, `${shop}/${'chemin/'.repeat(80)}`, 'x'.repeat(300), 404, 'reload'),
  ],
  screenshots: [
    shot(1, 'viewport', ['capture/screenshots/001-viewport.png'], 66_300),
    {
      ...shot(
        2,
        'full_page',
        ['capture/screenshots/002-full-page-001.png', 'capture/screenshots/002-full-page-002.png'],
        125_000,
      ),
      held: [
        { from_ms: 125_030, to_ms: 125_400 },
        { from_ms: 125_410, to_ms: 125_800 },
      ],
    },
    shot(3, 'viewport', ['capture/viewport.png'], 598_500, true),
    { ...shot(4, 'full_page', ['capture/full-page-001.png'], 598_900, true), disturbed: true },
  ],
  key_frames: [
    { path: 'capture/key-frames/001.jpg', ms: 2_400, reason: 'navigation', width: 1280, height: 840 },
    { path: 'capture/key-frames/002.jpg', ms: 66_300, reason: 'screenshot', width: 1280, height: 840 },
    { path: 'capture/key-frames/002.jpg', ms: 67_000, reason: 'navigation', width: 1280, height: 840 },
    { path: 'capture/key-frames/003.jpg', ms: 598_400, reason: 'end', width: 1280, height: 840 },
  ],
  downloads: [
    {
      ms: 130_000,
      url: `${shop}/fr/facture.pdf`,
      name: 'facture <12>.pdf',
      path: 'capture/downloads/01-facture-12-.pdf',
      bytes: 48_211,
      sha256: sha256('facture'),
      refused: null,
    },
    {
      ms: 140_000,
      url: `${shop}/tout.zip`,
      name: 'tout.zip',
      path: null,
      bytes: 209_715_201,
      sha256: null,
      refused: 'too_large',
    },
  ],
  uploads: [{ ms: 150_000, url: `${shop}/fr/reclamation`, name: 'photo.jpg', bytes: 81_000, sha256: sha256('photo') }],
  secrets: [
    { ms: 60_000, kind: 'paste', url: `${shop}/fr/connexion`, masked_in: [{ path: 'capture/network.har', times: 1 }] },
    { ms: 62_000, kind: 'credentials', url: `${shop}/interne`, masked_in: [] },
  ],
  withheld: [{ path: 'capture/network.pcap', sha256: sha256('withheld'), bytes: 3_912_777 }],
  tls_keys: { kept: 3, left_out: 1 },
  absences: [
    { from_ms: 0, to_ms: 310 },
    { from_ms: 200_000, to_ms: 219_800 },
  ],
  hand_overs: [
    { ms: 310, viewer: 1 },
    { ms: 219_800, viewer: 2 },
  ],
  witnesses: [
    {
      label: 'Maître Ève Œuvrard',
      watched: [{ from_ms: 30_000, to_ms: 590_000 }],
      countersigned: {
        ms: 589_000,
        at: at(589_000),
        name: 'Ève Œuvrard',
        statement: 'J’ai vu la commande nº 12 ainsi affichée. <script>alert(1)</script>\u202e!',
      },
    },
    { label: 'Second', watched: [], countersigned: null },
  ],
  crashes: [
    { ms: 61_240, what: 'picture', recovered: true },
    { ms: 400_000, what: 'page', recovered: false },
  ],
}

/** A session of which nothing came: the browser ended at once. */
export const emptySession: Session = {
  ended_by: 'browser_gone',
  began_at: at(0),
  duration_ms: 4_250,
  device: { kind: 'desktop' },
  video: null,
  timeline: { path: 'capture/timeline.jsonl', entries: 3, head: sha256('head') },
  navigations: [],
  screenshots: [],
  key_frames: [],
  downloads: [],
  uploads: [],
  secrets: [],
  absences: [],
  hand_overs: [],
  witnesses: [],
  crashes: [{ ms: 4_200, what: 'browser', recovered: false }],
}

const extra: readonly (readonly [string, Piece['role'], string])[] = [
  ['capture/downloads/01-facture-12-.pdf', 'download', 'application/octet-stream'],
  ['capture/key-frames/001.jpg', 'key_frame', 'image/jpeg'],
  ['capture/key-frames/002.jpg', 'key_frame', 'image/jpeg'],
  ['capture/key-frames/003.jpg', 'key_frame', 'image/jpeg'],
  ['capture/screenshots/001-viewport.png', 'viewport_screenshot', 'image/png'],
  ['capture/screenshots/002-full-page-001.png', 'full_page_screenshot', 'image/png'],
  ['capture/screenshots/002-full-page-002.png', 'full_page_screenshot', 'image/png'],
  ['capture/session.mp4', 'session_video', 'video/mp4'],
  ['capture/timeline.jsonl', 'timeline', 'application/jsonl'],
]

export const sessionPieces: readonly Piece[] = [
  ...samplePieces.filter(({ role }) => role !== 'tls_keys' && role !== 'pcap'),
  ...extra.map(([path, role, media_type]) => ({ path, role, media_type, bytes: 4_096, sha256: sha256(path) })),
].toSorted((a, b) => (a.path < b.path ? -1 : 1))

/** The lines of the sample, chained as a session chains them. */
function timelineText(lines: readonly (readonly [number, string, Readonly<Record<string, unknown>>])[]): string {
  let previous: string | null = null
  return lines
    .map(([ms, type, data], index) => {
      const line: string = canonicalJson({ n: index + 1, ms, at: at(ms), type, data, previous })
      previous = sha256(line)
      return `${line}\n`
    })
    .join('')
}

const lines: readonly (readonly [number, string, Readonly<Record<string, unknown>>])[] = [
  [-100, 'session', { format: 'probant-timeline/1' }],
  [310, 'viewer', { act: 'controls', viewer: 1 }],
  [700, 'navigation', { act: 'asked', url: `${shop}/`, cause: 'address', tab: 1 }],
  ...fullSession.navigations.map(({ ms, url, tab, cause }) => [ms + 0.4, 'navigation', { url, tab, cause }] as const),
  ...[41_000, 41_200].map((ms) => [ms, 'pointer', { kind: 'down', x: 1, y: 2, button: 0 }] as const),
  [41_300, 'pointer', { kind: 'up', x: 1, y: 2, button: 0 }],
  [41_400, 'pointer', { kind: 'wheel', x: 1, y: 2, dx: 0, dy: 120 }],
  [50_000, 'touch', { kind: 'start', points: [] }],
  [55_000, 'key', { kind: 'down', code: 'KeyA', key: 'a', tab: 1 }],
  [55_040, 'key', { kind: 'up', code: 'KeyA', key: 'a', tab: 1 }],
  [56_000, 'text', { text: 'œuvre', tab: 1 }],
  [56_100, 'text', { text: '漢', composing: true, tab: 1 }],
  [57_000, 'paste', { tab: 1, text: 'ici', length: 3 }],
  [60_000, 'paste', { tab: 1, masked: true }],
  [60_500, 'key', { kind: 'down', tab: 1, masked: true }],
  [60_540, 'key', { kind: 'up', tab: 1, masked: true }],
  [66_300, 'screenshot', { number: 1, kind: 'viewport' }],
  [125_000, 'screenshot', { number: 2, kind: 'full_page' }],
  [598_950, 'end', { why: 'visitor', left_out: 7 }],
]

export const sampleTimeline = timelineText(lines)

/** Writes the files that only a session has; answers their local paths, and the facts that fit them. */
export async function writeSessionFiles(
  folder: string,
): Promise<{ readonly files: ReadonlyMap<string, string>; readonly session: Session }> {
  const files = new Map<string, string>()
  const put = async (path: string, data: string | Buffer): Promise<void> => {
    const file = join(folder, path.replaceAll('/', '-'))
    await writeFile(file, data)
    files.set(path, file)
  }
  const png = (height: number): Buffer => encodeSamplePng(1280, height, 3, 2, (y) => numberedRow(y, 1280))
  await put('capture/screenshots/001-viewport.png', png(800))
  await put('capture/screenshots/002-full-page-001.png', png(700))
  await put('capture/screenshots/002-full-page-002.png', png(260))
  for (const [index, colour] of [40, 120, 200].entries()) {
    const data = Buffer.alloc(1280 * 840 * 4, 255)
    for (let y = 0; y < 840; y += 1) data.fill(y < 800 ? colour + (y % 50) : 20, y * 1280 * 4, y * 1280 * 4 + 1280 * 4)
    await put(`capture/key-frames/00${index + 1}.jpg`, jpeg.encode({ data, width: 1280, height: 840 }, 80).data)
  }
  await put('capture/timeline.jsonl', sampleTimeline)
  const head = sha256(sampleTimeline.trimEnd().split('\n').at(-1) ?? '')
  return { files, session: { ...fullSession, timeline: { ...fullSession.timeline, entries: lines.length, head } } }
}

export function sessionFacts(session: Session): CaptureFacts {
  const facts = sampleFacts(900)
  return {
    ...facts,
    finished_at: sessionSubject.finished_at,
    interactive: session,
    images: session.screenshots.length === 0 ? [] : facts.images,
  }
}

/** As the report holds it, with nothing read. */
export const sessionContent = (facts: Session): SessionContent => ({
  facts,
  timeline: { state: 'absent' },
  keyFrames: [],
  keyFramesLeftOut: 0,
  shotsLeftOut: [],
})
