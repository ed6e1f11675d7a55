import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPem } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import { revocationOf } from './revocation.ts'

const run = promisify(execFile)
let dir: string
const openssl = (...args: string[]): Promise<unknown> => run('openssl', args, { cwd: dir })
const bytes = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(join(dir, name)))
const certificate = async (name: string): Promise<Certificate> => {
  const [found] = readPem(await bytes(name))
  if (found === undefined) throw new Error(name)
  return found
}

/** An authority, a certificate that stands, one that was revoked, and a responder, by openssl alone. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'revocation-'))
  await writeFile(
    join(dir, 'ca.cnf'),
    `[ca]
default_ca = d
[d]
database = index.txt
serial = serial
crlnumber = crlnumber
new_certs_dir = .
certificate = ca.pem
private_key = ca.key
default_md = sha256
default_days = 30
default_crl_days = 7
policy = p
[p]
commonName = supplied
[plain]
keyUsage = critical, digitalSignature
[responder]
extendedKeyUsage = OCSPSigning
`,
  )
  await writeFile(join(dir, 'index.txt'), '')
  await writeFile(join(dir, 'serial'), '1000\n')
  await writeFile(join(dir, 'crlnumber'), '01\n')
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc']
  await openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Authority', '-days', '30')
  await openssl('req', '-x509', ...ec, '-keyout', 'other.key', '-out', 'other.pem', '-subj', '/CN=Authority', '-days', '30')
  for (const [name, profile, from, until] of [
    ['good', 'plain'],
    ['revoked', 'plain'],
    ['responder', 'responder'],
    ['past', 'responder', '20200101000000Z', '20210101000000Z'],
    ['future', 'responder', '20900101000000Z', '20910101000000Z'],
  ] as const) {
    await openssl('req', '-new', ...ec, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    await openssl(
      'ca',
      '-batch',
      '-notext',
      '-config',
      'ca.cnf',
      '-extensions',
      profile,
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.pem`,
      ...(from === undefined ? [] : ['-startdate', from, '-enddate', until]),
    )
  }
  await openssl('ca', '-config', 'ca.cnf', '-revoke', 'revoked.pem', '-crl_reason', 'keyCompromise')
  await openssl('ca', '-config', 'ca.cnf', '-gencrl', '-out', 'crl.pem')
  await openssl('crl', '-in', 'crl.pem', '-outform', 'DER', '-out', 'crl.der')
  const answer = (signer: string, out: string): Promise<unknown> =>
    openssl(
      'ocsp', '-index', 'index.txt', '-CA', 'ca.pem', '-rsigner', `${signer}.pem`, '-rkey', `${signer}.key`, '-issuer', 'ca.pem',
      '-cert', 'good.pem', '-cert', 'revoked.pem', '-respout', out, '-ndays', '3', '-noverify',
    ) // prettier-ignore
  await answer('responder', 'responder.der')
  await answer('ca', 'issuer.der')
  await answer('good', 'stranger.der')
  await answer('past', 'past.der')
  await answer('future', 'future.der')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const data = async (...names: string[]) => {
  const all = await Promise.all(names.map(async (name) => ({ name, encoded: await bytes(name) })))
  return {
    crls: all.filter(({ name }) => name.startsWith('crl')).map(({ encoded }) => encoded),
    ocsps: all.filter(({ name }) => !name.startsWith('crl')).map(({ encoded }) => encoded),
  }
}

test.each([['crl.der'], ['responder.der'], ['issuer.der']])(
  '%s, by openssl: one certificate stands, the other was revoked',
  async (name) => {
    const issuer = await certificate('ca.pem')
    const from = await data(name)
    const kind = name.startsWith('crl') ? 'crl' : 'ocsp'
    expect(revocationOf(await certificate('good.pem'), issuer, from)).toMatchObject({ kind, status: 'good' })
    const revoked = revocationOf(await certificate('revoked.pem'), issuer, from)
    expect(revoked).toMatchObject({ kind, status: 'revoked', reason: 1 })
    expect(revoked?.nextUpdate).toBeInstanceOf(Date)
  },
)

test('an answer by a certificate that is not for answering, by another issuer, or altered, says nothing', async () => {
  const issuer = await certificate('ca.pem')
  const revoked = await certificate('revoked.pem')
  expect(revocationOf(revoked, issuer, await data('stranger.der'))).toBeUndefined()
  const all = await data('crl.der', 'responder.der')
  // Another authority of the same name.
  expect(revocationOf(revoked, await certificate('other.pem'), all)).toBeUndefined()
  for (const list of [all.crls, all.ocsps])
    for (const encoded of list)
      for (const at of [40, Math.floor(encoded.length / 2), encoded.length - 5]) {
        const altered = encoded.with(at, (encoded[at] ?? 0) ^ 1)
        const found = revocationOf(revoked, issuer, { crls: [altered], ocsps: [altered] })
        // A change outside what is signed may be harmless; one that says "good" would not be.
        expect(found?.status ?? 'nothing').not.toBe('good')
      }
  expect(revocationOf(revoked, issuer, { crls: [Uint8Array.of(0x30, 0)], ocsps: [new Uint8Array()] })).toBeUndefined()
})

test('an answer of before or after its responder’s time is nobody’s', async () => {
  const issuer = await certificate('ca.pem')
  const good = await certificate('good.pem')
  expect(revocationOf(good, issuer, await data('responder.der'))?.status).toBe('good')
  for (const name of ['past.der', 'future.der']) expect(revocationOf(good, issuer, await data(name))).toBeUndefined()
})

test('of several answers, the one that says revoked counts', async () => {
  const issuer = await certificate('ca.pem')
  const found = revocationOf(await certificate('revoked.pem'), issuer, await data('crl.der', 'responder.der', 'issuer.der'))
  expect(found?.status).toBe('revoked')
})
