// `npm run drill:upgrade`: two versions at once under load, forward and back. Commit of the version before: `-- COMMIT`; seconds of each stage: `-- COMMIT 20`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { pinnedNode, root } from './set-up.mjs'

build()
const done = spawnSync(pinnedNode, [join(root, 'tools/drill-upgrade.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = done.status ?? 1
