import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { relayPort } from './browser-flags.ts'
import { jailUid } from './session-folder.ts'

const run = promisify(execFile)

/** Home of the browser in the jail: an empty file system in memory that ends with it. */
export const jailHome = '/home/witness'
/** The session's folder, the only place of the machine that the jail can write to. */
export const jailSession = '/session'
/** Bound of everything the browser writes outside the session's folder. */
const homeBytes = 1024 * 1024 * 1024

/** Writes down what the profile holds before anything else starts. */
export const profileScript = `find ${jailHome} -mindepth 1 -printf '%y %s %P\\n' | LC_ALL=C sort > ${jailSession}/profile-before.txt`

/** Starts the relay to the tunnel, if there is one, and waits until it listens (0A is LISTEN in proc(5)'s net/tcp). */
export const relayScript = `if [ -S ${jailSession}/egress.sock ]; then
  socat -b 131072 TCP-LISTEN:${relayPort},bind=127.0.0.1,fork,reuseaddr,backlog=512 UNIX-CONNECT:${jailSession}/egress.sock &
  i=0
  until grep -q ':0*${relayPort.toString(16).toUpperCase()} 00000000:0000 0A ' /proc/net/tcp; do
    i=$((i + 1))
    [ $i -lt 2000 ] || exit 97
  done
fi`

/** First process inside; becomes the browser. */
export const jailScript = `set -eu
${profileScript}
${relayScript}
exec "$@"
`

/** Starts a command as the browser's user. Root only. `--clear-groups` and no capability: nothing of root's is left. */
export function asJailUser(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command
  return [
    'setpriv',
    `--reuid=${jailUid}`,
    `--regid=${jailUid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--no-new-privs',
    '--',
    ...command,
  ]
}

export type JailOptions = {
  readonly sessionFolder: string
  readonly timeZone: string
  readonly language: string
  /** Absolute; runs `start.sh`. `/bin/sh` unless told. */
  readonly shell?: string
  /** Folders of the machine that the jail reads and cannot write to: from where, to where. */
  readonly readOnly?: readonly (readonly [string, string])[]
  readonly environment?: Readonly<Record<string, string>>
}

/** Where the jail sees the folder of a browser that is not under /usr: there, whatever its name on the machine. */
const jailBrowser = '/chromium'

/** A program of the machine as the jail sees it: its path there, and the folder that must be shown for it. */
export function programInJail(program: string): {
  readonly path: string
  readonly readOnly: NonNullable<JailOptions['readOnly']>
} {
  if (program.startsWith('/usr/')) return { path: program, readOnly: [] }
  return { path: `${jailBrowser}/${basename(program)}`, readOnly: [[dirname(program), jailBrowser]] }
}

/** bubblewrap with everything unshared; network namespace with nothing but its own loopback. */
export function jailCommand(options: JailOptions, command: readonly string[]): readonly string[] {
  const file = (name: string, target: string) => ['--ro-bind', `${options.sessionFolder}/${name}`, target]
  return asJailUser(
    [
      ['bwrap', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
      [
        '--die-with-parent',
        '--new-session',
        '--cap-drop',
        'ALL',
        '--clearenv',
        '--hostname',
        'witness',
        '--uid',
        '1000',
        '--gid',
        '1000',
      ],
      ['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/sbin', '/sbin'],
      ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
      [
        '--ro-bind',
        '/etc/fonts',
        '/etc/fonts',
        '--ro-bind-try',
        '/etc/ssl',
        '/etc/ssl',
        '--ro-bind-try',
        '/etc/ld.so.cache',
        '/etc/ld.so.cache',
      ],
      ['--ro-bind-try', '/var/cache/fontconfig', '/var/cache/fontconfig'],
      ...(options.readOnly ?? []).map(([from, to]) => ['--ro-bind', from, to]),
      [
        ...file('passwd', '/etc/passwd'),
        ...file('group', '/etc/group'),
        ...file('hosts', '/etc/hosts'),
        ...file('nsswitch.conf', '/etc/nsswitch.conf'),
      ],
      file('policies.json', '/etc/chromium/policies/managed/probant.json'),
      [
        '--proc',
        '/proc',
        '--dev',
        '/dev',
        '--size',
        String(homeBytes),
        '--tmpfs',
        '/tmp',
        '--size',
        String(homeBytes),
        '--tmpfs',
        jailHome,
      ],
      ['--bind', options.sessionFolder, jailSession],
      ['--setenv', 'HOME', jailHome, '--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'TZ', options.timeZone],
      ['--setenv', 'LANG', 'C.UTF-8', '--setenv', 'LANGUAGE', options.language, '--chdir', jailHome],
      ...Object.entries(options.environment ?? {}).map(([name, value]) => ['--setenv', name, value]),
      ['--', options.shell ?? '/bin/sh', `${jailSession}/start.sh`, ...command],
    ].flat(),
  )
}

/** Files that the jail shows under /etc. */
export const jailFiles: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0::/:/usr/sbin/nologin\nwitness:x:1000:1000::${jailHome}:/usr/sbin/nologin\nnobody:x:65534:65534::/:/usr/sbin/nologin\n`,
  group: 'root:x:0:\nwitness:x:1000:\nnogroup:x:65534:\n',
  hosts: '127.0.0.1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'start.sh': jailScript,
}

export type IsolationCheck = { readonly available: boolean; readonly tool: string | null; readonly reason: string | null }

/** Whether this machine gives a jail to this user: tried, not guessed. */
export async function checkIsolation(): Promise<IsolationCheck> {
  const tool = await run('bwrap', ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  if (tool === null) return { available: false, tool, reason: 'bubblewrap is not installed' }
  if (
    await access('/usr/bin/socat', constants.X_OK).then(
      () => false,
      () => true,
    )
  )
    return { available: false, tool, reason: 'socat is not installed' }
  const [program, ...rest] = asJailUser([
    'bwrap',
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-net',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/usr',
    '/usr',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--',
    '/usr/bin/true',
  ])
  return run(program as string, rest, { timeout: 10_000 }).then(
    () => ({ available: true, tool, reason: null }),
    (error: Error & { stderr?: string }) => ({
      available: false,
      tool,
      reason: (error.stderr ?? error.message).trim().slice(0, 300),
    }),
  )
}
