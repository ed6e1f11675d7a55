// `npm run drill:install`: a bare Debian by mmdebstrap, and docs/operating/install.md typed into it, to the first verified package. As root.
// With a package that is there already: `-- FILE.deb`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { installSystemPackages, pinnedNode, root } from './set-up.mjs'

installSystemPackages([
  ['/usr/bin/mmdebstrap', 'mmdebstrap'],
  ['/usr/bin/slirp4netns', 'slirp4netns'],
  ['/usr/bin/lintian', 'lintian'],
])
if (process.argv.length === 2) build()
const done = spawnSync(pinnedNode, [join(root, 'tools/drill-install.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = done.status ?? 1
