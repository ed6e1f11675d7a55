import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { serverIdPattern } from '../../domain/servers/capture-server.ts'
import type { PreflightDifference, ServerItems, ServerManifest } from '../../domain/servers/preflight.ts'

/** The manifest with the bytes that its hash is of. */
export type PinnedManifest = { readonly manifest: ServerManifest; readonly text: string; readonly sha256: string }

/** What a server measured when it was set aside: what an administrator looks at, and may pin. */
export type SeenDifference = {
  readonly at: string
  readonly items: ServerItems
  readonly differences: readonly PreflightDifference[]
}

const line = z.string().max(20_000)
const items: z.ZodType<ServerItems> = z.strictObject({
  software: line,
  program_sha256: line,
  node: line,
  operating_system: line,
  machine_sha256: line.nullable(),
  browser: line.nullable(),
  browser_sha256: line.nullable(),
  packages: line.nullable(),
  image_digest: z.string().regex(/^[0-9a-f]{64}$/),
  dns_servers: line.nullable(),
  proxy: line,
  public_address: line.nullable(),
  isolation: z.enum(['namespaces', 'override', 'unavailable']),
  // Absent in manifests of before, and where the server runs from no image.
  image_files_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .exactOptional(),
})
const manifestSchema: z.ZodType<ServerManifest> = z.strictObject({
  format: z.literal('probant-capture-server/1'),
  server_id: z.string().regex(serverIdPattern),
  pinned_at: z.iso.datetime(),
  pinned_by: z.enum(['first_start', 'start', 'command']),
  replaces: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  items,
})
const seenSchema: z.ZodType<SeenDifference> = z.strictObject({
  at: z.iso.datetime(),
  items,
  differences: z.array(z.strictObject({ item: line, expected: line, measured: line })),
})

/** Where a server keeps what is pinned of it. */
export const serverFolder = (dataFolder: string, serverId: string): string => join(dataFolder, 'servers', serverId)
const manifestFile = (folder: string) => join(folder, 'manifest.json')
const seenFile = (folder: string) => join(folder, 'difference.json')

async function readText(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** @returns null when nothing is pinned yet. @throws when the file is there and is not a manifest of this server */
export async function readManifest(folder: string, serverId: string): Promise<PinnedManifest | null> {
  const text = await readText(manifestFile(folder))
  if (text === null) return null
  const manifest = manifestSchema.parse(JSON.parse(text))
  if (manifest.server_id !== serverId) throw new Error(`${manifestFile(folder)} is of server ${manifest.server_id}`)
  return { manifest, text, sha256: sha256(text) }
}

/**
 * Pins a state. The file replaces the one before whole or not at all; the one before stays beside it under its hash.
 * Two processes that pin a new server at the same moment end with the same manifest.
 */
export async function pinManifest(
  folder: string,
  pin: { readonly serverId: string; readonly at: Date; readonly by: ServerManifest['pinned_by']; readonly items: ServerItems },
): Promise<PinnedManifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const before = await readManifest(folder, pin.serverId)
  const manifest: ServerManifest = {
    format: 'probant-capture-server/1',
    server_id: pin.serverId,
    pinned_at: pin.at.toISOString(),
    pinned_by: pin.by,
    replaces: before?.sha256 ?? null,
    items: pin.items,
  }
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  const draft = `${manifestFile(folder)}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, text, { mode: 0o600, flush: true })
  try {
    if (before === null) {
      const linked = await link(draft, manifestFile(folder)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false
          throw error
        },
      )
      if (!linked) return (await readManifest(folder, pin.serverId)) ?? { manifest, text, sha256: sha256(text) }
    } else {
      await writeFile(join(folder, `manifest-${before.sha256}.json`), before.text, { mode: 0o600, flush: true })
      await rename(draft, manifestFile(folder))
    }
  } finally {
    await rm(draft, { force: true })
  }
  await rm(seenFile(folder), { force: true })
  return { manifest, text, sha256: sha256(text) }
}

export async function writeSeenDifference(folder: string, seen: SeenDifference): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${seenFile(folder)}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(seen, null, 1)}\n`, { mode: 0o600 })
  await rename(draft, seenFile(folder))
}

export async function readSeenDifference(folder: string): Promise<SeenDifference | null> {
  const text = await readText(seenFile(folder))
  return text === null ? null : seenSchema.parse(JSON.parse(text))
}

export async function clearSeenDifference(folder: string): Promise<void> {
  await rm(seenFile(folder), { force: true })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
