import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type KeyAndCertificate = { readonly key: string; readonly cert: string }

export type FixtureCertificates = {
  /** PEM of the authority that issued all but the self-signed one. Nobody trusts it unless told to. */
  readonly authority: string
  readonly valid: KeyAndCertificate
  readonly selfSigned: KeyAndCertificate
  readonly expired: KeyAndCertificate
  readonly wrongHost: KeyAndCertificate
}

/** Makes the site's certificates with openssl: one good, and one for each usual error. */
export async function makeCertificates(): Promise<FixtureCertificates> {
  const dir = await mkdtemp(join(tmpdir(), 'probant-site-'))
  const at = (name: string) => join(dir, name)
  const newKey = (name: string) =>
    run('openssl', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', at(`${name}.key`)])
  const issue = async (name: string, san: string, dates: readonly string[]) => {
    await newKey(name)
    await run('openssl', ['req', '-new', '-key', at(`${name}.key`), '-subj', `/CN=${name}.site.test`, '-out', at(`${name}.csr`)])
    await writeFile(
      at(`${name}.ext`),
      `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=${san}\n`,
    )
    await run('openssl', [
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      '-CA',
      at('authority.crt'),
      '-CAkey',
      at('authority.key'),
      '-CAcreateserial',
      '-extfile',
      at(`${name}.ext`),
      '-out',
      at(`${name}.crt`),
      ...dates,
    ])
  }
  try {
    await newKey('authority')
    await run('openssl', [
      'req',
      '-x509',
      '-new',
      '-key',
      at('authority.key'),
      '-subj',
      '/O=Probant fixture site/CN=Fixture authority',
      '-days',
      '30',
      '-out',
      at('authority.crt'),
      '-addext',
      'keyUsage=critical,keyCertSign,cRLSign',
    ])
    const loopback = 'IP:127.0.0.1,DNS:site.test,DNS:*.site.test'
    await issue('valid', loopback, ['-days', '10'])
    await issue('wrong-host', 'DNS:elsewhere.test', ['-days', '10'])
    await issueExpired(at, loopback)
    await newKey('self-signed')
    await run('openssl', [
      'req',
      '-x509',
      '-new',
      '-key',
      at('self-signed.key'),
      '-subj',
      '/CN=self-signed.site.test',
      '-days',
      '10',
      '-out',
      at('self-signed.crt'),
      '-addext',
      `subjectAltName=${loopback}`,
    ])
    const load = async (name: string): Promise<KeyAndCertificate> => ({
      key: await readFile(at(`${name}.key`), 'utf8'),
      cert:
        (await readFile(at(`${name}.crt`), 'utf8')) + (name === 'self-signed' ? '' : await readFile(at('authority.crt'), 'utf8')),
    })
    return {
      authority: await readFile(at('authority.crt'), 'utf8'),
      valid: await load('valid'),
      selfSigned: await load('self-signed'),
      expired: await load('expired'),
      wrongHost: await load('wrong-host'),
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }

  /** `openssl x509 -req` takes no past dates before 3.4; `openssl ca` does in every version. */
  async function issueExpired(path: (name: string) => string, san: string): Promise<void> {
    await newKey('expired')
    await run('openssl', [
      'req',
      '-new',
      '-key',
      path('expired.key'),
      '-subj',
      '/CN=expired.site.test',
      '-out',
      path('expired.csr'),
    ])
    await writeFile(path('index.txt'), '')
    await writeFile(path('serial'), '1000\n')
    await writeFile(
      path('ca.cnf'),
      [
        '[ca]',
        'default_ca=d',
        '[d]',
        `database=${path('index.txt')}`,
        `serial=${path('serial')}`,
        `new_certs_dir=${dir}`,
        `certificate=${path('authority.crt')}`,
        `private_key=${path('authority.key')}`,
        'default_md=sha256',
        'policy=p',
        'x509_extensions=x',
        '[p]',
        'commonName=supplied',
        '[x]',
        'basicConstraints=critical,CA:FALSE',
        'extendedKeyUsage=serverAuth',
        `subjectAltName=${san}`,
        '',
      ].join('\n'),
    )
    await run('openssl', [
      'ca',
      '-batch',
      '-notext',
      '-config',
      path('ca.cnf'),
      '-in',
      path('expired.csr'),
      '-out',
      path('expired.crt'),
      '-startdate',
      '20240101000000Z',
      '-enddate',
      '20240201000000Z',
    ])
  }
}
