#!/usr/bin/env node
// `npx probant …`: plain JavaScript, so that any Node can start it; hands over to the pinned one.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { keepCompiled, output, pinnedNode, root, setUp } from '../../tools/set-up.mjs'
import { build } from '../../tools/build.mjs'

// What set-up and build say goes to stderr: stdout holds results only.
output.fd = 2
setUp({ tests: false })
build()

const program = spawn(
  pinnedNode,
  ['--disable-warning=ExperimentalWarning', join(root, 'apps/cli/probant.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...keepCompiled, ...process.env } },
)
// Ctrl-C reaches the whole group; the program decides how it ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => program.kill('SIGTERM'))
program.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
