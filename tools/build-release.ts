/**
 * `npm run build:release`: what is installed elsewhere, as a folder below dist/release, and with `--pack` as the files that are handed over.
 * Another folder is named as a word. With `PROBANT_RELEASE_KEY` (a file: Ed25519, PEM) and `PROBANT_RELEASE_BUILDER` (an address that
 * names who builds), who made what from what is signed. `PROBANT_RELEASE_MAINTAINER` (`Name <address>`) answers for the Debian package; without
 * it, whoever made the commit.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { layOutRelease } from './release/lay-out.ts'
import { readMaintainer } from './release/debian-papers.ts'
import { describeContents, packDebian, packTar, signProvenance, subjectOf } from './release/pack.ts'
import { systemPackages } from './set-up.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({ allowPositionals: true, options: { pack: { type: 'boolean', default: false } } })
const release = resolve(positionals[0] ?? join(root, 'dist/release/probant'))
const { version, packages } = await layOutRelease(root, release)
process.stdout.write(`${release}: version ${version}, ${packages.length} packages\n`)

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

function pack(): void {
  const target = dirname(release)
  mkdirSync(target, { recursive: true })
  const sourceDate = Number(process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct'))
  const contents = join(target, `probant-${version}.cdx.json`)
  writeFileSync(contents, describeContents(root, sourceDate))
  const packing = { release, target, version, sourceDate }
  const operating = join(root, 'docs/operating')
  const documents = readdirSync(operating).map((name) => [join(operating, name), `operating/${name}`] as const)
  const files = [
    packTar(packing),
    packDebian(packing, {
      // Debian 12's, or a newer one. util-linux is on every machine.
      depends: [
        ...systemPackages.filter((name) => name !== 'util-linux'),
        'ca-certificates',
        'libc6 (>= 2.36)',
        'libstdc++6',
        'passwd',
      ],
      scripts: join(root, 'tools/release/debian'),
      units: join(root, 'deploy/systemd'),
      maintainer: readMaintainer(process.env['PROBANT_RELEASE_MAINTAINER'], git('log', '-1', '--format=%cn <%ce>')),
      commit: git('rev-parse', 'HEAD'),
      watching: [
        [join(root, 'deploy/prometheus/alerts.yaml'), 'alerts.yaml'],
        [join(root, 'deploy/grafana/probant.json'), 'dashboard.json'],
      ],
      documents: [...documents, [join(root, 'docs/CONFIGURATION.md'), 'CONFIGURATION.md'], [contents, 'contents.cdx.json']],
    }),
    contents,
  ]
  const { PROBANT_RELEASE_KEY: keyFile, PROBANT_RELEASE_BUILDER: builder } = process.env
  if (keyFile !== undefined && builder !== undefined) {
    const lockFile = join(root, 'package-lock.json')
    const key = readFileSync(keyFile, 'utf8')
    const signed = signProvenance({
      subjects: files.map(subjectOf),
      script: 'build:release',
      key,
      builder,
      commit: git('rev-parse', 'HEAD'),
      lockFile,
      sourceDate,
    })
    files.push(join(target, `probant-${version}.intoto.json`))
    writeFileSync(files.at(-1) ?? '', signed)
  } else process.stdout.write('not signed: PROBANT_RELEASE_KEY and PROBANT_RELEASE_BUILDER say with which key, and who builds\n')
  for (const file of files) {
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    process.stdout.write(`${sha256}  ${file}\n`)
  }
}

if (values.pack) pack()
