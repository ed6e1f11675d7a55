import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import { hostName } from '../../../platform/http/request/host-name.ts'
import { enqueue, type Job, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { openCertificateFiles, openCertificates, type Certificates } from '../../../platform/tls/open-certificates.ts'
import { openPlainDoor } from '../../../platform/tls/open-plain-door.ts'
import {
  renewCertificatesCrontab,
  renewCertificatesHandler,
  renewCertificatesJob,
} from '../../../platform/tls/renew-certificates.ts'
import { openVault } from '../../../platform/vault/vault.ts'
import type { RoleDeps } from './role.ts'

const ownName = (publicUrl: string): string => hostName(new URL(publicUrl).host) ?? ''

/** What the web role ends TLS with, and its door without; null where somebody before it does. */
export async function openTls(
  deps: RoleDeps,
  ownsHost: (host: string) => boolean,
): Promise<{
  readonly options: Certificates['options']
  /** Once the server listens: an authority that is asked now finds somebody. */
  begin(server: Server): Promise<void>
  close(): Promise<void>
} | null> {
  const { config, db, log } = deps
  if (config.tls.by === 'proxy') return null
  const { publicUrl, host } = config
  const certificates =
    config.tls.by === 'files'
      ? await openCertificateFiles({ ...config.tls, log })
      : await openCertificates({ ...deps, vault: openVault(config), host: ownName(publicUrl) })
  const door = await openPlainDoor({ host, port: config.tls.plainPort, publicUrl, ownsHost, db, log })
  return {
    options: certificates.options,
    async begin(server) {
      if (server instanceof TlsServer) certificates.secure(server)
      if (config.tls.by === 'acme') await enqueue(db, renewCertificatesJob, {}, { key: renewCertificatesJob.name })
    },
    async close() {
      await door.close()
      await certificates.close()
    },
  }
}

/** Who orders certificates: a worker. Nothing where none are ordered. */
export function tlsWork(
  deps: RoleDeps,
  hosts: readonly string[],
): { readonly jobs: readonly Job[]; readonly handlers: readonly JobHandler[]; readonly crontab: string } {
  const { config } = deps
  if (config.tls.by !== 'acme') return { jobs: [], handlers: [], crontab: '' }
  const names = [...new Set([ownName(config.publicUrl), ...hosts])]
  const acme = config.tls
  return {
    jobs: [renewCertificatesJob],
    handlers: [renewCertificatesHandler({ ...deps, vault: openVault(config), acme, hosts: names })],
    crontab: renewCertificatesCrontab,
  }
}
