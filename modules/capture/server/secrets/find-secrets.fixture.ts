/** Looks for a secret in every octet of every piece, unpacked and decoded, by other means than those that mask. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { expect } from 'vitest'
import type { CaptureResult } from '../../domain/outcome/outcome.ts'

const run = promisify(execFile)

/** Every way in which these words may stand somewhere, written by other means than those that mask. */
export function formsOf(secret: string): readonly (readonly [string, Buffer])[] {
  const utf8 = Buffer.from(secret)
  const percent = encodeURIComponent(secret)
  const base64 = (bytes: Buffer, encoding: 'base64' | 'base64url') =>
    [0, 1, 2].map((before): [string, Buffer] => {
      const whole = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(3)]).toString(encoding)
      const first = Math.ceil((before * 4) / 3)
      return [`${encoding} after ${before}`, Buffer.from(whole.slice(first, Math.floor(((before + bytes.length) * 4) / 3)))]
    })
  const escapes = (one: (unit: string) => string) => Buffer.from(Array.from(secret, one).join(''))
  const html = secret.replaceAll('&', '&amp;')
  return [
    ['UTF-8', utf8],
    ['UTF-16LE', Buffer.from(secret, 'utf16le')],
    ['UTF-16BE', Buffer.from(secret, 'utf16le').swap16()],
    ['percent', Buffer.from(percent)],
    ['percent, lower case', Buffer.from(percent.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()))],
    [
      'percent, as browsers have it in a query',
      Buffer.from(new URL(`http://a/?${secret.replaceAll(/[&#+%]/g, encodeURIComponent)}`).search.slice(1)),
    ],
    ['form', Buffer.from(new URLSearchParams({ p: secret }).toString().slice(2))],
    ['percent twice', Buffer.from(encodeURIComponent(percent))],
    ['JSON', Buffer.from(JSON.stringify(secret).slice(1, -1))],
    ['JSON twice', Buffer.from(JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1))],
    [
      'JSON, ASCII',
      escapes((c) => Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')),
    ],
    ['HTML text', Buffer.from(html.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))],
    ['HTML attribute', Buffer.from(html.replaceAll('"', '&quot;'))],
    ['HTML, decimal', escapes((c) => `&#${String(c.codePointAt(0))};`)],
    ['hexadecimal', Buffer.from(utf8.toString('hex'))],
    ['hexadecimal, upper case', Buffer.from(utf8.toString('hex').toUpperCase())],
    ...base64(utf8, 'base64'),
    ...base64(utf8, 'base64url'),
    ...base64(Buffer.from(secret, 'utf16le'), 'base64'),
  ]
}
const quotedPrintable = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes
      .toString('latin1')
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** Every piece, and what is in those that hold others: name and octets. */
export async function octetsOf(files: CaptureResult['files'], workDir: string): Promise<readonly (readonly [string, Buffer])[]> {
  const all: [string, Buffer][] = []
  for (const { path, file } of files) all.push([path, await readFile(file)])
  const archive = files.find(({ role }) => role === 'wacz')?.file ?? ''
  const unzipped = join(workDir, 'unzipped')
  await mkdir(unzipped)
  await run('unzip', ['-q', archive, '-d', unzipped])
  for (const name of await readdir(unzipped, { recursive: true })) {
    if (!(await stat(join(unzipped, name))).isFile()) continue
    const bytes = await readFile(join(unzipped, name))
    all.push([`wacz/${name}`, name.endsWith('.gz') ? gunzipSync(bytes) : bytes])
  }
  const warc = all.find(([name]) => name.endsWith('.warc.gz'))?.[1] ?? Buffer.alloc(0)
  let packed = 0
  for (let at = 0; at < warc.length;) {
    const head = warc.indexOf('\r\n\r\n', at)
    const length = Number(/^Content-Length: (\d+)/im.exec(warc.toString('latin1', at, head))?.[1])
    const block = warc.subarray(head + 4, head + 4 + length)
    at = head + 8 + length
    const body = block.subarray(block.indexOf('\r\n\r\n') + 4)
    const coding = /^content-encoding: *(gzip|br|deflate)/im.exec(block.toString('latin1', 0, block.length - body.length))?.[1]
    if (coding === undefined) continue
    packed += 1
    all.push([
      `record ${packed}`,
      coding === 'gzip' ? gunzipSync(body) : coding === 'br' ? brotliDecompressSync(body) : inflateSync(body),
    ])
  }
  expect(packed).toBeGreaterThan(0)
  const pdf = files.find(({ role }) => role === 'page_pdf')
  if (pdf !== undefined) all.push(['page.pdf as text', Buffer.from((await run('pdftotext', [pdf.file, '-'])).stdout)])
  return [
    ...all,
    ...all
      .filter(([name]) => name.endsWith('.mhtml'))
      .map(([name, bytes]) => [`${name}, decoded`, quotedPrintable(bytes)] as const),
  ]
}

/** Where a secret stands in any piece, in any form. */
export async function findSecrets(secrets: readonly string[], files: CaptureResult['files'], workDir: string): Promise<string[]> {
  const pieces = await octetsOf(files, workDir)
  return secrets.flatMap((secret) =>
    formsOf(secret).flatMap(([form, wanted]) =>
      pieces.flatMap(([name, bytes]) => (bytes.includes(wanted) ? [`${name}: ${form}`] : [])),
    ),
  )
}
