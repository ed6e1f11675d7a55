/** `npm run build:images`: an image for each role, from a release, as an OCI layout below dist/images. Root only. */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildImages } from './images/build-images.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = resolve(process.argv[2] ?? join(root, 'dist/release/probant'))
const target = join(root, 'dist/images')
const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? Math.floor(Date.now() / 1000))
for (const { role, digest, listSha256 } of await buildImages({ root, target, release, epoch }))
  process.stdout.write(`${role} ${digest} files ${listSha256}\n`)
process.stdout.write(`oci:${join(target, 'layout')}\n`)
