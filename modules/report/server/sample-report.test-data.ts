/** A whole and plausible capture for the tests of the report: hostile title, redirect, two pictures, all kinds of pieces. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, crc32 } from 'node:zlib'
import type { CaptureFacts, Piece, SealSummary, Subject } from './content/report-content.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const sampleRoot = sha256('the root of the sample')

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/** A PNG whose rows are given as RGB or RGBA, with one filter for all rows, encoded here and not by the code under test. */
export function encodeSamplePng(
  width: number,
  height: number,
  channels: 3 | 4,
  filter: 0 | 1 | 2 | 3 | 4,
  pixels: (y: number) => Buffer,
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, channels === 3 ? 2 : 6, 0, 0, 0], 8)
  const size = width * channels
  const raw = Buffer.alloc(height * (size + 1))
  let above: Buffer = Buffer.alloc(size)
  for (let y = 0; y < height; y += 1) {
    const row = pixels(y)
    const at = y * (size + 1)
    raw[at] = filter
    for (let i = 0; i < size; i += 1) {
      const a = i >= channels ? (row[i - channels] ?? 0) : 0
      const b = above[i] ?? 0
      const c = i >= channels ? (above[i - channels] ?? 0) : 0
      const nearest = [a, b, c].reduce((best, one) => (Math.abs(a + b - c - one) < Math.abs(a + b - c - best) ? one : best), a)
      const predicted = [0, a, b, (a + b) >> 1, nearest][filter] ?? 0
      raw[at + 1 + i] = ((row[i] ?? 0) - predicted) & 255
    }
    above = row
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Row `y` of a page where every row differs: its number stands in the colour of its stripe. */
export function numberedRow(y: number, width: number): Buffer {
  const row = Buffer.alloc(width * 3, 250)
  const striped = y % 500 < 4
  const written = y % 24 < 9
  // Fifty million of these: written in place, without an array for each.
  const paint = (x: number, red: number, green: number, blue: number): void => {
    row[x * 3] = red
    row[x * 3 + 1] = green
    row[x * 3 + 2] = blue
  }
  for (let x = 0; x < width; x += 1)
    if (x < 40) paint(x, y & 255, (y >> 8) & 255, (y >> 16) & 255)
    else if (striped) paint(x, 15, 94, 99)
    else if (written && (x * 7919 + (y / 24) * 104_729) % 97 < 60) paint(x, 40, 48, 58)
  return row
}

export const sampleSubject: Subject = {
  evidence_id: '0199c2a4-7b1e-7c34-9f10-5d2f6a7b8c9d',
  kind: 'static',
  requested_url: 'https://boutique.example/promo?ref=lettre',
  final_url: 'https://www.boutique.example/fr/promotions/été-2026?ref=lettre&page=1',
  started_at: '2026-11-20T23:10:00.123Z',
  finished_at: '2026-11-20T23:10:21.456Z',
  software: 'probant/0.1.0',
}

export const sampleTitle = 'Soldes d’été : jusqu’à \u202e%07-\u202c sur « Œuvres » <script>alert(1)</script> & cœurs'

const paths: readonly (readonly [string, Piece['role'], string, number])[] = [
  ['capture/actions.jsonl', 'action_log', 'application/jsonl', 5120],
  ['capture/archive.wacz', 'wacz', 'application/wacz', 3_456_789],
  ['capture/certificates.pem', 'certificates', 'application/x-pem-file', 6021],
  ['capture/console.jsonl', 'console', 'application/jsonl', 220],
  ['capture/dns.json', 'dns', 'application/json', 913],
  ['capture/dom.html', 'dom', 'text/html', 180_233],
  ['capture/full-page-001.png', 'full_page_screenshot', 'image/png', 912_345],
  ['capture/network.har', 'har', 'application/json', 400_512],
  ['capture/network.pcap', 'pcap', 'application/vnd.tcpdump.pcap', 3_912_777],
  ['capture/page.mhtml', 'mhtml', 'multipart/related', 2_100_020],
  ['capture/page.pdf', 'page_pdf', 'application/pdf', 812_001],
  ['capture/source.html', 'source', 'text/html', 90_400],
  ['capture/tls-keys.log', 'tls_keys', 'text/plain', 3100],
  ['capture/viewport.png', 'viewport_screenshot', 'image/png', 402_345],
  // Several pieces tell of the machine: the bounds stand in the one of that name.
  ['environment/addresses.json', 'environment', 'application/json', 277],
  ['environment/checklist.json', 'checklist', 'application/json', 4096],
  ['environment/environment.json', 'environment', 'application/json', 8192],
]

export const samplePieces: readonly Piece[] = paths.map(([path, role, media_type, bytes]) => ({
  path,
  role,
  media_type,
  bytes,
  sha256: sha256(path),
}))

export const sampleSeal: SealSummary = {
  format: 'probant-seal/1',
  root: sampleRoot,
  signed_at: '2026-11-20T23:10:24.000Z',
  signer: { subject: 'Probant platform 1', serial: '3fa2c4e1b07d5566aa01', sha256: sha256('signer') },
  timestamps: [
    {
      file: 'seal/timestamp-1.tsr',
      ca_file: 'seal/timestamp-1-ca.pem',
      authority: 'Probant embedded time authority (not qualified)',
      gen_time: '2026-11-20T23:10:25.000Z',
      qualified: false,
      serial: '5b2290aa17',
      embedded: true,
    },
  ],
  pending_authorities: [],
}

export function sampleFacts(height: number): CaptureFacts {
  return {
    requested_url: sampleSubject.requested_url,
    final_url: sampleSubject.final_url,
    title: sampleTitle,
    http_status: 200,
    started_at: sampleSubject.started_at,
    navigated_at: '2026-11-20T23:10:01.500Z',
    finished_at: sampleSubject.finished_at,
    viewport: { width: 1280, height: 800, device_scale_factor: 1 },
    page_height: height,
    captured_height: height,
    images: [
      { path: 'capture/viewport.png', kind: 'viewport', width: 1280, height: 800, index: 0 },
      { path: 'capture/full-page-001.png', kind: 'full_page', width: 1280, height, index: 0 },
    ],
    resources: { total: 57, failed: 1, blocked: 2, bytes: 2_612_345 },
    redirects: [{ url: sampleSubject.requested_url, status: 301 }],
    server_address: '93.184.215.14',
    certificate: {
      subject: 'CN=www.boutique.example',
      issuer: 'C=US, O=Example Trust, CN=Example TLS CA 1',
      valid_from: '2026-09-01T00:00:00.000Z',
      valid_to: '2026-12-01T00:00:00.000Z',
      sha256: sha256('certificate'),
      error: null,
    },
    machine: {
      hostname: 'capture-1',
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernel: 'Linux 6.1.0-31-amd64',
      browser: 'Chromium 156.0.8078.79',
      node: '26.9.0',
      software: 'probant/0.1.0',
      virtualisation: null,
    },
    allowed_addresses_used: [],
    isolation: 'namespaces',
    checklist: [
      { id: 'standard', result: 'pass', data: {}, evidence_path: null },
      { id: 'clock', result: 'pass', data: { offset_ms: 12, sources: 3 }, evidence_path: 'environment/environment.json' },
      { id: 'antivirus', result: 'not_measured', data: { scan: null }, evidence_path: null },
      { id: 'cache', result: 'fail', data: { responses_from_cache: 2 }, evidence_path: 'environment/checklist.json' },
    ],
    warnings: [
      { code: 'redirected_elsewhere', data: { from: 'boutique.example', to: 'www.boutique.example' } },
      { code: 'missing_images', data: { count: 1 } },
    ],
    quality: {
      verdict: 'doubtful',
      advice: ['retry'],
      coverage: { percent: 100, captured_height: 5200, page_height: 5200, missing_images: 1, images: 12 },
    },
    timestamps: [],
    scenario: null,
    cookie_banner: null,
    server: null,
    vantage: null,
    interactive: null,
    completeness: {
      state: 'incomplete',
      losses: [{ url: 'https://cdn.example/late.js', reason: 'body_incomplete' }],
    },
  }
}

/** Writes the files that the report reads; answers their local paths by package path. */
export async function writeSampleFiles(folder: string, height: number): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  const put = async (path: string, data: string | Buffer): Promise<void> => {
    const file = join(folder, path.replaceAll('/', '-'))
    await writeFile(file, data)
    files.set(path, file)
  }
  await put(
    'capture/viewport.png',
    encodeSamplePng(1280, 800, 3, 2, (y) => numberedRow(y, 1280)),
  )
  await put(
    'capture/full-page-001.png',
    encodeSamplePng(1280, height, 3, 2, (y) => numberedRow(y, 1280)),
  )
  const entries = Array.from({ length: 57 }, (_, index) => ({
    request: { method: 'GET', url: `https://www.boutique.example/static/${index}/${'a'.repeat((index * 37) % 180)}.js` },
    response:
      index === 56 ? { status: 0 } : { status: 200, content: { size: index * 1111, mimeType: 'text/javascript; charset=utf-8' } },
    serverIPAddress: '93.184.215.14',
  }))
  await put('capture/network.har', JSON.stringify({ log: { version: '1.2', entries } }))
  await put('capture/certificates.pem', '')
  const facts = sampleFacts(height)
  await put('environment/checklist.json', `${JSON.stringify(facts.checklist, null, 1)}\n`)
  const actions = ['session_started', 'browser_started', 'navigate', 'screenshot', 'session_finished']
  await put('capture/actions.jsonl', actions.map((action) => `${JSON.stringify({ at: facts.started_at, action })}\n`).join(''))
  const limits = {
    totalMs: 180_000,
    loadMs: 30_000,
    maxHeight: 100_000,
    bodyBytes: 209_715_200,
    totalBytes: 524_288_000,
    requests: 5000,
  }
  await put(
    'environment/environment.json',
    `${JSON.stringify({ isolation: {}, tunnel: { decrypts: false, limits } }, null, 1)}\n`,
  )
  return files
}
