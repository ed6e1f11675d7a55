// `npm run drill:images`: makes the images twice, compares, and has tools of others look at them. As root; megabytes by the gigabyte.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { installSystemPackages, pinnedNode, root } from './set-up.mjs'

installSystemPackages([
  ['/usr/bin/mmdebstrap', 'mmdebstrap'],
  ['/usr/bin/skopeo', 'skopeo'],
  ['/usr/bin/umoci', 'umoci'],
])
build()
const done = spawnSync(pinnedNode, [join(root, 'tools/drill-images.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = done.status ?? 1
