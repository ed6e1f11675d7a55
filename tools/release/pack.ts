/** A release as files that are handed over: a tar archive, a Debian package, what is in them, and who made them from what (decision 0462). */
import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeChangelog, writeCopyright } from './debian-papers.ts'

export type Packing = {
  /** The release as a folder (lay-out.ts). */
  readonly release: string
  /** Where the files go. */
  readonly target: string
  readonly version: string
  /** Seconds since 1970: the only date in what is packed (reproducible-builds.org, SOURCE_DATE_EPOCH). */
  readonly sourceDate: number
}

const debianArchitecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
// The same whatever the machine is set to.
const quiet = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' }

/** @returns the path of the archive */
export function packTar({ release, target, version, sourceDate }: Packing): string {
  const file = join(target, `probant-${version}-linux-${process.arch}.tar.gz`)
  const facts = ['--sort=name', `--mtime=@${sourceDate}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const options = ['--create', '--format=gnu', ...facts, '--use-compress-program=gzip -n -6', `--file=${file}`]
  execFileSync('tar', [...options, '-C', join(release, '..'), basename(release)], {
    env: quiet,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return file
}

export type DebianParts = {
  /** Packages that the machine must have. */
  readonly depends: readonly string[]
  /** Scripts of the package's life, the command and its settings to begin with. */
  readonly scripts: string
  readonly units: string
  /** To be read beside it: from where, under which name. */
  readonly documents: readonly (readonly [string, string])[]
  /** For programs that watch it: from where, under which name. */
  readonly watching: readonly (readonly [string, string])[]
  /** `Name <address>` of who answers for the package. */
  readonly maintainer: string
  /** From which it was made. */
  readonly commit: string
}

function writeAs(mode: number, path: string, content: string | Buffer): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
}

/** What `dpkg --verify` compares with, and what the package takes on a disk, each file a multiple of a kibibyte (Debian's policy, 5.6.20). */
function measureTree(tree: string): { readonly sums: string; readonly kibibytes: number } {
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true })
  const paths = entries.filter((each) => each.isFile()).map((each) => relative(tree, join(each.parentPath, each.name)))
  let kibibytes = entries.length - paths.length
  const lines = paths.toSorted().map((path) => {
    const content = readFileSync(join(tree, path))
    kibibytes += Math.ceil(content.length / 1024)
    return `${createHash('md5').update(content).digest('hex')}  ${path}\n`
  })
  return { sums: lines.join(''), kibibytes }
}

/** @returns the path of the package */
export function packDebian(packing: Packing, parts: DebianParts): string {
  const { release, target, version, sourceDate } = packing
  const tree = join(target, 'debian')
  rmSync(tree, { recursive: true, force: true })
  cpSync(release, join(tree, 'usr/lib/probant'), { recursive: true, verbatimSymlinks: true })
  const script = (name: string) => readFileSync(join(parts.scripts, name))
  writeAs(0o755, join(tree, 'usr/bin/probant'), script('probant.sh'))
  writeAs(0o644, join(tree, 'usr/share/probant/probant.env'), script('probant.env'))
  for (const name of readdirSync(parts.units))
    writeAs(0o644, join(tree, 'usr/lib/systemd/system', name), readFileSync(join(parts.units, name)))
  for (const [from, name] of parts.watching) writeAs(0o644, join(tree, 'usr/share/probant', name), readFileSync(from))
  for (const [from, name] of parts.documents) writeAs(0o644, join(tree, 'usr/share/doc/probant', name), readFileSync(from))
  const papers = join(tree, 'usr/share/doc/probant')
  const changelog = writeChangelog({ version, maintainer: parts.maintainer, commit: parts.commit, sourceDate })
  writeAs(0o644, join(papers, 'changelog.gz'), gzipSync(changelog, { level: 9 }))
  writeAs(0o644, join(papers, 'copyright'), writeCopyright(release, parts.maintainer))
  writeAs(0o644, join(tree, 'usr/share/man/man1/probant.1.gz'), gzipSync(script('probant.1'), { level: 9 }))
  writeAs(0o644, join(tree, 'usr/share/lintian/overrides/probant'), script('lintian-overrides'))
  const { sums, kibibytes } = measureTree(tree)
  for (const name of ['postinst', 'prerm', 'postrm']) writeAs(0o755, join(tree, 'DEBIAN', name), script(name))
  writeAs(0o644, join(tree, 'DEBIAN/md5sums'), sums)
  const control = [
    'Package: probant',
    `Version: ${version}`,
    `Architecture: ${debianArchitecture}`,
    `Installed-Size: ${String(kibibytes)}`,
    `Maintainer: ${parts.maintainer}`,
    'Section: web',
    'Priority: optional',
    `Depends: ${parts.depends.toSorted().join(', ')}`,
    'Recommends: age, caddy | nginx',
    'Description: court-ready evidence of what web pages showed',
    ' Captures pages, seals what was captured with time stamps and signatures, and',
    ' writes packages that anyone can verify without this program.',
  ]
  writeAs(0o644, join(tree, 'DEBIAN/control'), `${control.join('\n')}\n`)
  // Nobody's umask is in it.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', tree])
  const file = join(target, `probant_${version}_${debianArchitecture}.deb`)
  const env = { ...quiet, SOURCE_DATE_EPOCH: String(sourceDate) }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', tree, file], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(tree, { recursive: true })
  return file
}

type Bom = {
  serialNumber: string
  metadata: { timestamp: string; tools?: unknown; component: { 'bom-ref': string } }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
type LockedPackage = { readonly name?: string; readonly version: string; readonly dev?: boolean }

/** `name@version` of each locked package that is not for development alone. */
export function shippedPackages(lockFile: string): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, LockedPackage> }
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return new Set(
    shipped.map(([path, { name, version }]) => `${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`),
  )
}

/**
 * What is inside, as npm says it of the lock file (CycloneDX): the packages of the programs and those that the pages were built with. Without
 * what npm draws or looks up anew each time. Those for development are left out here: `npm sbom --omit dev` leaves out whatever they need, too.
 */
export function describeContents(root: string, sourceDate: number): string {
  const arguments_ = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const said = execFileSync('npm', arguments_, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const bom = JSON.parse(said) as Bom
  const lockFile = join(root, 'package-lock.json')
  const shipped = shippedPackages(lockFile)
  bom.components = bom.components.filter((each) => shipped.has(each['bom-ref']))
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => shipped.has(ref) || ref === bom.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) }))
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  // A UUID of the lock file's own (RFC 9562, version 8).
  const parts = [lock.slice(0, 8), lock.slice(8, 12), `8${lock.slice(13, 16)}`, `8${lock.slice(17, 20)}`, lock.slice(20, 32)]
  bom.serialNumber = `urn:uuid:${parts.join('-')}`
  bom.metadata.timestamp = new Date(sourceDate * 1000).toISOString()
  delete bom.metadata.tools
  return `${JSON.stringify(bom, null, 2)}\n`
}

const statementType = 'application/vnd.in-toto+json'

/** What DSSE signs: the type and the octets, each with its length. */
export function preAuthentication(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])
}

/** What is vouched for: a file by its name, an image by its own digest. */
export type Subject = { readonly name: string; readonly digest: { readonly sha256: string } }

const sha256Of = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
export const subjectOf = (file: string): Subject => ({ name: basename(file), digest: { sha256: sha256Of(file) } })

/**
 * Who made what from what: a statement of in-toto (v1) with SLSA's provenance (v1), in a DSSE envelope, signed with an Ed25519 key.
 * @throws Error for a key of another kind
 */
export function signProvenance(options: {
  readonly subjects: readonly Subject[]
  /** The script of npm that made them. */
  readonly script: 'build:release' | 'build:images'
  /** PEM, PKCS#8. */
  readonly key: string
  /** Address that names who builds. */
  readonly builder: string
  readonly commit: string
  readonly lockFile: string
  readonly sourceDate: number
}): string {
  const key = createPrivateKey(options.key)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key of a release is an Ed25519 key')
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: options.subjects,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${options.builder}#npm-run-${options.script.replace(':', '-')}`,
        externalParameters: { command: `npm run ${options.script}`, SOURCE_DATE_EPOCH: options.sourceDate },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: options.commit } },
          { name: basename(options.lockFile), digest: { sha256: sha256Of(options.lockFile) } },
        ],
      },
      runDetails: { builder: { id: options.builder } },
    },
  }
  const payload = Buffer.from(JSON.stringify(statement))
  const signature = sign(null, preAuthentication(statementType, payload), key)
  const envelope = {
    payloadType: statementType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: fingerprintOf(createPublicKey(key)), sig: signature.toString('base64') }],
  }
  return `${JSON.stringify(envelope)}\n`
}

/** SHA-256 of the public key as a certificate has it. */
function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}
