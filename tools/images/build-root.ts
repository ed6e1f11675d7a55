/** The file system of an image: Debian's packages by mmdebstrap, the program, and the list of its files. Root only. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { imageListPath } from '../../modules/capture/domain/servers/image-files.ts'
import { dataFolder, imageUser, programFolder } from './describe-image.ts'
import { roots, sources, suite, type RootName } from './image-packages.ts'
import { describeComponents } from './write-sbom.ts'

export const sbomPath = '/usr/share/probant/sbom.cdx.json'

function run(command: string, args: readonly string[], epoch: number, input?: string): string {
  const done = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(input === undefined ? {} : { input }),
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      LC_ALL: 'C.UTF-8',
      SOURCE_DATE_EPOCH: String(epoch),
      DEBIAN_FRONTEND: 'noninteractive',
    },
  })
  if (done.error) throw done.error
  if (done.status !== 0) throw new Error(`${command} ended with ${String(done.status)}; its message is above`)
  return done.stdout
}

/** What a second run would write otherwise, and nobody reads. */
const leftOver = [
  'var/lib/apt/lists',
  'var/cache/apt',
  'var/cache/debconf',
  'var/cache/ldconfig',
  'var/cache/fontconfig',
  'var/log',
  'var/lib/dbus/machine-id',
  'etc/machine-id',
  'etc/resolv.conf',
  'etc/hostname',
  'etc/passwd-',
  'etc/group-',
  'etc/shadow-',
  'etc/gshadow-',
  'tmp',
  'var/tmp',
  'run',
]

/** @param release as tools/release lays one out @returns the SHA-256 of the list of files */
export function buildRoot(root: string, name: RootName, release: string, epoch: number): string {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(dirname(root), { recursive: true })
  run(
    'mmdebstrap',
    [
      '--quiet',
      '--variant=minbase',
      '--mode=root',
      '--format=directory',
      `--include=${roots[name].join(',')}`,
      '--aptopt=APT::Install-Recommends "false"',
      '--dpkgopt=path-exclude=/usr/share/man/*',
      '--dpkgopt=path-exclude=/usr/share/info/*',
      '--dpkgopt=path-exclude=/usr/share/doc/*',
      '--dpkgopt=path-include=/usr/share/doc/*/copyright',
      suite,
      root,
      ...sources,
    ],
    epoch,
  )
  for (const path of leftOver) rmSync(join(root, path), { recursive: true, force: true })
  for (const [path, mode] of [
    ['tmp', 0o1777],
    ['var/tmp', 0o1777],
    ['run', 0o755],
    ['var/log', 0o755],
    ['var/cache', 0o755],
  ] as const) {
    mkdirSync(join(root, path), { recursive: true })
    chmodSync(join(root, path), mode)
  }
  const account = `probant:x:${imageUser}:${imageUser}::${dataFolder}:/usr/sbin/nologin\n`
  writeFileSync(join(root, 'etc/passwd'), readFileSync(join(root, 'etc/passwd'), 'utf8') + account)
  writeFileSync(join(root, 'etc/group'), `${readFileSync(join(root, 'etc/group'), 'utf8')}probant:x:${imageUser}:\n`)
  // The fonts' cache names the dates of their folders: these become what the layer says, then it is made.
  run('find', [root, '-xdev', '-exec', 'touch', '--no-dereference', `--date=@${epoch}`, '{}', '+'], epoch)
  if (name === 'capture') run('chroot', [root, 'fc-cache', '--system-only'], epoch)
  // A volume that is mounted there for the first time is its owner's as the folder is: `compose.yaml` mounts each of them.
  for (const path of [dataFolder, `${dataFolder}/blobs`, `${dataFolder}/notary`]) {
    mkdirSync(join(root, path), { recursive: true, mode: 0o700 })
    chownSync(join(root, path), imageUser, imageUser)
  }
  cpSync(release, join(root, programFolder), { recursive: true, verbatimSymlinks: true })
  run('chown', ['-R', '0:0', join(root, programFolder)], epoch)
  mkdirSync(dirname(join(root, sbomPath)), { recursive: true })
  const installed = run(
    'chroot',
    [root, 'dpkg-query', '-W', '-f', '${Package}\\t${Version}\\t${Architecture}\\t${source:Package}\\n'],
    epoch,
  )
  const lock = readFileSync(join(root, programFolder, 'package-lock.json'), 'utf8')
  // Node itself came by npm, and lies beside the packages.
  const isThere = (folder: string) =>
    folder === `node_modules/node-linux-${process.arch}` || existsSync(join(root, programFolder, folder, 'package.json'))
  writeFileSync(join(root, sbomPath), describeComponents({ installed, lock, isThere, epoch }))
  const list = join(root, imageListPath)
  // As the user of the image sees them: a process compares with what it can read.
  const asUser = [`--userspec=${imageUser}:${imageUser}`, root, '/bin/sh', '-c']
  const text = run(
    'chroot',
    [...asUser, `cd / && find . -xdev -type f -readable -printf '%P\\0' 2>/dev/null | LC_ALL=C sort -z | xargs -0 sha256sum`],
    epoch,
  )
  writeFileSync(list, text)
  return createHash('sha256').update(text).digest('hex')
}
