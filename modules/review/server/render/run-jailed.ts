/**
 * One program of the system over a stranger's file: in namespaces of its own, as the jail's user, without network, folder or home, with bounds on memory
 * and time. It gets the file on its standard input and gives what it makes on its standard output: nothing else connects it to us.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { asJailUser } from '../../../../platform/browser/jail.ts'
import { killStrays } from '../../../../platform/browser/process-tree.ts'

/** Address space of one program; a picture of the most pixels takes a third of it. */
const memoryBytes = 1_500_000_000
const usualCpuSeconds = 20
/** However busy the machine is, no program of ours needs as long. */
const longestMs = 60_000

/** What one program may take, where it is less than usual. */
export type Bounds = { readonly cpuSeconds?: number }

/** @param name by which its bubblewrap is found, should that be orphaned */
const jail = (name: string, cpuSeconds: number): readonly string[] =>
  [
    `bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --setenv RUN ${name} --setenv LC_ALL C.UTF-8`,
    '--ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --proc /proc --size 67108864 --tmpfs /tmp',
    '--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --ro-bind-try /etc/alternatives /etc/alternatives',
    '--ro-bind-try /etc/fonts /etc/fonts --ro-bind-try /var/cache/fontconfig /var/cache/fontconfig',
    `-- /usr/bin/nice -n 5 /usr/bin/prlimit --as=${memoryBytes} --cpu=${cpuSeconds} --core=0 --nproc=64`,
  ]
    .join(' ')
    .split(' ')

/** The jail itself could not be made: says nothing of the file. */
export class JailFailed extends Error {
  override readonly name = 'JailFailed'
}

export type Jailed = {
  readonly stdin: Writable
  readonly stdout: Readable
  kill(): void
  /** Settles when it is gone and its output was read: whether it was content, and the beginning of what it said. @throws JailFailed */
  readonly ended: Promise<{ readonly ok: boolean; readonly said: string }>
}

/** @param command absolute path and arguments */
export function runJailed(command: readonly string[], { cpuSeconds = usualCpuSeconds }: Bounds = {}): Jailed {
  const name = randomUUID()
  const [program = '', ...rest] = asJailUser([...jail(name, cpuSeconds), ...command])
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  let killed = false
  const kill = (): void => {
    killed = true
    child.kill('SIGKILL')
    child.stdin.destroy()
    child.stdout.destroy()
  }
  const late = setTimeout(kill, longestMs)
  child.stderr.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString()}`.slice(0, 2000)))
  // Pipes of a program that has ended; `ended` says why.
  child.stdin.on('error', () => undefined)
  child.stdout.on('error', () => undefined)
  const ended = new Promise<{ ok: boolean; said: string }>((resolve, reject) => {
    child.on('error', (error) => {
      clearTimeout(late)
      reject(new JailFailed(error.message, { cause: error }))
    })
    child.on('close', (code) => {
      clearTimeout(late)
      // Killed before it had asked to die with its parent, the inner bubblewrap would wait for ever.
      if (killed) void killStrays(name).catch(() => undefined)
      // What makes the jail speaks first, before the program in it can.
      if (code !== 0 && /^(?:\/usr\/bin\/)?(?:bwrap|setpriv|prlimit|nice): /.test(said)) reject(new JailFailed(said.trim()))
      else resolve({ ok: code === 0 && !killed, said })
    })
  })
  ended.catch(() => undefined)
  return { stdin: child.stdin, stdout: child.stdout, kill, ended }
}
