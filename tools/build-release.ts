/** `npm run build:release`: what is installed elsewhere, below dist/release unless a folder is named. */
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layOutRelease } from './release/lay-out.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(process.argv[2] ?? join(root, 'dist/release/probant'))
const { version, packages } = await layOutRelease(root, target)
process.stdout.write(`${target}: version ${version}, ${packages.length} packages\n`)
