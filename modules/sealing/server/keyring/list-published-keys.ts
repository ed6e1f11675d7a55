import type { PublishedKey, PublishedKeys } from '../../../verification/server/index.ts'
import { bitcoinAddress, nanoAccount, publishedKeysFormat } from '../../../verification/server/index.ts'
import { readCertificate } from '../certificates/read-certificate.ts'
import type { PublishedCertificate } from './signer.ts'
import type { DatedKey, MessageKeys } from './message-keys.ts'
import type { MessageKeyKind } from './message-key-file.ts'
import { noteKey, noteTypes, type NoteNames } from './note-signer.ts'

/** The document that the platform publishes, unsigned. Keys of messages are made at first need, so that they are in it. */
export async function listPublishedKeys(
  certificates: readonly PublishedCertificate[],
  keys: MessageKeys,
  names: NoteNames,
  issuedAt: Date,
): Promise<PublishedKeys> {
  const history = async (kind: MessageKeyKind, idOf: (publicKey: Uint8Array) => string) =>
    (await keys.history(kind)).map(({ key, until }: DatedKey): PublishedKey => ({
      id: idOf(key.publicKey),
      since: key.since.toISOString(),
      until: until?.toISOString() ?? null,
    }))
  const notes = async (kind: 'log-signing' | 'witness-signing', name: string | undefined, type: number) =>
    name === undefined ? [] : await history(kind, (publicKey) => noteKey(publicKey, name, type).vkey)
  return {
    format: publishedKeysFormat,
    issued_at: issuedAt.toISOString(),
    certificates: certificates.map((each, i) => {
      const { sha256, name, notAfter } = readCertificate(each.certificate)
      // A signing certificate gives way to its successor before its own end.
      const successor = certificates.slice(i + 1).find(({ role, purpose }) => role === each.role && purpose === each.purpose)
      const end = successor === undefined ? notAfter : sinceOf(successor)
      const until = successor !== undefined || end < issuedAt ? end.toISOString() : null
      return { id: sha256, since: sinceOf(each).toISOString(), until, role: each.role, purpose: each.purpose, subject: name }
    }),
    bitcoin: await history('bitcoin-signing', bitcoinAddress),
    nano: await history('nano-signing', nanoAccount),
    log: await notes('log-signing', names.log, noteTypes.log),
    witnesses: [...(await notes('witness-signing', names.witness, noteTypes.witness)), ...(names.cosigners ?? [])],
  }
}

function sinceOf({ since, certificate }: PublishedCertificate): Date {
  return since ?? readCertificate(certificate).notBefore
}
