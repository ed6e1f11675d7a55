// `npm run build:release`: builds what browsers load, then the release as a folder.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { pinnedNode, root, setUp } from './set-up.mjs'

setUp({ tests: false })
build()
const done = spawnSync(pinnedNode, [join(root, 'tools/build-release.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'production' },
})
process.exitCode = done.status ?? 1
