import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMaintainer } from './debian-papers.ts'
import { commandsOf } from './document-commands.ts'
import { describeContents, packDebian, packTar, shippedPackages, signProvenance, subjectOf } from './pack.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const sourceDate = Date.UTC(2026, 10, 1) / 1000
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-pack-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const sha256 = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

/** The same release, laid out in another order, at another time, by somebody whose files others may or may not read. */
async function layOut(name: string, names: readonly string[], mode: number): Promise<string> {
  const release = join(folder, name, 'probant')
  await mkdir(join(release, 'bin'), { recursive: true })
  for (const each of names) {
    await writeFile(join(release, each), each)
    await chmod(join(release, each), mode)
    await utimes(join(release, each), 1_800_000_000 + mode, 1_800_000_000 + mode)
  }
  await writeFile(join(release, 'bin/probant'), '#!/bin/sh\n')
  await chmod(join(release, 'bin/probant'), mode | 0o111)
  await symlink('a', join(release, 'link'))
  return release
}

const parts = {
  depends: ['bubblewrap', 'chromium'],
  scripts: join(root, 'tools/release/debian'),
  units: join(root, 'deploy/systemd'),
  documents: [[join(root, 'docs/operating/install.md'), 'operating/install.md']],
  watching: [[join(root, 'deploy/prometheus/alerts.yaml'), 'alerts.yaml']],
  maintainer: 'Ada Byron <ada@evidence.example>',
  commit: 'a'.repeat(40),
} as const

test('two makings of one release are the same to the byte, archive and package', async () => {
  const made = []
  for (const [name, names, mode] of [
    ['one', ['a', 'b', 'é'], 0o644],
    ['other', ['é', 'b', 'a'], 0o600],
  ] as const) {
    const release = await layOut(name, names, mode)
    const packing = { release, target: join(folder, name), version: '1.2.3', sourceDate }
    made.push([await sha256(packTar(packing)), await sha256(packDebian(packing, parts))])
  }
  expect(made[0]).toEqual(made[1])
})

test('dpkg reads the package: what it needs, its scripts, and that all in it is root’s', async () => {
  const release = await layOut('read', ['a'], 0o600)
  const file = packDebian({ release, target: join(folder, 'read'), version: '1.2.3', sourceDate }, parts)
  const about = (await run('dpkg-deb', ['--info', file])).stdout
  expect(about).toMatch(/^ Version: 1\.2\.3$/m)
  expect(about).toMatch(/^ Depends: bubblewrap, chromium$/m)
  expect(about).toMatch(/^ Maintainer: Ada Byron <ada@evidence\.example>$/m)
  for (const script of ['postinst', 'prerm', 'postrm']) {
    expect(about).toContain(script)
    await run('sh', ['-n', join(root, 'tools/release/debian', script)])
  }
  const listed = (await run('dpkg-deb', ['--contents', file])).stdout.trim().split('\n')
  expect(listed.filter((line) => !/^(?:d?[-rwx]{9,10}|l\S+) root\/root .* 2026-11-01 00:00 /.test(line))).toEqual([])
  const paths = listed.map((line) => / (\.\/\S*)/.exec(line)?.[1])
  for (const path of [
    'usr/lib/probant/a',
    'usr/bin/probant',
    'usr/lib/systemd/system/probant-web.service',
    'usr/share/doc/probant/operating/install.md',
    'usr/share/probant/alerts.yaml',
  ])
    expect(paths).toContain(`./${path}`)
  // Made at the installation, as the operator's own: nothing of the package replaces it.
  expect(paths.filter((path) => path?.startsWith('./etc') || path?.startsWith('./var'))).toEqual([])
})

test('beside the program lie whose what is, from what it was made, and what each file was', async () => {
  const release = await layOut('papers', ['a'], 0o644)
  for (const folder of ['one', 'one/node_modules/@scope/two', 'one/lib']) {
    await mkdir(join(release, 'node_modules', folder), { recursive: true })
    const name = folder.endsWith('lib') ? { type: 'module' } : { name: basename(folder), version: '1.0.0', license: 'MIT' }
    await writeFile(join(release, 'node_modules', folder, 'package.json'), JSON.stringify(name))
  }
  await writeFile(join(release, 'node_modules/one/LICENSE.md'), 'Do as you like.')
  const tree = join(folder, 'papers', 'tree')
  await run('dpkg-deb', [
    '--raw-extract',
    packDebian({ release, target: join(folder, 'papers'), version: '1.2.3', sourceDate }, parts),
    tree,
  ])
  const papers = join(tree, 'usr/share/doc/probant')
  expect(gunzipSync(await readFile(join(papers, 'changelog.gz'))).toString()).toBe(
    `probant (1.2.3) stable; urgency=medium\n\n  * Made from commit ${parts.commit}.\n\n -- ${parts.maintainer}  Sun, 01 Nov 2026 00:00:00 +0000\n`,
  )
  const copyright = await readFile(join(papers, 'copyright'), 'utf8')
  expect(copyright).toContain('\none 1.0.0: MIT\n  /usr/lib/probant/node_modules/one/LICENSE.md\ntwo 1.0.0: MIT\n\n')
  await run('md5sum', ['--check', '--strict', '--quiet', 'DEBIAN/md5sums'], { cwd: tree })
  expect(await readFile(join(tree, 'DEBIAN/md5sums'), 'utf8')).toContain('  usr/share/man/man1/probant.1.gz\n')
})

test('who answers for the package has a name and an address, given or of the commit', () => {
  expect(readMaintainer(undefined, 'Bob <bob@example.org>')).toBe('Bob <bob@example.org>')
  expect(readMaintainer(parts.maintainer, 'Bob <bob@example.org>')).toBe(parts.maintainer)
  for (const wrong of ['root', 'bob@example.org', 'Bob <bob>', 'Bob <b@c>\nDepends: x <a@b>'])
    expect(() => readMaintainer(wrong, parts.maintainer)).toThrow('PROBANT_RELEASE_MAINTAINER')
})

test('the list of contents names every package that is not for development alone, and is the same each time', async () => {
  const first = describeContents(root, sourceDate)
  expect(describeContents(root, sourceDate)).toBe(first)
  const { bomFormat, components } = JSON.parse(first) as { bomFormat: string; components: { 'bom-ref': string }[] }
  expect(bomFormat).toBe('CycloneDX')
  const shipped = shippedPackages(join(root, 'package-lock.json'))
  expect(components.map((each) => each['bom-ref']).toSorted()).toEqual([...shipped].toSorted())
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  for (const [name, version] of Object.entries(dependencies)) expect(shipped).toContain(`${name}@${version}`)
  expect(shipped).not.toContain(`vitest@${devDependencies['vitest']}`)
})

test('who made what from what is verified with common tools, by the commands of the page; an altered file is not', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const place = join(folder, 'signed')
  await mkdir(place)
  const file = join(place, 'probant_0.1.0_amd64.deb')
  await writeFile(file, 'a package')
  const envelope = signProvenance({
    subjects: [subjectOf(file)],
    script: 'build:release',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    builder: 'https://evidence.example/builder',
    commit: 'a'.repeat(40),
    lockFile: join(root, 'package-lock.json'),
    sourceDate,
  })
  await writeFile(join(place, 'probant-0.1.0.intoto.json'), envelope)
  await writeFile(join(place, 'release-key.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  const [commands = ''] = commandsOf(join(root, 'docs/operating/secure.md'))
  const verify = async () => await run('sh', ['-euc', commands], { cwd: place })
  const { stdout } = await verify()
  expect(stdout.trim().split('\n')).toEqual(['Signature Verified Successfully', await sha256(file)])
  const statement = JSON.parse(await readFile(join(place, 'statement.json'), 'utf8')) as {
    subject: object
    predicateType: string
  }
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: basename(file), digest: { sha256: await sha256(file) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
  })
  await writeFile(file, 'another package')
  await expect(verify()).rejects.toMatchObject({ code: 1 })
  await writeFile(
    join(place, 'probant-0.1.0.intoto.json'),
    envelope.replace(/"sig":"./, (whole) => whole.slice(0, -1) + (whole.endsWith('A') ? 'B' : 'A')),
  )
  await expect(verify()).rejects.toMatchObject({ code: 1 })
  const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = other.export({ type: 'pkcs8', format: 'pem' })
  const elsewhere = {
    subjects: [],
    script: 'build:release' as const,
    builder: 'https://evidence.example/',
    commit: '',
    lockFile: '',
    sourceDate,
  }
  expect(() => signProvenance({ ...elsewhere, key: pem })).toThrow('Ed25519')
})
