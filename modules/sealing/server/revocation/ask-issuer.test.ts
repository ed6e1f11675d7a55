import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { addressesIn, askIssuer } from './ask-issuer.ts'
import { createEvidenceSource } from './gather-evidence.ts'

const run = promisify(execFile)
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: Server
let origin: string
let answers: 'both' | 'list' | 'nothing' | 'nonsense' | 'silence' = 'both'
let asked: string[] = []
const der = new Map<string, Uint8Array>()

/** An authority of openssl's, with certificates that name a responder and a list on this machine. */
beforeAll(async () => {
  folder = await temporaryFolder()
  const { dir } = folder
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    // Whoever is silent is cut off when the server closes.
    if (answers === 'silence') return
    request.on('end', () => {
      void answer(request.url ?? '', Buffer.concat(parts)).then(
        (body) => response.writeHead(body === undefined ? 404 : 200).end(body),
        (error: unknown) => response.destroy(error as Error),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  origin = `127.0.0.1:${address.port}`
  await writeFile(join(dir, 'ca.cnf'), configuration(dir))
  await writeFile(join(dir, 'index.txt'), '')
  await writeFile(join(dir, 'serial'), '1000\n')
  await writeFile(join(dir, 'crlnumber'), '01\n')
  await openssl(
    'req',
    '-x509',
    '-config',
    'ca.cnf',
    '-extensions',
    'v3_ca',
    ...newKey('ca'),
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Issuer',
  )
  for (const name of ['good', 'revoked']) {
    await openssl('req', '-new', '-config', 'ca.cnf', ...newKey(name), '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    await openssl(
      'ca',
      '-batch',
      '-notext',
      '-config',
      'ca.cnf',
      '-extensions',
      'v3_leaf',
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.pem`,
    )
  }
  await openssl('ca', '-config', 'ca.cnf', '-revoke', 'revoked.pem')
  await openssl('ca', '-config', 'ca.cnf', '-gencrl', '-out', 'list.pem')
  await openssl('crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.der')
  for (const name of ['ca', 'good', 'revoked']) {
    await openssl('x509', '-in', `${name}.pem`, '-outform', 'DER', '-out', `${name}.der`)
    der.set(name, new Uint8Array(await readFile(join(dir, `${name}.der`))))
  }
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await folder.remove()
})

const openssl = (...args: string[]) => run('openssl', args, { cwd: folder.dir })
const newKey = (name: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', `${name}.key`]
const of = (name: string): Uint8Array => der.get(name) ?? new Uint8Array()
const rules = () => ({ allowAddresses: [origin], timeoutMs: 20_000 })

async function answer(url: string, body: Buffer): Promise<Uint8Array | undefined> {
  if (answers === 'nothing') return undefined
  if (answers === 'nonsense') return Buffer.from('<html>Service unavailable</html>')
  if (url === '/list') return await readFile(join(folder.dir, 'list.der'))
  if (answers === 'list') return undefined
  await writeFile(join(folder.dir, 'request.der'), body)
  const signer = ['-CA', 'ca.pem', '-rsigner', 'ca.pem', '-rkey', 'ca.key']
  await openssl('ocsp', '-index', 'index.txt', ...signer, '-reqin', 'request.der', '-respout', 'answer.der', '-ndays', '7')
  return await readFile(join(folder.dir, 'answer.der'))
}

const configuration = (dir: string) => `
[ req ]
distinguished_name = dn
prompt = no
[ dn ]
CN = Issuer
[ ca ]
default_ca = default
[ default ]
dir = ${dir}
database = $dir/index.txt
serial = $dir/serial
crlnumber = $dir/crlnumber
new_certs_dir = $dir
certificate = $dir/ca.pem
private_key = $dir/ca.key
default_md = sha256
default_days = 30
default_crl_days = 7
policy = any
[ any ]
commonName = supplied
[ v3_ca ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign, digitalSignature
subjectKeyIdentifier = hash
[ v3_leaf ]
basicConstraints = CA:FALSE
authorityInfoAccess = OCSP;URI:http://${origin}/ocsp
crlDistributionPoints = URI:http://${origin}/list
`

test('a responder of openssl’s understands our question, and its answer is kept', async () => {
  answers = 'both'
  expect(addressesIn(of('good'))).toEqual({ ocsp: [`http://${origin}/ocsp`], crl: [`http://${origin}/list`] })
  const found = await askIssuer(of('good'), of('ca'), new Date(), rules())
  expect(found?.ocsps).toHaveLength(1)
  expect(found?.crls).toEqual([])
})

test('the list is asked for when there is no responder', async () => {
  answers = 'list'
  const found = await askIssuer(of('good'), of('ca'), new Date(), rules())
  expect(found?.crls.map((each) => Buffer.from(each))).toEqual([await readFile(join(folder.dir, 'list.der'))])
})

test('what says revoked, what is nonsense, and what nobody answers is no evidence', async () => {
  answers = 'both'
  expect(await askIssuer(of('revoked'), of('ca'), new Date(), rules())).toBeUndefined()
  answers = 'nonsense'
  expect(await askIssuer(of('good'), of('ca'), new Date(), rules())).toBeUndefined()
  answers = 'nothing'
  expect(await askIssuer(of('good'), of('ca'), new Date(), rules())).toBeUndefined()
})

test('a certificate cannot make the platform call a private address', async () => {
  answers = 'both'
  asked = []
  expect(await askIssuer(of('good'), of('ca'), new Date(), { allowAddresses: [], timeoutMs: 20_000 })).toBeUndefined()
  expect(asked).toEqual([])
})

test('own authorities always have a list; an outside answer is asked for once; one missing leaves nothing', async () => {
  answers = 'both'
  asked = []
  const keyring = await temporaryKeyring(folder.dir)
  const evidenceOf = createEvidenceSource({ keyring, clock: systemClock, allowAddresses: [origin], timeoutMs: 20_000 })
  const own = await keyring.signer('platform')
  const found = await evidenceOf([own.certificate, ...own.chain])
  expect(found?.crls).toEqual([await keyring.revocationList(own.chain.at(-1) ?? new Uint8Array())])
  expect(asked).toEqual([])
  expect((await evidenceOf([of('good'), of('ca')]))?.ocsps).toHaveLength(1)
  expect((await evidenceOf([of('good'), of('ca')]))?.ocsps).toHaveLength(1)
  expect(asked).toEqual(['/ocsp'])
  expect(await evidenceOf([of('revoked'), of('ca')])).toBeUndefined()
})

test('what nobody answered is not asked again for the next report', async () => {
  answers = 'nothing'
  asked = []
  const keyring = await temporaryKeyring(folder.dir)
  const evidenceOf = createEvidenceSource({ keyring, clock: systemClock, allowAddresses: [origin], timeoutMs: 20_000 })
  expect(await evidenceOf([of('good'), of('ca')])).toBeUndefined()
  expect(await evidenceOf([of('good'), of('ca')])).toBeUndefined()
  expect(asked).toEqual(['/ocsp', '/list'])
})

test('an authority that never answers is given up at the deadline; a caller that stops is obeyed', async () => {
  answers = 'silence'
  const keyring = await temporaryKeyring(folder.dir)
  const options = { keyring, clock: systemClock, allowAddresses: [origin], timeoutMs: 1 }
  expect(await createEvidenceSource(options)([of('good'), of('ca')])).toBeUndefined()
  const caller = new AbortController()
  caller.abort(new Error('stopped by its caller'))
  await expect(createEvidenceSource(options)([of('good'), of('ca')], caller.signal)).rejects.toThrow('stopped by its caller')
})
