import { createHash, createPrivateKey, createPublicKey, randomBytes, type KeyObject } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../../../kernel/bytes.ts'
import { nanoPublicKey } from '../../../verification/server/index.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { damaged, messageKeyFile, readOwn, writeOnce } from './key-folder.ts'

/**
 * Keys that have no certificate, one file each, `<kind>.<number>.json`, never changed once written: a key is in force from its own
 * `since` until the `since` of the next, so that the folder alone is the history.
 */
export const messageKeyKinds = ['bitcoin-signing', 'nano-signing', 'log-signing', 'witness-signing'] as const
export type MessageKeyKind = (typeof messageKeyKinds)[number]

export type MessageKey = {
  readonly file: string
  readonly kind: MessageKeyKind
  readonly number: number
  readonly since: Date
  /** secp256k1, compressed, 33 octets; Ed25519, 32. */
  readonly publicKey: Uint8Array
  /** 32 octets. Stays within this folder's modules, and in no log. */
  readonly secret: Uint8Array
}

const format = 'probant-key/1'

/** Keys of one kind, oldest first. @throws DomainError `sealing.keyring_…` */
export async function readMessageKeys(dir: string, kind: MessageKeyKind): Promise<MessageKey[]> {
  const keys: MessageKey[] = []
  for (const name of await readdir(dir)) {
    const match = messageKeyFile.exec(name)
    if (match?.[1] === kind) keys.push(await readMessageKey(dir, kind, Number(match[2])))
  }
  return keys.toSorted((a, b) => a.number - b.number)
}

/** Makes key `number` unless another process has; answers what stands under that number. */
export async function makeMessageKey(dir: string, kind: MessageKeyKind, number: number, since: Date): Promise<MessageKey> {
  const secret = kind === 'bitcoin-signing' ? secp256k1.utils.randomSecretKey() : new Uint8Array(randomBytes(32))
  const publicKey = publicKeyOf(kind, secret)
  const content = {
    format,
    kind,
    number,
    public_key: toHex(publicKey),
    secret: toHex(secret),
    since: since.toISOString(),
  }
  await writeOnce(dir, `${kind}.${number}.json`, textOf(content))
  return await readMessageKey(dir, kind, number)
}

/** A file that is not exactly what `makeMessageKey` writes is refused: nothing is signed with half a key. */
async function readMessageKey(dir: string, kind: MessageKeyKind, number: number): Promise<MessageKey> {
  const file = join(dir, `${kind}.${number}.json`)
  const text = await readOwn(file)
  try {
    const { public_key, secret, since } = JSON.parse(text) as Record<string, unknown>
    const content = { format, kind, number, public_key: String(public_key), secret: String(secret), since: String(since) }
    if (textOf(content) !== text) throw new Error('not a key file as it was written')
    const key = fromHex(content.secret)
    const publicKey = publicKeyOf(kind, key)
    if (toHex(publicKey) !== content.public_key) throw new Error('secret and public key differ')
    return { file, kind, number, since: new Date(content.since), publicKey, secret: key }
  } catch (error) {
    // The parser's own message would quote the file.
    const reason = error instanceof SyntaxError || !(error instanceof Error) ? 'unreadable' : error.message
    throw damaged(file, reason)
  }
}

/** The sum names any change of an octet, in the date too. */
function textOf(content: { readonly since: string }): string {
  const plain = Buffer.from(canonicalJson(content)).toString('utf8')
  const sum = createHash('sha256').update(plain).digest('hex')
  return `${Buffer.from(canonicalJson({ ...content, sum })).toString('utf8')}\n`
}

function publicKeyOf(kind: MessageKeyKind, secret: Uint8Array): Uint8Array {
  if (kind === 'bitcoin-signing') return secp256k1.getPublicKey(secret, true)
  if (kind === 'nano-signing') return nanoPublicKey(secret)
  const { x } = createPublicKey(ed25519Key(secret)).export({ format: 'jwk' })
  return new Uint8Array(Buffer.from(x ?? '', 'base64url'))
}

/** PKCS#8 of RFC 8410 §7 around the 32 octets of a private key. */
export function ed25519Key(secret: Uint8Array): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  return createPrivateKey({ key: Buffer.concat([prefix, secret]), format: 'der', type: 'pkcs8' })
}
