import { readFile } from 'node:fs/promises'
import { createSecureContext, type SecureContext, type SecureContextOptions, type Server } from 'node:tls'
import { hostName } from '../http/request/host-name.ts'
import { listen } from '../db/listen.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import type { Vault } from '../vault/vault.ts'
import { readCertificate } from './order-certificate.ts'
import { keyPurpose } from './renew-certificates.ts'
import { certificateChannel, listCertificates } from './tls-store.ts'

/** What a server shows of itself, by the name that it was asked for by. */
export type Certificates = {
  readonly options: SecureContextOptions & {
    readonly SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) => void
  }
  /** Whoever asks by no name gets that of the installation. From now on, and with each that is new. */
  secure(server: Pick<Server, 'setSecureContext'>): void
  close(): Promise<void>
}

/** RFC 9325 §3.1.1: what is older has known weaknesses. */
const minVersion = 'TLSv1.2'
/** A file that another program renews is looked at so often. Milliseconds. */
const lookMs = 60_000

type Pair = { readonly cert: string; readonly key: string }

function hold(hostOfAll: string) {
  let contexts = new Map<string, SecureContext>()
  let own: Pair | undefined
  const servers: Pick<Server, 'setSecureContext'>[] = []
  return {
    show(pairs: ReadonlyMap<string, Pair>) {
      contexts = new Map([...pairs].map(([host, pair]) => [host, createSecureContext({ ...pair, minVersion })]))
      own = pairs.get(hostOfAll)
      if (own !== undefined) for (const server of servers) server.setSecureContext({ ...own, minVersion })
    },
    options: {
      minVersion,
      SNICallback(name, done) {
        done(null, contexts.get(hostName(name) ?? ''))
      },
    } satisfies Certificates['options'],
    secure(this: void, server: Pick<Server, 'setSecureContext'>) {
      servers.push(server)
      if (own !== undefined) server.setSecureContext({ ...own, minVersion })
    },
  }
}

/** Those that were had by ACME, as they stand in the database; a new one is shown from the moment that it is kept, and nobody is cut off. */
export async function openCertificates(deps: {
  readonly db: Db
  readonly databaseUrl: string
  readonly vault: Vault
  readonly log: Log
  /** Of the installation's address. */
  readonly host: string
}): Promise<Certificates> {
  const { db, vault, log } = deps
  const held = hold(deps.host)
  const read = async () => {
    const pairs = new Map<string, Pair>()
    for (const { host, chain, key } of await listCertificates(db)) {
      if (chain === null || key === null) continue
      try {
        pairs.set(host, { cert: chain, key: vault.open(keyPurpose, host, key).toString() })
      } catch (error) {
        log.error({ host, err: error }, 'a certificate cannot be shown')
      }
    }
    held.show(pairs)
  }
  const again = () => void read().catch((error: unknown) => log.error({ err: error }, 'certificates cannot be read'))
  const listener = await listen(deps.databaseUrl, certificateChannel, again, { log, onReconnect: again })
  await read()
  return { options: held.options, secure: held.secure, close: async () => await listener.close() }
}

/**
 * Those of two files that somebody else keeps new. What they hold later replaces what is shown, once it holds together.
 * @throws Error naming what is wrong with them
 */
export async function openCertificateFiles(deps: {
  readonly certificateFile: string
  readonly keyFile: string
  readonly log: Log
  /** How often they are looked at, in milliseconds. */
  readonly everyMs?: number
}): Promise<Certificates> {
  const { log } = deps
  const read = async (): Promise<Pair> => {
    const [cert, key] = await Promise.all([readFile(deps.certificateFile, 'utf8'), readFile(deps.keyFile, 'utf8')])
    readCertificate(null, cert, key)
    return { cert, key }
  }
  let shown = await read()
  const host = ''
  const held = hold(host)
  held.show(new Map([[host, shown]]))
  let looking: Promise<void> | undefined
  const look = async () => {
    try {
      const found = await read()
      if (found.cert === shown.cert && found.key === shown.key) return
      shown = found
      held.show(new Map([[host, found]]))
      log.info({}, 'the certificate was renewed')
    } catch (error) {
      // Both are seldom written at once: what is shown stays.
      log.warn({ err: error }, 'the certificate could not be read again')
    }
  }
  const timer = setInterval(() => void (looking = look()), deps.everyMs ?? lookMs).unref()
  return {
    options: held.options,
    secure: held.secure,
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}
