import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { damaged, isTemporary, messageKeyFile, readOwn, removeStale, writeOnce } from './key-folder.ts'
import { isTokenCertificateFile } from './token-certificates.ts'
import { pemOf, readCertificate } from '../certificates/read-certificate.ts'
import type { CertificateFacts } from '../certificates/read-certificate.ts'

/**
 * One key with its certificate and issuers in one PEM file, `<slot>.<number>.pem`: the file exists whole or not at all, so
 * that no interruption leaves a key without its certificate.
 */
export type KeyEntry = {
  readonly file: string
  readonly number: number
  readonly certificate: CertificateFacts
  readonly chain: readonly CertificateFacts[]
  sign(data: Uint8Array): Uint8Array
}

const slots = ['platform-ca', 'platform-signing', 'time-ca', 'time-signing'] as const
export type Slot = (typeof slots)[number]

const fileName = /^(platform-ca|platform-signing|time-ca|time-signing)\.([1-9]\d{0,5})\.pem$/

/** Every entry of the folder by slot, numbers ascending. Names that are not ours are returned apart, untouched. */
export async function readFolder(dir: string): Promise<{ entries: Map<Slot, KeyEntry[]>; strangers: string[] }> {
  const entries = new Map<Slot, KeyEntry[]>(slots.map((slot) => [slot, []]))
  const strangers: string[] = []
  for (const name of await readdir(dir)) {
    const match = fileName.exec(name)
    if (match !== null) entries.get(match[1] as Slot)?.push(await readEntry(dir, name, Number(match[2])))
    else if (isTemporary(name)) await removeStale(dir, name)
    else if (!messageKeyFile.test(name) && !isTokenCertificateFile(name)) strangers.push(name)
  }
  for (const list of entries.values()) list.sort((a, b) => a.number - b.number)
  return { entries, strangers }
}

/** Slots that gained entries since `known` was read, whole; nothing is read again but the names of the files. */
export async function readNewEntries(dir: string, known: ReadonlyMap<Slot, readonly KeyEntry[]>): Promise<Map<Slot, KeyEntry[]>> {
  const found = new Map<Slot, KeyEntry[]>()
  for (const name of await readdir(dir)) {
    const match = fileName.exec(name)
    const [slot, number] = [match?.[1] as Slot, Number(match?.[2])]
    if (match === null || known.get(slot)?.some((entry) => entry.number === number) === true) continue
    const list = found.get(slot) ?? [...(known.get(slot) ?? [])]
    list.push(await readEntry(dir, name, number))
    found.set(
      slot,
      list.toSorted((a, b) => a.number - b.number),
    )
  }
  return found
}

/** Writes an entry unless its number was taken meanwhile; answers what stands under that number. */
export async function writeEntry(
  dir: string,
  slot: Slot,
  number: number,
  content: { privateKey: KeyObject; certificates: readonly Uint8Array[] },
): Promise<KeyEntry> {
  const name = `${slot}.${number}.pem`
  const key = content.privateKey.export({ type: 'pkcs8', format: 'pem' })
  await writeOnce(dir, name, key + pemOf(content.certificates))
  return readEntry(dir, name, number)
}

async function readEntry(dir: string, name: string, number: number): Promise<KeyEntry> {
  const file = join(dir, name)
  const text = await readOwn(file)
  try {
    const [certificate, ...chain] = [
      ...text.matchAll(/-----BEGIN CERTIFICATE-----\n([A-Za-z0-9+/=\n]+)-----END CERTIFICATE-----\n/g),
    ].map((match) => readCertificate(new Uint8Array(Buffer.from(match[1] ?? '', 'base64'))))
    if (certificate === undefined) throw new Error('no certificate')
    const key = createPrivateKey(text)
    const published = createPublicKey(key).export({ type: 'spki', format: 'der' })
    if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new Error('not a P-256 key')
    if (!certificate.x509.publicKey.export({ type: 'spki', format: 'der' }).equals(published))
      throw new Error('key and certificate differ')
    for (const [index, subject] of [certificate, ...chain].entries()) {
      const issuer = chain[index] ?? subject
      if (!subject.x509.checkIssued(issuer.x509) || !subject.x509.verify(issuer.x509.publicKey)) throw new Error('broken chain')
    }
    return { file, number, certificate, chain, sign: (data) => new Uint8Array(sign('sha256', data, key)) }
  } catch (error) {
    throw damaged(file, error instanceof Error ? error.message : 'unreadable', error)
  }
}
