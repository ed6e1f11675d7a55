import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../kernel/errors.ts'
import { html, htmlToString } from '../html/html.ts'

/** As the folder mailer names its files; nothing else becomes a path. */
const fileName = /^[0-9T-]{23}Z-[0-9a-f-]{36}\.eml$/
const shown = 200

type Summary = { readonly name: string; readonly to: string; readonly subject: string; readonly date: string }

function header(source: string, name: string): string {
  const head = source.split('\r\n\r\n', 1)[0] ?? ''
  const line = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((each) => each.toLowerCase().startsWith(`${name}:`))
  return decodeWords(line?.slice(name.length + 1).trim() ?? '')
}

/** RFC 2047 encoded words, as nodemailer writes them: UTF-8, Q or B. */
function decodeWords(text: string): string {
  const joined = text.replaceAll(/\?=\s+=\?/g, '?==?')
  return joined.replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, data: string) =>
    decode(
      data.replaceAll('_', kind.toLowerCase() === 'q' ? ' ' : '_'),
      kind.toLowerCase() === 'q' ? 'quoted-printable' : 'base64',
    ),
  )
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  // Undecoded characters are ASCII, so that each character is one byte.
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** A part of one of our own mails, which are multipart/alternative with text and HTML. */
function partOf(source: string, type: 'text/plain' | 'text/html'): string {
  const boundary = /boundary="?([^"\r\n;]+)"?/i.exec(source)?.[1]
  const parts = boundary === undefined ? [source] : source.split(`--${boundary}`)
  const part = parts.find((each) => new RegExp(`^content-type: ${type}\\b`, 'im').test(each.split('\r\n\r\n', 1)[0] ?? '')) ?? ''
  const start = part.indexOf('\r\n\r\n')
  return start === -1 ? '' : decode(part.slice(start + 4), header(part.trimStart(), 'content-transfer-encoding').toLowerCase())
}

async function summaries(folder: string): Promise<Summary[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const latest = names
    .filter((name) => fileName.test(name))
    .toSorted()
    .toReversed()
    .slice(0, shown)
  return await Promise.all(
    latest.map(async (name) => {
      const source = await readFile(join(folder, name), 'utf8')
      return { name, to: header(source, 'to'), subject: header(source, 'subject'), date: header(source, 'date') }
    }),
  )
}

/** `/dev/mail/`: the mails of an installation without SMTP, readable in the browser. Registered outside production only. */
export function registerMailPages(app: FastifyInstance, folder: string): void {
  const config = { access: ['page'] }
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; frame-ancestors 'self'"

  async function read(name: string): Promise<string> {
    if (!fileName.test(name)) throw new DomainError('not_found', 'http.not_found')
    return await readFile(join(folder, name), 'utf8').catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? new DomainError('not_found', 'http.not_found')
        : error
    })
  }

  app.get('/dev/mail/', { config, schema: { hide: true } }, async (_request, reply) => {
    const rows = (await summaries(folder)).map(
      (mail) =>
        html`<tr>
          <td>${mail.date}</td>
          <td>${mail.to}</td>
          <td><a href="/dev/mail/${mail.name}/">${mail.subject}</a></td>
        </tr>`,
    )
    const page = html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" /><title>Mail</title>
        <h1>Mail</h1>
        <p><a href="/dev/mail/gallery/">Every mail that there is</a></p>
        <table>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </html>`
    return await reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(htmlToString(page))
  })

  app.get<{ Params: { name: string } }>('/dev/mail/:name/', { config, schema: { hide: true } }, async (request, reply) => {
    const source = await read(request.params.name)
    const page = html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" /><title>${header(source, 'subject')}</title>
        <h1>${header(source, 'subject')}</h1>
        <p>${header(source, 'to')}</p>
        <iframe sandbox src="html/" title="HTML" width="800" height="600"></iframe>
        <pre>${partOf(source, 'text/plain')}</pre>
      </html>`
    return await reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(htmlToString(page))
  })

  app.get<{ Params: { name: string } }>('/dev/mail/:name/html/', { config, schema: { hide: true } }, async (request, reply) => {
    const source = await read(request.params.name)
    return await reply
      .header('content-security-policy', `sandbox; ${policy}`)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(partOf(source, 'text/html'))
  })
}
