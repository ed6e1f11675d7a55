import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCertificates } from './read-certificates.ts'
import { readExchanges } from './read-exchanges.ts'

const run = promisify(execFile)
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pieces-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function pieceOf(path: string, content: string): Promise<{ path: string; file: string }> {
  const file = join(folder, path.replaceAll('/', '-'))
  await writeFile(file, content)
  return { path, file }
}

describe('readExchanges', () => {
  it('keeps what was measured, and null for what HAR writes as not received', async () => {
    const entries = [
      {
        startedDateTime: '2026-11-20T23:10:01.500Z',
        request: { method: 'GET', url: 'https://a.example/' },
        response: { status: 200, content: { size: 12, mimeType: 'text/html; charset=utf-8', _sha256: 'ab'.repeat(32) } },
        serverIPAddress: '192.0.2.1',
      },
      {
        request: { method: 'GET', url: 'https://a.example/x' },
        response: { status: 0, content: { size: -1, mimeType: 'x-unknown' } },
      },
      'not an entry',
    ]
    const list = await readExchanges(await pieceOf('capture/network.har', JSON.stringify({ log: { entries } })))
    expect(list).toEqual({
      state: 'read',
      path: 'capture/network.har',
      total: 3,
      rows: [
        {
          number: 1,
          at: '2026-11-20T23:10:01.500Z',
          method: 'GET',
          url: 'https://a.example/',
          status: 200,
          mediaType: 'text/html',
          bytes: 12,
          serverAddress: '192.0.2.1',
          sha256: 'ab'.repeat(32),
        },
        {
          number: 2,
          at: null,
          method: 'GET',
          url: 'https://a.example/x',
          status: null,
          mediaType: null,
          bytes: null,
          serverAddress: null,
          sha256: null,
        },
      ],
    })
  })

  it('counts all and keeps few, does not read a file that is too large, and says when there is none', async () => {
    const entries = Array.from({ length: 50 }, () => ({ request: { method: 'GET', url: 'https://a.example/' } }))
    const piece = await pieceOf('capture/many.har', JSON.stringify({ log: { entries } }))
    expect(await readExchanges(piece, { bytes: 1_000_000, rows: 7 })).toMatchObject({ total: 50, rows: { length: 7 } })
    expect(await readExchanges(piece, { bytes: 100, rows: 7 })).toEqual({ state: 'too_large', path: 'capture/many.har' })
    expect(await readExchanges(null)).toEqual({ state: 'absent' })
  })
})

describe('readCertificates', () => {
  it('tells what OpenSSL tells of each certificate, each once, and passes over what is none', async () => {
    const certificate = join(folder, 'one.pem')
    const subject = '/C=FR/O=Œuvre/CN=site.test'
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-utf8', '-days', '9']
    await run('openssl', [...args, '-subj', subject, '-keyout', join(folder, 'key.pem'), '-out', certificate])
    const pem = await readFile(certificate, 'utf8')
    const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    const list = await readCertificates(await pieceOf('capture/certificates.pem', `# site.test\n${pem}${damaged}${pem}`))
    const { stdout } = await run('openssl', ['x509', '-in', certificate, '-noout', '-fingerprint', '-sha256'])
    expect(list).toMatchObject({ path: 'capture/certificates.pem', total: 2, rows: { length: 1 } })
    expect(list?.rows[0]?.sha256).toBe(stdout.split('=')[1]?.trim().replaceAll(':', '').toLowerCase())
    expect(list?.rows[0]?.subject).toBe('C=FR, O=Œuvre, CN=site.test')
    expect(await readCertificates(null)).toBeNull()
  })
})
