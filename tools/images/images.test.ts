import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { checkSchema } from '../../testing/schemas/check-schema.ts'
import { commandsOf } from '../release/document-commands.ts'
import { roots } from './image-packages.ts'
import { signImages } from './sign-images.ts'
import { writeImage, writeLayer } from './write-image.ts'
import { describeComponents } from './write-sbom.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-oci-'))
afterAll(() => rmSync(folder, { recursive: true }))
const epoch = 1_760_000_000

async function build(name: string, dated: number): Promise<string> {
  const [root, layout] = [join(folder, `${name}-root`), join(folder, name)]
  for (const each of name === 'one' ? ['b', 'a'] : ['a', 'b']) {
    mkdirSync(join(root, each), { recursive: true })
    writeFileSync(join(root, each, 'file'), each)
    utimesSync(join(root, each, 'file'), dated, dated)
  }
  const system = await writeLayer(layout, root, { paths: [''], without: ['b'], epoch, what: 'system' })
  const program = await writeLayer(layout, root, { paths: ['b'], epoch, what: 'program' })
  return writeImage(layout, {
    role: 'capture',
    version: '1.2.3',
    revision: null,
    architecture: 'amd64',
    epoch,
    listSha256: 'c'.repeat(64),
    layers: [system, program],
  })
}

test('an image made twice, at other times and in another order, has one digest; its layers hold what was meant for them', async () => {
  const digest = await build('one', 1_000)
  expect(await build('two', 2_000_000)).toBe(digest)
  const blob = (of: string) => join(folder, 'one/blobs/sha256', of.slice('sha256:'.length))
  const manifest = JSON.parse(readFileSync(blob(digest), 'utf8')) as { config: { digest: string }; layers: { digest: string }[] }
  // Every blob is what its name says, by a tool of others.
  const sums = spawnSync('sh', ['-c', 'for f in *; do echo "$f  $f"; done | sha256sum --check --quiet'], {
    cwd: join(folder, 'one/blobs/sha256'),
    encoding: 'utf8',
  })
  expect(sums).toMatchObject({ status: 0, stdout: '', stderr: '' })
  const [system, program] = manifest.layers.map((layer) =>
    spawnSync('tar', ['--list', '--gzip', '--file', blob(layer.digest)], { encoding: 'utf8' }).stdout.split('\n'),
  )
  expect(system).toEqual(['./', './a/', './a/file', ''])
  expect(program).toEqual(['./b/', './b/file', ''])
  const config: unknown = JSON.parse(readFileSync(blob(manifest.config.digest), 'utf8'))
  expect(config).toMatchObject({
    created: '2025-10-09T08:53:20Z',
    config: { User: '59871:59871', Cmd: ['--role', 'capture'], Labels: { 'probant.files.sha256': 'c'.repeat(64) } },
  })
})

test('the list of components is CycloneDX, of Debian and of npm, and the schema sees what is not', () => {
  const text = describeComponents({
    installed: 'libstdc++6\t12.2.0-14\tamd64\tgcc-12\nchromium\t1:156.0~deb12u1\tamd64\tchromium\n',
    lock: JSON.stringify({
      name: 'probant',
      version: '1.2.3',
      packages: {
        '': {},
        'node_modules/@scope/one': { version: '1.0.0', integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}` },
        'node_modules/absent': { version: '1.0.0' },
      },
    }),
    isThere: (path) => path.endsWith('one'),
    epoch,
  })
  const bom = JSON.parse(text) as { components: { purl: string }[] }
  expect(checkSchema('bom-1.5.schema.json', bom)).toEqual([])
  expect(bom.components.map(({ purl }) => purl)).toEqual([
    'pkg:deb/debian/chromium@1:156.0~deb12u1?arch=amd64&distro=bookworm',
    'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14?arch=amd64&distro=bookworm',
    'pkg:npm/%40scope/one@1.0.0',
  ])
  expect(checkSchema('bom-1.5.schema.json', { ...bom, components: [{ type: 'library' }] })).not.toEqual([])
})

test('the image of captures holds what the set-up installs for them', () => {
  const setUp = readFileSync(new URL('../set-up.mjs', import.meta.url), 'utf8')
  const runtime = /const runtime = \[(.*?)\n\]/s.exec(setUp)?.[1] ?? ''
  const wanted = [...runtime.matchAll(/, '([a-z0-9-]+)'\],/g)].map(([, name = '']) => name)
  expect(wanted.length).toBeGreaterThan(12)
  expect(wanted.filter((name) => !roots.capture.some((each) => each === name))).toEqual([])
})

test('who made the images is verified by the commands of secure.md; nobody signs what was not committed', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const target = join(folder, 'signed')
  mkdirSync(target)
  for (const name of Object.keys(roots)) writeFileSync(join(target, `sbom-${name}.cdx.json`), '{}')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const built = (['web', 'worker', 'capture'] as const).map((role, i) => ({
    role,
    digest: `sha256:${String(i).repeat(64)}`,
    listSha256: 'c'.repeat(64),
  }))
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const by = { root, target, version: '0.1.0', epoch, key, builder: 'https://evidence.example/builder' }
  expect(() => signImages(built, { ...by, commit: null })).toThrow('what was committed')
  expect(signImages(built, { ...by, commit: 'a'.repeat(40) })).toBe(join(target, 'probant-images-0.1.0.intoto.json'))
  writeFileSync(join(target, 'release-key.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  const [ofRelease = ''] = commandsOf(join(root, 'docs/operating/secure.md'))
  const commands = ofRelease.replaceAll('probant-0.1.0.intoto', 'probant-images-0.1.0.intoto').replace(/^grep .*$/m, '')
  expect(execFileSync('sh', ['-euc', commands], { cwd: target, encoding: 'utf8' }).trim()).toBe('Signature Verified Successfully')
  const { subject } = JSON.parse(readFileSync(join(target, 'statement.json'), 'utf8')) as {
    subject: { name: string; digest: object }[]
  }
  expect(subject.slice(0, 3)).toEqual(
    built.map(({ role, digest }) => ({ name: `probant-${role}`, digest: { sha256: digest.slice(7) } })),
  )
  expect(subject.slice(3).map(({ name }) => name)).toEqual(Object.keys(roots).map((name) => `sbom-${name}.cdx.json`))
})
