/**
 * Makes the images twice from one release and compares their digests; skopeo reads them, umoci unpacks them, sha256sum compares each file
 * with the list; the program of each is started where it was unpacked. `-- web worker`: of these roles alone.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { imageListPath } from '../modules/capture/domain/servers/image-files.ts'
import { checkSchema } from '../testing/schemas/check-schema.ts'
import { buildImages } from './images/build-images.ts'
import { commandsOf } from './release/document-commands.ts'
import { imageUser, programFolder } from './images/describe-image.ts'
import { images, type ImageRole } from './images/image-packages.ts'
import { layOutRelease } from './release/lay-out.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const roles = (Object.keys(images) as ImageRole[]).filter((role) => process.argv.length === 2 || process.argv.includes(role))
const work = mkdtempSync('/var/tmp/probant-images-')
const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000))
const say = (text: string) => void process.stdout.write(`${text}\n`)

function run(command: string, ...args: string[]): string {
  const done = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (done.error) throw done.error
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${String(done.status)}:\n${done.stdout}${done.stderr}`)
  return done.stdout
}

try {
  const release = join(work, 'release')
  await layOutRelease(root, release)
  const first = await buildImages({ root, target: join(work, 'first'), release, epoch, roles })
  const second = await buildImages({ root, target: join(work, 'second'), release, epoch, roles })
  for (const [i, { role, digest, listSha256 }] of first.entries()) {
    if (second[i]?.digest !== digest) throw new Error(`${role}: ${digest}, and the second time ${String(second[i]?.digest)}`)
    say(`${role}: twice ${digest}`)
    const layout = join(work, 'first/layout')
    const seen = JSON.parse(run('skopeo', 'inspect', `oci:${layout}:${role}`)) as {
      Digest: string
      Labels: Record<string, string>
    }
    if (seen.Digest !== digest) throw new Error(`skopeo reads ${seen.Digest}`)
    if (seen.Labels['probant.files.sha256'] !== listSha256) throw new Error('the label is not of the list')
    const unpacked = join(work, `unpacked-${role}`)
    run('umoci', 'unpack', '--image', `${layout}:${role}`, unpacked)
    const rootfs = join(unpacked, 'rootfs')
    const sum = run('sha256sum', join(rootfs, imageListPath)).slice(0, 64)
    if (sum !== listSha256) throw new Error(`the list that umoci unpacked is ${sum}`)
    run('sh', '-c', `cd ${rootfs} && sha256sum --check --quiet .${imageListPath}`)
    say(
      `${role}: skopeo and umoci read it, each of ${readFileSync(join(rootfs, imageListPath), 'utf8').split('\n').length - 1} files is as listed`,
    )
    const account = `--userspec=${imageUser}:${imageUser}`
    const told = run('chroot', account, rootfs, `${programFolder}/bin/node`, '-p', 'process.version').trim()
    say(`${role}: Node ${told} runs in it`)
    rmSync(unpacked, { recursive: true, force: true })
  }
  // What the page on containers has its reader type once they are made: into a registry (here a folder), and what a report is compared with.
  const [making = '', copying = '', comparing = ''] = commandsOf(join(root, 'docs/operating/containers.md'))
  if (!making.includes('npm run build:images')) throw new Error('containers.md makes images in another way')
  cpSync(join(work, 'first'), join(work, 'dist/images'), { recursive: true })
  const toFolder = copying
    .replaceAll('docker://registry.example/', `dir:${work}/registry-`)
    .replace('web worker capture', roles.join(' '))
  for (const block of [toFolder, ...(roles.includes('capture') ? [comparing] : [])]) {
    const done = spawnSync('sh', ['-euc', block], { cwd: work, encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`containers.md: ${block}${done.stdout}${done.stderr}`)
    say(`containers.md: ${block.trim().split('\n').at(-1) ?? ''} ends with 0`)
  }
  for (const name of new Set(roles.map((role) => images[role]))) {
    const bom = JSON.parse(readFileSync(join(work, `first/sbom-${name}.cdx.json`), 'utf8')) as { components: { purl: string }[] }
    const faults = checkSchema('bom-1.5.schema.json', bom)
    if (faults.length > 0) throw new Error(`SBOM: ${faults.join('\n')}`)
    const of = (kind: string) => bom.components.filter(({ purl }) => purl.startsWith(`pkg:${kind}/`)).length
    say(`${name}: SBOM of ${of('deb')} Debian packages and ${of('npm')} npm packages is CycloneDX 1.5`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
