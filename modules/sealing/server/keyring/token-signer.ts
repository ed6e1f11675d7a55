import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { equalBytes } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import type { Signer } from './signer.ts'
import { fault, runPkcs11Tool, type TokenConfig } from './run-pkcs11-tool.ts'
import { keepTokenCertificate, readChain, readTokenCertificates, type TokenCertificate } from './token-certificates.ts'

export type TokenSignerDeps = {
  readonly dir: string
  readonly clock: Clock
  readonly log: Notes
  /** The platform's own authority certifies a key of the token: certificate, then its issuers. */
  readonly issue: (publicKey: Uint8Array) => Promise<readonly Uint8Array[]>
}

/** As the keyring renews its own: whatever is signed stays inside the certificate's validity for a year at least. */
const overlapMs = 365 * 86_400_000

/**
 * Seals with a key that never leaves its token. What the token answers is verified before it is used: a tool that took another key,
 * or a token that answers nonsense, ends here. @throws DomainError `sealing.token_…`, `sealing.keyring_…`
 */
export async function tokenSigner(config: TokenConfig, deps: TokenSignerDeps): Promise<Signer> {
  const id = await findKeyId(config)
  const publicKey = await readPublicKey(config, id)
  const { number, certificate, chain } = await certificateOf(config, publicKey, deps)
  const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
  return {
    keyId: `platform-token-${number}-${createHash('sha256').update(publicKey).digest('hex').slice(0, 16)}`,
    certificate: certificate.encoded,
    chain: chain.map((each) => each.encoded),
    sign: async (data) => {
      const digest = createHash('sha256').update(data).digest()
      const args = ['--sign', '--mechanism', 'ECDSA', '--id', id, '--signature-format', 'sequence']
      const signature = await runPkcs11Tool(config, args, digest)
      if (!verify('sha256', data, key, signature)) throw fault('token_key', config)
      return signature
    },
  }
}

/** Identifier (CKA_ID) of the private key with that label: signing, the tool heeds nothing else, and would take any key. */
async function findKeyId(config: TokenConfig): Promise<string> {
  const listed = new TextDecoder().decode(await runPkcs11Tool(config, ['--list-objects', '--type', 'privkey']))
  const found = listed.split(/^(?=Private Key Object)/m).filter((each) => /^ {2}label: +(.*)$/m.exec(each)?.[1] === config.key)
  const [only, ...more] = found
  const id = only === undefined ? undefined : /^ {2}ID: +([0-9a-f]+)$/m.exec(only)?.[1]
  if (only === undefined || id === undefined || more.length > 0) throw fault('token_key', config)
  if (!/^Private Key Object; EC\b/.test(only)) throw fault('token_algorithm', config)
  return id
}

async function readPublicKey(config: TokenConfig, id: string): Promise<Uint8Array> {
  const args = ['--read-object', '--type', 'pubkey', '--id', id]
  const spki = await runPkcs11Tool(config, args)
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw fault('token_algorithm', config)
    return new Uint8Array(key.export({ format: 'der', type: 'spki' }))
  } catch (error) {
    throw error instanceof DomainError ? error : fault('token_key', config, {}, error)
  }
}

async function certificateOf(config: TokenConfig, publicKey: Uint8Array, deps: TokenSignerDeps): Promise<TokenCertificate> {
  const now = deps.clock.now()
  const newest = (await readTokenCertificates(deps.dir)).at(-1)
  const wanted = config.certificateFile === null ? null : await givenCertificate(config, config.certificateFile, publicKey, now)
  const stands =
    newest !== undefined &&
    equalBytes(spkiOf(newest), publicKey) &&
    (wanted === null
      ? newest.certificate.notAfter.getTime() - now.getTime() >= overlapMs
      : equalBytes(newest.certificate.encoded, wanted[0] ?? new Uint8Array()))
  if (stands) return newest
  const certificates = wanted ?? (await deps.issue(publicKey))
  const kept = await keepTokenCertificate(deps.dir, (newest?.number ?? 0) + 1, now, certificates)
  deps.log.info({ file: kept.file, serial: kept.certificate.serial }, `key in force: ${basename(kept.file)}`)
  if (!equalBytes(spkiOf(kept), publicKey)) throw fault('token_key', config)
  return kept
}

const spkiOf = ({ certificate }: Pick<TokenCertificate, 'certificate'>): Uint8Array =>
  new Uint8Array(certificate.x509.publicKey.export({ type: 'spki', format: 'der' }))

async function givenCertificate(
  config: TokenConfig,
  path: string,
  publicKey: Uint8Array,
  now: Date,
): Promise<readonly Uint8Array[]> {
  const refuse = (reason: string, cause?: unknown) => fault('token_certificate', config, { path, reason }, cause)
  let read: ReturnType<typeof readChain>
  try {
    read = readChain(await readFile(path, 'latin1'))
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : 'unreadable', error)
  }
  const { certificate, chain } = read
  if (!equalBytes(spkiOf({ certificate }), publicKey)) throw refuse('it is of another key than the one in the token')
  if (now < certificate.notBefore || now > certificate.notAfter) throw refuse('it is not valid at this time')
  return [certificate, ...chain].map((each) => each.encoded)
}
