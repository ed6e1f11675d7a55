// `npm run drill:failures`: builds what is missing, then kills and cuts off each part of an installation under load. Root.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { installSystemPackages, pinnedNode, root } from './set-up.mjs'

installSystemPackages([['/usr/bin/arping', 'iputils-arping']])
build()
const done = spawnSync(pinnedNode, [join(root, 'tools/drill-failures.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = done.status ?? 1
