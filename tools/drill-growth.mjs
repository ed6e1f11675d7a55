// `npm run drill:growth`: builds what is missing, then captures with one, two and four capture machines. Root.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { installSystemPackages, pinnedNode, root } from './set-up.mjs'

installSystemPackages([['/usr/bin/arping', 'iputils-arping']])
build()
const done = spawnSync(pinnedNode, [join(root, 'tools/drill-growth.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = done.status ?? 1
