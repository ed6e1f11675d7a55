// `npm run drill:restore`: builds what is missing, then destroys an installation and brings it back. Megabytes of blobs: `-- 1024`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { pinnedNode, root } from './set-up.mjs'

build()
const done = spawnSync(pinnedNode, [join(root, 'tools/drill-restore.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = done.status ?? 1
