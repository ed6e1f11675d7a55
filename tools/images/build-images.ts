/** All images into one OCI layout. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { programFolder, type Layer } from './describe-image.ts'
import { buildRoot, sbomPath } from './build-root.ts'
import { images, type ImageRole, type RootName } from './image-packages.ts'
import { writeImage, writeLayer } from './write-image.ts'

export type BuiltImage = { readonly role: ImageRole; readonly digest: string; readonly listSha256: string }

const own = [programFolder.slice(1), 'usr/share/probant']

/**
 * @param target emptied first; the layout is `target/layout`, file systems `target/root-NAME`
 * @param release as tools/release lays one out
 * @param epoch seconds: the date of everything in the images
 */
export async function buildImages(options: {
  readonly root: string
  readonly target: string
  readonly release: string
  readonly epoch: number
  readonly roles?: readonly ImageRole[]
}): Promise<readonly BuiltImage[]> {
  const { target, release, epoch, roles = Object.keys(images) as ImageRole[] } = options
  const layout = join(target, 'layout')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(layout, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8')) as { version: string }
  const bases = new Map<RootName, { readonly listSha256: string; readonly layers: readonly Layer[] }>()
  const built: BuiltImage[] = []
  for (const role of roles) {
    const name = images[role]
    let base = bases.get(name)
    if (base === undefined) {
      const root = join(target, `root-${name}`)
      const listSha256 = buildRoot(root, name, release, epoch)
      const system = await writeLayer(layout, root, { paths: [''], without: own, epoch, what: 'Debian packages (mmdebstrap)' })
      const program = await writeLayer(layout, root, { paths: own, epoch, what: 'Probant, its list of files and its SBOM' })
      copyFileSync(join(root, sbomPath), join(target, `sbom-${name}.cdx.json`))
      base = { listSha256, layers: [system, program] }
      bases.set(name, base)
    }
    const digest = writeImage(layout, {
      role,
      version,
      revision: revisionOf(options.root),
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      epoch,
      ...base,
    })
    built.push({ role, digest, listSha256: base.listSha256 })
  }
  return built
}

/** Null where there is no repository, or where it is not what was committed. */
export function revisionOf(root: string): string | null {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null
  } catch {
    return null
  }
}
