import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installedChromium, relayPort } from '../platform/browser/browser-flags.ts'

/**
 * Debian's browser, started by a program that first asks for a host of its own through the session's only way out: a browser that
 * talks, whatever its version. The caller removes it.
 * @param host `name:port`, asked for by CONNECT at each start.
 */
export async function makeTalkingBrowser(host: string): Promise<{ readonly program: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'probant-talking-'))
  const program = join(folder, 'chromium')
  // Waits for the tunnel's answer, so that what was asked is on record before the browser comes up. Holds none of its pipes.
  const script = `#!/bin/bash
ask() {
  exec 8<>/dev/tcp/127.0.0.1/${String(relayPort)} || return
  printf 'CONNECT ${host} HTTP/1.1\\r\\nHost: ${host}\\r\\n\\r\\n' >&8
  head -n 1 <&8 >/dev/null
}
[[ " $* " == *" --version "* ]] || ( exec 3>&- 4>&-; ask ) 2>/dev/null
exec ${installedChromium} "$@"
`
  await writeFile(program, script)
  await chmod(program, 0o755)
  await chmod(folder, 0o755)
  return { program, remove: async () => await rm(folder, { recursive: true, force: true }) }
}
