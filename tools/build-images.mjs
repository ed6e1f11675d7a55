// `npm run build:images`: lays the release out, then makes an image for each role. As root, where mmdebstrap is installed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { installSystemPackages, pinnedNode, root, setUp } from './set-up.mjs'

setUp({ tests: false })
installSystemPackages([['/usr/bin/mmdebstrap', 'mmdebstrap']])
build()
for (const program of ['tools/build-release.ts', 'tools/build-images.ts']) {
  const done = spawnSync(pinnedNode, [join(root, program)], { cwd: root, stdio: 'inherit' })
  if (done.status !== 0) process.exit(done.status ?? 1)
}
