/**
 * The package of the command line, checked with tools that are not ours: unzip, Python, openssl, poppler, tshark, and the
 * rules of the WACZ format's own validator.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { startFixtureSite, type FixtureSite } from '../testing/site/start-fixture-site.ts'

test.describe.configure({ mode: 'serial' })

const folder = mkdtempSync(join(tmpdir(), 'probant-package-'))
const zip = join(folder, 'package.zip')
const inside = join(folder, 'package')
const at = (path: string) => join(inside, path)
let site: FixtureSite
let url: string
let answer: { evidence_id: string; root: string; state: string; package: string }

const tool = (command: string, ...args: string[]) => {
  const done = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  return { status: done.status, text: `${done.stdout}${done.stderr}` }
}

test.beforeAll(async () => {
  site = await startFixtureSite()
  url = `${site.secure.valid.origin}/resources/`
  const args = ['apps/cli/probant.ts', 'capture', url, '-o', zip, '--tls-keys', '--quiet']
  const env = { ...process.env, PROBANT_ALLOW_ADDRESSES: site.addresses.join(',') }
  // Not spawnSync: the site answers from this very process.
  const done = await new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
  })
  expect(done.status, done.stderr).toBe(0)
  expect(done.stderr).toBe('')
  expect(done.stdout.trim().split('\n')).toHaveLength(1)
  answer = JSON.parse(done.stdout) as typeof answer
  execFileSync('unzip', ['-q', zip, '-d', inside])
})

test.afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await site.close()
})

test('one line of JSON tells the evidence, its root, its state and the file', () => {
  expect(Object.keys(answer).sort()).toEqual(
    [
      'evidence_id',
      'package',
      'root',
      'state',
      'quality',
      'coverage',
      'warnings',
      'completeness',
      'scenario',
      'cookie_banner',
    ].sort(),
  )
  expect(answer.package).toBe(zip)
  expect(answer.root).toBe(readFileSync(at('seal/root.bin')).toString('hex'))
})

test('unzip finds no error', () => {
  const { status, text } = tool('unzip', '-t', zip)
  expect(status).toBe(0)
  expect(text).toContain('No errors detected')
})

test('every hash of the manifest, the root and the ASiC digests come out of Python alike', () => {
  const done = tool('python3', 'e2e/oracles/check_package.py', zip)
  expect(done.status, done.text).toBe(0)
  const result = JSON.parse(done.text) as { pieces: number; root: string }
  expect(result.root).toBe(answer.root)
  expect(result.pieces).toBeGreaterThanOrEqual(14)
})

test('K-33 openssl accepts the timestamp of the root, and the tokens over the ASiC manifests', () => {
  const ca = ['-CAfile', at('seal/timestamp-1-ca.pem')]
  expect(tool('openssl', 'ts', '-verify', '-digest', answer.root, '-in', at('seal/timestamp-1.tsr'), ...ca).text).toContain(
    'Verification: OK',
  )
  for (const number of ['001', '002']) {
    const data = at(`META-INF/ASiCManifest${number}.xml`)
    const token = at(`META-INF/timestamp${number}.tst`)
    const own = ['-CAfile', at(`META-INF/timestamp${number}-ca.pem`)]
    expect(tool('openssl', 'ts', '-verify', '-data', data, '-token_in', '-in', token, ...own).text).toContain('Verification: OK')
  }
  // And it is the root that was stamped, not anything that openssl would accept.
  const other = answer.root.replace(/^../, (byte) => (byte === '00' ? '01' : '00'))
  expect(tool('openssl', 'ts', '-verify', '-digest', other, '-in', at('seal/timestamp-1.tsr'), ...ca).status).not.toBe(0)
})

test('openssl accepts the signature of the root', () => {
  const done = tool(
    'openssl', 'cms', '-verify', '-binary', '-inform', 'DER', '-in', at('seal/signature.p7s'),
    '-content', at('seal/root.bin'), '-CAfile', at('seal/platform-ca.pem'), '-purpose', 'any', '-out', '/dev/null',
  ) // prettier-ignore
  expect(done.text).toMatch(/CMS Verification successful/)
})

test('pdfsig says of both reports that the signature is valid and covers the whole document', () => {
  for (const language of ['en', 'fr']) {
    const { text } = tool('pdfsig', at(`report.${language}.pdf`))
    expect(text).toContain('Signature is Valid')
    expect(text).toContain('Total document signed')
    expect(text).toContain('ETSI.CAdES.detached')
  }
})

test('both reports hold the address, the root and the digest of every piece as text', () => {
  const manifest = JSON.parse(readFileSync(at('manifest.json'), 'utf8')) as { pieces: { sha256: string }[] }
  for (const language of ['en', 'fr']) {
    const text = tool('pdftotext', '-layout', at(`report.${language}.pdf`), '-').text.replaceAll(/\s+/g, '')
    expect(text).toContain(answer.root)
    expect(text).toContain(url)
    for (const piece of manifest.pieces) expect(text).toContain(piece.sha256)
  }
})

/** What the site serves, asked for by a client of our own. */
async function serve(address: string): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const call = request(address, { rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
    call.on('error', reject)
    call.end()
  })
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('tshark, given the PCAP and the keys, exports the bodies that were served, by SHA-256', async () => {
  const { text } = tool(
    'tshark', '-r', at('capture/network.pcap'), '-n', '-Q', '-o', `tls.keylog_file:${at('capture/tls-keys.log')}`, '-2',
    '-T', 'fields', '-e', 'http2.data.data', '-e', 'http2.body.reassembled.data', '-Y', 'http2.type == 0',
  ) // prettier-ignore
  const bodies = new Set(
    text
      .split(/[\s,]+/)
      .filter((hex) => /^[0-9a-f]+$/.test(hex))
      .map((hex) => sha256(Buffer.from(hex, 'hex'))),
  )
  for (const path of ['/resources/', '/asset/style-5.css']) {
    expect(bodies).toContain(sha256(await serve(new URL(path, url).href)))
  }
  // Without the keys the same file shows nothing: it holds what passed, encrypted.
  expect(
    tool('tshark', '-r', at('capture/network.pcap'), '-n', '-Q', '-Y', 'http2', '-T', 'fields', '-e', 'http2.type').text.trim(),
  ).toMatch(/^(Running as user.*)?$/)
})

test('the source in the package is the document as served, byte for byte', async () => {
  expect(sha256(readFileSync(at('capture/source.html')))).toBe(sha256(await serve(url)))
})

test('the WACZ holds the rules of its format’s own validator', () => {
  const done = tool('python3', 'e2e/oracles/check_wacz.py', at('capture/archive.wacz'))
  expect(done.status, done.text).toBe(0)
  expect((JSON.parse(done.text) as { records: number }).records).toBeGreaterThanOrEqual(50)
})

test('K-33 what was dated during the session comes out of the PCAP in Python, and openssl accepts each token', () => {
  const done = tool('python3', 'e2e/oracles/check_session.py', inside)
  expect(done.status, done.text).toBe(0)
  const result = JSON.parse(done.text) as { checkpoints: number; tokens: number; images: string[]; bytes: number }
  // Start, window, whole page, end; and every image of the package is one of those that were dated.
  expect(result).toMatchObject({ checkpoints: 4, tokens: 4 })
  const manifest = JSON.parse(readFileSync(at('manifest.json'), 'utf8')) as { pieces: { path: string; role: string }[] }
  const images = manifest.pieces.filter(({ role }) => role.endsWith('_screenshot')).map(({ path }) => path)
  expect(result.images).toEqual(images.toSorted())
  expect(result.bytes).toBeGreaterThan(100_000)
})

test('the WACZ is signed by the rules of its format; the form names no domain, for none was given', () => {
  const done = tool('python3', 'e2e/oracles/check_wacz_signature.py', at('capture/archive.wacz'))
  expect(done.status, done.text).toBe(0)
  expect(JSON.parse(done.text)).toMatchObject({ form: 'anonymous', problems: [] })
})

test('P-02 our own verifier passes it, and says which word it uses', () => {
  // Nobody vouches for who sealed it, until the fingerprint of its authority is compared.
  const unknown = tool(process.execPath, 'apps/cli/probant.ts', 'verify', zip)
  expect([unknown.status, unknown.text.includes('INDETERMINATE')]).toEqual([2, true])
  const printed = tool('openssl', 'x509', '-in', at('seal/platform-ca.pem'), '-noout', '-fingerprint', '-sha256').text.trim()
  const done = tool(process.execPath, 'apps/cli/probant.ts', 'verify', zip, '--fingerprint', printed)
  expect(done.status, done.text).toBe(0)
  expect(done.text).toContain('TOTAL-PASSED')
  expect(done.text.match(/A time stamp taken during the session/g)).toHaveLength(4)
  expect(done.text).toContain('The web archive’s own signature')
})
