// `npm start`: sets up what is missing, builds what changed, then runs everything until Ctrl-C.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { describeBrowserAge } from './offered-browser.mjs'
import { keepCompiled, pinnedNode, root, say, setUp } from './set-up.mjs'

setUp({ tests: false })
build()

const server = spawn(pinnedNode, [join(root, 'apps/server/supervise.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...keepCompiled, ...process.env },
})
// The terminal sends Ctrl-C to the whole group; a process manager sends its signal to this process alone. Both must arrive once.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => server.kill('SIGTERM'))
process.on('SIGHUP', () => server.kill('SIGTERM'))
server.on('error', (error) => {
  process.stderr.write(`The server could not be started: ${error.message}\n`)
  process.exit(1)
})
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
// Beside the start, which does not wait for it.
for (const line of await describeBrowserAge({ browser: process.env.PROBANT_CHROMIUM || '/usr/lib/chromium/chromium' })) say(line)
