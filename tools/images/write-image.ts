/** An image as an OCI layout : layers are GNU tar's, sorted and with one date; all else is JSON. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { imageConfig, imageManifest, type BlobRef, type ImageFacts, type Layer } from './describe-image.ts'

const layoutOf = (folder: string) => join(folder, 'blobs/sha256')

function counted(): { readonly through: Transform; readonly digest: () => string; readonly size: () => number } {
  const hash = createHash('sha256')
  let size = 0
  const through = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part)
      size += part.length
      done(null, part)
    },
  })
  let digest: string | undefined
  return { through, digest: () => (digest ??= `sha256:${hash.digest('hex')}`), size: () => size }
}

/** @param paths below the root, each with all below it @param without the same */
export async function writeLayer(
  folder: string,
  root: string,
  { paths, without = [], epoch, what }: { paths: readonly string[]; without?: readonly string[]; epoch: number; what: string },
): Promise<Layer> {
  mkdirSync(layoutOf(folder), { recursive: true })
  const args = [
    '--create',
    '--directory',
    root,
    '--format=gnu',
    '--sort=name',
    `--mtime=@${epoch}`,
    '--numeric-owner',
    ...without.map((path) => `--exclude=./${path}`),
    ...paths.map((path) => (path === '' ? '.' : `./${path}`)),
  ]
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' } })
  const ended = new Promise<number | null>((resolve, reject) => tar.once('error', reject).once('close', resolve))
  const [plain, packed] = [counted(), counted()]
  const draft = join(folder, 'layer.draft')
  // zlib of the pinned Node writes no name and no date; its level is a part of what is pinned.
  await pipeline(tar.stdout, plain.through, createGzip({ level: 6 }), packed.through, createWriteStream(draft))
  if ((await ended) !== 0) throw new Error('tar failed; its message is above')
  renameSync(draft, join(layoutOf(folder), packed.digest().slice('sha256:'.length)))
  const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip'
  return { mediaType, digest: packed.digest(), size: packed.size(), diffId: plain.digest(), what }
}

function writeJson(folder: string, mediaType: string, value: object): BlobRef {
  const text = JSON.stringify(value)
  const digest = createHash('sha256').update(text).digest('hex')
  writeFileSync(join(layoutOf(folder), digest), text)
  return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) }
}

/** Adds an image to a layout. @returns its digest, by which it is pulled */
export function writeImage(folder: string, facts: ImageFacts): string {
  const config = writeJson(folder, 'application/vnd.oci.image.config.v1+json', imageConfig(facts))
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = writeJson(folder, mediaType, imageManifest(config, facts.layers))
  const file = join(folder, 'index.json')
  const before = readIndex(file)
  const entry = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': facts.role } }
  writeFileSync(file, JSON.stringify({ schemaVersion: 2, manifests: [...before, entry] }))
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  return manifest.digest
}

function readIndex(file: string): readonly object[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { manifests: object[] }).manifests
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
