import { PassThrough } from 'node:stream'
import { runAdminCommand } from './admin.ts'

/** What `probant admin` ends with and writes, run in this process without a terminal. */
export async function runAdmin(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly out: string; readonly said: string }> {
  let [out, said] = ['', '']
  const code = await runAdminCommand(argv, {
    stdout: { write: (text: string) => void (out += text) },
    stderr: { write: (text: string) => void (said += text) },
    env,
    keyboard: Object.assign(new PassThrough(), { isTTY: false, setRawMode: () => undefined }),
  })
  return { code, out, said }
}
