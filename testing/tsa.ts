import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * An outside RFC 3161 authority on loopback, made of `openssl ts -reply` with an authority of its own: it shares no code with
 * ours. It can be told to misbehave; every wrong answer is a right one altered in exactly one way.
 */
export type TsaBehaviour = Answer | Transport

/** What openssl, or an alteration of its answer, replies. */
type Answer =
  | 'honest'
  | 'wrong_nonce'
  | 'wrong_imprint'
  | 'altered_signature'
  | 'expired_certificate'
  | 'purpose_absent'
  | 'purpose_not_critical'
  | 'certificate_absent'
  | 'root_absent'
  | 'rejection'
  | 'granted_with_mods'
  | 'truncated'
  | 'trailing_byte'

/** What goes wrong around the answer. */
type Transport = 'garbage' | 'slow' | 'stalling_body' | 'huge' | 'error_500' | 'redirect' | 'wrong_media_type'

export type OutsideTsa = {
  readonly url: string
  /** The root of the authority, PEM file. */
  readonly caFile: string
  /** SHA-256 of the root's DER, lower-case hexadecimal. */
  readonly rootSha256: string
  /** How many requests came in so far. */
  requests(): number
  behave(behaviour: TsaBehaviour): void
  /** `openssl ts -reply` of one request without HTTP; for benchmarks. */
  reply(query: Uint8Array): Promise<Uint8Array>
  close(): Promise<void>
}

const run = promisify(execFile)

export async function startOutsideTsa(
  options: { behaviour?: TsaBehaviour; key?: 'rsa' | 'ec'; name?: string; essDigest?: 'sha1' | 'sha256' } = {},
): Promise<OutsideTsa> {
  const dir = await mkdtemp(join(tmpdir(), 'tsa-'))
  const { key = 'rsa', name = 'Outside', essDigest = 'sha256' } = options
  let behaviour = options.behaviour ?? 'honest'
  await makeCertificates(dir, key, name, essDigest)

  let requests = 0
  // openssl keeps its serial number in a file that it does not lock.
  let turn: Promise<unknown> = Promise.resolve()
  const reply: Reply = (query, as = 'honest') => {
    const answer = turn.then(() => answers[as](dir, query))
    turn = answer.catch(() => undefined)
    return answer
  }
  const server = createServer((request, response) => {
    requests += 1
    void serve(request, response, behaviour, reply).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const root = (await run('openssl', ['x509', '-in', join(dir, 'ca.pem'), '-outform', 'DER'], { encoding: 'buffer' })).stdout
  return {
    url: `http://127.0.0.1:${address.port}/tsr`,
    caFile: join(dir, 'ca.pem'),
    rootSha256: createHash('sha256').update(root).digest('hex'),
    requests: () => requests,
    behave: (next) => {
      behaviour = next
    },
    reply,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await turn
      await rm(dir, { recursive: true })
    },
  }
}

type Reply = (query: Uint8Array, as?: Answer) => Promise<Uint8Array>

async function serve(request: IncomingMessage, response: ServerResponse, behaviour: TsaBehaviour, reply: Reply): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const query = Buffer.concat(pieces)
  if (isTransport(behaviour)) await transports[behaviour](response, query, reply)
  else response.writeHead(200, replyType).end(await reply(query, behaviour))
}

const replyType = { 'content-type': 'application/timestamp-reply' }

const isTransport = (behaviour: TsaBehaviour): behaviour is Transport => Object.hasOwn(transports, behaviour)

const transports: Readonly<Record<Transport, (response: ServerResponse, query: Uint8Array, reply: Reply) => unknown>> = {
  // Neither is ever ended: close() cuts the connection.
  slow: () => undefined,
  stalling_body: (response) => response.writeHead(200, replyType).write(Uint8Array.of(0x30)),
  error_500: (response) => response.writeHead(500).end(),
  redirect: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  garbage: (response) => response.writeHead(200, replyType).end('<html>Service unavailable</html>'),
  huge: (response) => {
    const block = Buffer.alloc(65_536)
    response.on('drain', () => response.write(block))
    response.writeHead(200, replyType).write(block)
  },
  wrong_media_type: async (response, query, reply) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(await reply(query)),
}

const answers: Readonly<Record<Answer, (dir: string, query: Uint8Array) => Promise<Uint8Array>>> = {
  honest: (dir, query) => opensslReply(dir, query),
  // The digest: OCTET STRING of 32 octets.
  wrong_imprint: (dir, query) => opensslReply(dir, alter(query, Buffer.from(query).indexOf(Uint8Array.of(0x04, 0x20)) + 2)),
  // … INTEGER nonce, BOOLEAN certReq (3 octets) end the request.
  wrong_nonce: (dir, query) => opensslReply(dir, alter(query, query.length - 4)),
  altered_signature: async (dir, query) => {
    const answer = await opensslReply(dir, query)
    return alter(answer, answer.length - 5)
  },
  expired_certificate: (dir, query) => opensslReply(dir, query, 'tsa_expired'),
  root_absent: (dir, query) => opensslReply(dir, query, 'tsa_no_root'),
  certificate_absent: (dir, query) => {
    const without = Buffer.from(query.subarray(0, -3))
    without[1] = (without[1] ?? 0) - 3
    return opensslReply(dir, without)
  },
  purpose_absent: async (dir, query) => signedAgain(dir, await opensslReply(dir, query), 'plain'),
  purpose_not_critical: async (dir, query) => signedAgain(dir, await opensslReply(dir, query), 'lax'),
  // The digest algorithm becomes SHA-384, whose length the digest does not have.
  rejection: (dir, query) => opensslReply(dir, replace(query, [0x03, 0x04, 0x02, 0x01], [0x03, 0x04, 0x02, 0x02])),
  granted_with_mods: async (dir, query) =>
    replace(await opensslReply(dir, query), [0x30, 0x03, 0x02, 0x01, 0x00], [0x30, 0x03, 0x02, 0x01, 0x01]),
  truncated: async (dir, query) => (await opensslReply(dir, query)).subarray(0, -1),
  trailing_byte: async (dir, query) => Buffer.concat([await opensslReply(dir, query), Uint8Array.of(0)]),
}

async function opensslReply(dir: string, query: Uint8Array, section = 'tsa'): Promise<Uint8Array> {
  await writeFile(join(dir, 'query.tsq'), query)
  await run('openssl', [
    'ts',
    '-reply',
    '-config',
    join(dir, 'ts.cnf'),
    '-section',
    section,
    '-queryfile',
    join(dir, 'query.tsq'),
    '-out',
    join(dir, 'answer.tsr'),
  ])
  return readFile(join(dir, 'answer.tsr'))
}

/** `openssl ts -reply` will not use a certificate of the wrong purpose, so the same TSTInfo is signed by `openssl cms`. */
async function signedAgain(dir: string, answer: Uint8Array, signer: string): Promise<Uint8Array> {
  const file = (name: string) => join(dir, name)
  await writeFile(file('honest.tsr'), answer)
  await run('openssl', ['ts', '-reply', '-in', file('honest.tsr'), '-token_out', '-out', file('token.der')])
  await run('openssl', [
    'cms',
    '-verify',
    '-inform',
    'DER',
    '-in',
    file('token.der'),
    '-noverify',
    '-binary',
    '-out',
    file('tstinfo.der'),
  ])
  await run('openssl', [
    'cms',
    '-sign',
    '-cades',
    '-md',
    'sha256',
    '-nosmimecap',
    '-nodetach',
    '-binary',
    '-econtent_type',
    '1.2.840.113549.1.9.16.1.4',
    '-in',
    file('tstinfo.der'),
    '-signer',
    file(`${signer}.pem`),
    '-inkey',
    file(`${signer}.key`),
    '-certfile',
    file('ca.pem'),
    '-outform',
    'DER',
    '-out',
    file('token.der'),
  ])
  const body = Buffer.concat([Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x00), await readFile(file('token.der'))])
  return Buffer.concat([Uint8Array.of(0x30, 0x82, body.length >> 8, body.length & 0xff), body])
}

async function makeCertificates(dir: string, key: 'rsa' | 'ec', name: string, essDigest: string): Promise<void> {
  await writeFile(join(dir, 'ts.cnf'), configuration(dir, name, essDigest))
  await writeFile(join(dir, 'serial'), '01\n')
  await writeFile(join(dir, 'ca.serial'), '1000\n')
  await writeFile(join(dir, 'index.txt'), '')
  const inDir = (args: string[]) => run('openssl', args, { cwd: dir })
  const algorithm = key === 'rsa' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']
  await inDir([
    'req',
    '-x509',
    '-config',
    'ts.cnf',
    '-extensions',
    'v3_ca',
    '-newkey',
    ...algorithm,
    '-noenc',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '3650',
    '-subj',
    `/O=${name}/CN=${name} root`,
  ])
  const certificate = async (file: string, extensions: string, dates: string[]) => {
    await inDir([
      'req',
      '-new',
      '-config',
      'ts.cnf',
      '-newkey',
      ...algorithm,
      '-noenc',
      '-keyout',
      `${file}.key`,
      '-out',
      `${file}.csr`,
      '-subj',
      `/O=${name}/CN=${name} ${file}`,
    ])
    await inDir([
      'ca',
      '-batch',
      '-notext',
      '-config',
      'ts.cnf',
      '-extensions',
      extensions,
      '-in',
      `${file}.csr`,
      '-out',
      `${file}.pem`,
      ...dates,
    ])
  }
  await certificate('tsa', 'v3_tsa', ['-days', '365'])
  await certificate('expired', 'v3_tsa', ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z'])
  await certificate('plain', 'v3_plain', ['-days', '365'])
  await certificate('lax', 'v3_lax', ['-days', '365'])
}

function configuration(dir: string, name: string, essDigest: string): string {
  const tsa = (section: string, signer: string, certificates: string) => `
[ ${section} ]
serial = ${dir}/serial
crypto_device = builtin
signer_cert = ${dir}/${signer}.pem
${certificates}
signer_key = ${dir}/${signer}.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1, millisecs:500
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = ${essDigest}
`
  return `
[ req ]
distinguished_name = dn
prompt = no
[ dn ]
CN = ${name}
[ ca ]
default_ca = default
[ default ]
database = ${dir}/index.txt
serial = ${dir}/ca.serial
new_certs_dir = ${dir}
certificate = ${dir}/ca.pem
private_key = ${dir}/ca.key
default_md = sha256
policy = any
unique_subject = no
[ any ]
organizationName = optional
commonName = supplied
[ v3_ca ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[ v3_tsa ]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[ v3_plain ]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
[ v3_lax ]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = timeStamping
${tsa('tsa', 'tsa', `certs = ${dir}/ca.pem`)}
${tsa('tsa_expired', 'expired', `certs = ${dir}/ca.pem`)}
${tsa('tsa_no_root', 'tsa', '')}
`
}

function alter(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x01
  return copy
}

/** Replaces the one occurrence of a pattern. */
function replace(bytes: Uint8Array, pattern: readonly number[], by: readonly number[]): Uint8Array {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf(Uint8Array.from(pattern))
  if (at < 0) throw new Error('pattern not found')
  copy.set(by, at)
  return copy
}
