/**
 * `npm run build:images`: an image for each role, from a release, as an OCI layout below dist/images. Root only. Signed with the key of a release
 * (PROBANT_RELEASE_KEY, PROBANT_RELEASE_BUILDER).
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildImages, revisionOf } from './images/build-images.ts'
import { signImages } from './images/sign-images.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = resolve(process.argv[2] ?? join(root, 'dist/release/probant'))
const target = join(root, 'dist/images')
const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000))
const built = await buildImages({ root, target, release, epoch })
for (const { role, digest, listSha256 } of built) process.stdout.write(`${role} ${digest} files ${listSha256}\n`)
process.stdout.write(`oci:${join(target, 'layout')}\n`)
const { PROBANT_RELEASE_KEY: keyFile, PROBANT_RELEASE_BUILDER: builder } = process.env
if (keyFile !== undefined && builder !== undefined) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const key = readFileSync(keyFile, 'utf8')
  process.stdout.write(`${signImages(built, { root, target, version, epoch, commit: revisionOf(root), key, builder })}\n`)
} else process.stdout.write('not signed: PROBANT_RELEASE_KEY and PROBANT_RELEASE_BUILDER say with which key, and who builds\n')
