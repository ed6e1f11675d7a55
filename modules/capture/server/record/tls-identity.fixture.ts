/** Self-signed key pairs for the tests of this folder, made by openssl. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type TlsIdentity = { readonly key: string; readonly cert: string; readonly keyFile: string; readonly certFile: string }

export function createTlsIdentity(algorithm: 'rsa' | 'ec'): TlsIdentity {
  const folder = mkdtempSync(join(tmpdir(), 'probant-identity-'))
  const keyFile = join(folder, 'key.pem')
  const certFile = join(folder, 'cert.pem')
  const kind = algorithm === 'rsa' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const names = ['-subj', '/CN=fixture', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', ...kind, '-nodes', '-keyout', keyFile, '-out', certFile, '-days', '30', ...names],
    { stdio: 'ignore' },
  )
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), keyFile, certFile }
}
