import type { Clock } from '../../../../kernel/clock.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import type { Keyring, PublishedCertificate } from './signer.ts'
import { listPublishedKeys } from './list-published-keys.ts'
import type { MessageKeyKind } from './message-key-file.ts'
import { messageKeys } from './message-keys.ts'
import { bitcoinSigner, nanoSigner } from './message-signer.ts'
import { noteSigner, noteTypes } from './note-signer.ts'

/** The part of a keyring whose keys have no certificate. */
export type MessageKeyring = Pick<Keyring, 'logSigner' | 'witnessSigner' | 'messageSigners'> & {
  publishedKeys(
    certificates: readonly PublishedCertificate[],
    names: Parameters<Keyring['publishedKeys']>[0],
  ): ReturnType<Keyring['publishedKeys']>
  rotate(kind: MessageKeyKind): Promise<void>
}

export function openMessageKeys(deps: { dir: string; clock: Clock; log: Notes }): MessageKeyring {
  const keys = messageKeys(deps)
  return {
    messageSigners: async () => ({
      bitcoin: bitcoinSigner(await keys.current('bitcoin-signing')),
      nano: nanoSigner(await keys.current('nano-signing')),
    }),
    logSigner: async (origin) => noteSigner(await keys.current('log-signing'), origin, noteTypes.log),
    witnessSigner: async (name) => noteSigner(await keys.current('witness-signing'), name, noteTypes.witness),
    publishedKeys: async (certificates, names) => await listPublishedKeys(certificates, keys, names, deps.clock.now()),
    rotate: async (kind) => {
      await keys.rotate(kind)
    },
  }
}
