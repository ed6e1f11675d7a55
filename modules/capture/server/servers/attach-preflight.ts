import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaptureFacts, CapturedFile, CaptureServerFacts } from '../../domain/outcome/outcome.ts'
import { clockToleranceSeconds } from '../../domain/servers/preflight.ts'
import type { Preflight } from './start-server.ts'
import type { SetAside } from './servers-store.ts'

/** The pinned manifest as it stands on the server, byte for byte: its SHA-256 is `facts.server.manifest_sha256`. */
const manifestPath = 'environment/server-manifest.json'
const preflightPath = 'environment/preflight.json'

function imageFacts(image: Preflight['measurement']['image']): NonNullable<CaptureServerFacts['image']> | null {
  if (image === null) return null
  const { digest_as_stated, files_sha256, files, measured_at } = image
  return { digest_as_stated, files_sha256, files, measured_at }
}

/** Adds to a capture what its server was: manifest and preflight as pieces, and the facts. */
export async function attachPreflight(
  outcome: { readonly files: readonly CapturedFile[]; readonly facts: CaptureFacts },
  preflight: Preflight,
  setAside: readonly SetAside[],
  workDir: string,
): Promise<{ readonly files: readonly CapturedFile[]; readonly facts: CaptureFacts }> {
  const { server, pinned, measurement, silence } = preflight
  const facts: CaptureServerFacts = {
    ...server,
    manifest_sha256: pinned.sha256,
    preflight_at: measurement.measured_at,
    image: imageFacts(measurement.image),
    set_aside: setAside.map(({ serverId, at, differences }) => ({ server_id: serverId, at: at.toISOString(), differences })),
  }
  const report = {
    format: 'probant-preflight/1',
    server: { ...server, stated_by: 'operator' },
    manifest: {
      path: manifestPath,
      sha256: pinned.sha256,
      pinned_at: pinned.manifest.pinned_at,
      pinned_by: pinned.manifest.pinned_by,
    },
    expected: pinned.manifest.items,
    measured: {
      at: measurement.measured_at,
      items: measurement.items,
      clock: {
        offset_seconds: measurement.clock_offset,
        step_seconds: measurement.clock_step,
        tolerance_seconds: clockToleranceSeconds,
        measured_at: measurement.clock_measured_at,
      },
      public_address_measured_at: measurement.public_address_measured_at,
      isolation_measured_at: measurement.isolation_measured_at,
      network: measurement.network,
      // The image that the server runs from; null: from none of the product's.
      image: measurement.image,
      // What the browser says by itself; null: it was not measured.
      silence,
    },
    differences: [],
    not_compared: Object.entries(pinned.manifest.items).flatMap(([item, expected]) =>
      expected === null || measurement.items[item as keyof typeof measurement.items] === null ? [item] : [],
    ),
    set_aside_before: facts.set_aside,
  }
  const files: CapturedFile[] = []
  for (const [path, text] of [
    [preflightPath, `${JSON.stringify(report, null, 1)}\n`],
    [manifestPath, pinned.text],
  ] as const) {
    const file = join(workDir, path.replace('/', '-'))
    await writeFile(file, text)
    files.push({ path, role: 'preflight', media_type: 'application/json', file })
  }
  return { files: [...outcome.files, ...files], facts: { ...outcome.facts, server: facts } }
}
