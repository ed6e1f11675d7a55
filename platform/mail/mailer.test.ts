import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { createMailer, type Mail } from './mailer.ts'
import { registerMailPages } from './mail-pages.ts'

const mail: Mail = {
  to: 'claire@example.org',
  subject: 'Votre rapport est prêt\u202F: «\u202Fœuvre\u202F»',
  text: 'Bonjour,\n\nLe rapport est prêt.\n',
  html: '<p>Le rapport est <b>prêt</b>.</p><script>alert(1)</script>',
  locale: 'fr',
}
const all = mkdtempSync(join(tmpdir(), 'probant-mail-'))
const newFolder = () => mkdtempSync(join(all, 'm-'))
afterAll(() => rmSync(all, { recursive: true }))

async function smtp(
  body: (url: string, received: { from: string; to: string[]; source: string }[]) => Promise<void>,
): Promise<void> {
  const received: { from: string; to: string[]; source: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let source = ''
      stream.on('data', (chunk: Buffer) => (source += chunk.toString()))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map((each) => each.address), source })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await body(`smtp://127.0.0.1:${port}`, received)
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  await closed.promise
}

describe('mail', () => {
  test('goes out by SMTP in both forms', async () => {
    await smtp(async (smtpUrl, received) => {
      const mailer = createMailer({ mail: { smtpUrl, from: 'Probant <p@example.net>', folder: newFolder() } })
      await mailer.send(mail)
      mailer.close()
      expect(received).toHaveLength(1)
      expect(received[0]).toMatchObject({ from: 'p@example.net', to: ['claire@example.org'] })
      expect(received[0]?.source).toMatch(/^Content-Language: fr\r$/m)
      expect(received[0]?.source).toMatch(/text\/plain[\s\S]*text\/html/)
    })
  })

  test.each([
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'Claire <a@example.org>',
    'a@example.org;b@example.org',
    '"a\r\nX: y"@example.org',
    'a@b@c',
    '@example.org',
    `${'a'.repeat(250)}@b.fr`,
  ])('refuses the address %j', async (to) => {
    const folder = newFolder()
    await expect(
      createMailer({ mail: { smtpUrl: undefined, from: 'p@example.net', folder } }).send({ ...mail, to }),
    ).rejects.toThrow(RangeError)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['x\r\nBcc: b@example.org', 'x\nX: y', 'x\u2028y', 'x'.repeat(251)])('refuses the subject %j', async (subject) => {
    const mailer = createMailer({ mail: { smtpUrl: undefined, from: 'p@example.net', folder: newFolder() } })
    await expect(mailer.send({ ...mail, subject })).rejects.toThrow(RangeError)
  })

  test.each([
    { unsubscribe: 'https://probant.example/>\r\nBcc: b@example.org' },
    { unsubscribe: 'https://probant.example/?key=<x>' },
    { unsubscribe: 'javascript:alert(1)' },
    { unsubscribe: 'mailto:a@example.org' },
    { once: { id: '../../etc/passwd', at: new Date() } },
    { once: { id: 'x>\r\nBcc: b@example.org', at: new Date() } },
  ])('refuses %j', async (wrong) => {
    const folder = newFolder()
    const mailer = createMailer({ mail: { smtpUrl: undefined, from: 'p@example.net', folder } })
    await expect(mailer.send({ ...mail, ...wrong })).rejects.toThrow(RangeError)
    expect(readdirSync(folder)).toEqual([])
  })

  test('of one that may be sent twice is one file, whatever is in the second', async () => {
    const folder = newFolder()
    const mailer = createMailer({ mail: { smtpUrl: undefined, from: 'Probant <p@example.net>', folder } })
    const once = { id: '019aa000-0000-7000-8000-000000000001', at: new Date('2026-11-21T10:00:00.000Z') }
    await mailer.send({ ...mail, once })
    await mailer.send({ ...mail, once })
    expect(readdirSync(folder)).toEqual([`2026-11-21T10-00-00-000Z-${once.id}.eml`])
    const source = readFileSync(join(folder, `2026-11-21T10-00-00-000Z-${once.id}.eml`), 'latin1')
    expect(source).toMatch(new RegExp(`^Message-ID: <${once.id}@example\\.net>\r$`, 'm'))
    expect(source).toMatch(/^Date: Sat, 21 Nov 2026 10:00:00 \+0000\r$/m)
  })

  test('without SMTP is a file, shown without scripts', async () => {
    const folder = newFolder()
    await createMailer({ mail: { smtpUrl: undefined, from: 'Probant <p@example.net>', folder } }).send(mail)
    const [name = ''] = readdirSync(folder)
    expect(readFileSync(join(folder, name), 'latin1')).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
    registerMailPages(app, folder)
    const index = await app.inject('/dev/mail/')
    expect(index.body).toContain(mail.subject)
    const page = await app.inject(`/dev/mail/${name}/`)
    expect(page.body).toContain('Le rapport est prêt.')
    expect(page.body).toContain('<iframe sandbox ')
    const inner = await app.inject(`/dev/mail/${name}/html/`)
    expect(inner.body.trim()).toBe(mail.html)
    expect(inner.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
    expect((await app.inject('/dev/mail/..%2F..%2Fetc%2Fpasswd/')).statusCode).not.toBe(200)
    await app.close()
  })
})
