/** The configuration and the manifest of an image, as the OCI image specification 1.1 has them. Pure. */
import type { ImageRole } from './image-packages.ts'

/** Of no package of Debian, and not of the browser's jail (session-folder.ts). */
export const imageUser = 59_871
export const programFolder = '/opt/probant'
export const dataFolder = '/var/lib/probant'
/** Where each role tells whether it is ready (open-watch.ts: a port each, in their order). */
export const probePorts: Readonly<Record<ImageRole, number>> = { web: 9464, worker: 9465, capture: 9466 }

export type BlobRef = { readonly mediaType: string; readonly digest: string; readonly size: number }
export type Layer = BlobRef & { readonly diffId: string; readonly what: string }
export type ImageFacts = {
  readonly role: ImageRole
  readonly version: string
  /** Commit; null where it is not known. */
  readonly revision: string | null
  readonly architecture: 'amd64' | 'arm64'
  /** SOURCE_DATE_EPOCH, seconds. */
  readonly epoch: number
  readonly listSha256: string
  readonly layers: readonly Layer[]
}

const second = 1_000_000_000

export function imageConfig({ role, version, revision, architecture, epoch, listSha256, layers }: ImageFacts): object {
  const created = new Date(epoch * 1000).toISOString().replace('.000Z', 'Z')
  return {
    created,
    architecture,
    os: 'linux',
    config: {
      User: `${imageUser}:${imageUser}`,
      ExposedPorts: role === 'web' ? { '8080/tcp': {} } : {},
      Env: [
        `PATH=${programFolder}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        'LANG=C.UTF-8',
        'NODE_ENV=production',
        'PROBANT_ENV=production',
        `PROBANT_DATA=${dataFolder}`,
        'PROBANT_METRICS=127.0.0.1:9464',
      ],
      Entrypoint: [`${programFolder}/bin/node`, `${programFolder}/compiled/serve.js`],
      Cmd: ['--role', role],
      WorkingDir: programFolder,
      Volumes: { [dataFolder]: {} },
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': `Probant ${role}`,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.created': created,
        ...(revision === null ? {} : { 'org.opencontainers.image.revision': revision }),
        'org.opencontainers.image.base.name': 'debian:bookworm',
        'probant.role': role,
        'probant.files.sha256': listSha256,
      },
      // Docker's own member, which others pass over.
      Healthcheck: {
        Test: ['CMD', ...probeCommand(role)],
        Interval: 10 * second,
        Timeout: 5 * second,
        StartPeriod: 60 * second,
        Retries: 3,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ what }) => ({ created, created_by: what })),
  }
}

/** Asks the role inside the container whether it is ready. */
export function probeCommand(role: ImageRole): readonly string[] {
  const ask = `fetch('http://127.0.0.1:${probePorts[role]}/readyz').then(a=>process.exit(a.ok?0:1),()=>process.exit(1))`
  return [`${programFolder}/bin/node`, '-e', ask]
}

export function imageManifest(config: BlobRef, layers: readonly Layer[]): object {
  return {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers: layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
  }
}
