/**
 * A bare Debian that boots: its packages by mmdebstrap from where this machine has its own, systemd as the first process of its own namespaces, and a
 * network of its own that reaches what this machine reaches (slirp4netns: nothing of this machine's network is changed). Root; `close` leaves nothing.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** The program asks `prompt`; what is typed then. */
export type Typing = readonly (readonly [prompt: string, typed: string])[]
export type Ended = { readonly status: number; readonly seconds: number; readonly said: string }

export type BareSystem = {
  /** Of the system, as this machine sees it. */
  readonly folder: string
  /** Has root type it at a terminal of the system, in /root. */
  type(commands: string, typing?: Typing): Promise<Ended>
  /** Runs a program of this machine in the network of the system. @returns what it printed @throws Error when it fails */
  beside(command: string, ...args: string[]): string
  close(): Promise<void>
}

const suite = 'bookworm'

/** Where this machine has Debian from, as lines of a sources.list. @throws Error where it has it from nowhere */
export function debianSources(read = readIndexTargets): string[] {
  const lines = read()
    .split('\n')
    .map((line) => line.split('|'))
    .filter(([origin, , release = '']) => origin === 'Debian' && (release === suite || release.startsWith(`${suite}-`)))
    .map(([, address = '', release = '', component = '']) => `deb ${address} ${release} ${component}`)
  if (lines.length === 0) throw new Error(`apt of this machine knows no ${suite} of Debian`)
  return [...new Set(lines)]
}

function readIndexTargets(): string {
  const format = '$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)'
  return execFileSync('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], { encoding: 'utf8' })
}

/** What the installer of Debian lays down before anything is chosen: packages of priority `important`. */
export function makeBareRoot(folder: string): void {
  const args = ['--quiet', '--variant=important', '--mode=root', '--format=directory', suite, folder, ...debianSources()]
  const done = spawnSync('mmdebstrap', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (done.error) throw done.error
  if (done.status !== 0) throw new Error(`mmdebstrap ended with ${String(done.status)}`)
}

/** Before systemd: the folder becomes the root, whole (a jail of bubblewrap is refused in a mere chroot), with kernel file systems of its own. */
const enter = `
cd "$1"
mount --make-rprivate /
mount --bind . .
cd "$1"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for node in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "dev/\${node%:*}" c 1 "\${node#*:}"; done
mknod -m 666 dev/tty c 5 0
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
hostname bare
pivot_root . mnt
cd /
umount -l mnt
exec /usr/bin/env -i container=drill PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=journal
`

const unified = () => (existsSync('/sys/fs/cgroup/cgroup.procs') ? '/sys/fs/cgroup' : '/sys/fs/cgroup/unified')

function removeGroup(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) removeGroup(join(folder, entry.name))
  rmdirSync(folder)
}

/** @param folder a root by `makeBareRoot`, which the system writes to */
export async function bootBareSystem(folder: string): Promise<BareSystem> {
  const group = mkdtempSync(join(unified(), 'probant-drill-'))
  writeFileSync(join(folder, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n')
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost bare\n')
  mkdirSync(join(folder, 'mnt'), { recursive: true })
  const spaces = ['--fork', '--kill-child', '--pid', '--mount', '--uts', '--ipc', '--cgroup', '--net']
  const into = `echo $$ > ${group}/cgroup.procs && exec unshare ${spaces.join(' ')} sh -euc '${enter}' enter "$1"`
  const holder = spawn('sh', ['-euc', into, 'boot', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  holder.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const over = once(holder, 'exit')
  const firstProcess = () =>
    readFileSync(`/proc/${String(holder.pid)}/task/${String(holder.pid)}/children`, 'utf8')
      .trim()
      .split(' ')[0] ?? ''
  const told = async (isSo: () => boolean, what: string) => {
    for (let looks = 0; !isSo(); looks += 1) {
      if (looks > 1200 || holder.exitCode !== null) throw new Error(`the bare system does not come to: ${what}\n${complaint}`)
      await wait(100)
    }
  }
  const named = (pid: string) => (pid === '' ? '' : readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
  await told(() => named(firstProcess()) === 'systemd', 'systemd')
  const pid = firstProcess()
  const network = spawn('slirp4netns', ['--configure', '--mtu=65520', '--disable-host-loopback', pid, 'tap0'], {
    stdio: 'ignore',
  })
  const inside = ['--target', pid, '--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--']
  const environment = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'USER=root', 'LANG=C.UTF-8', 'TERM=xterm']
  const said = (...argv: string[]) =>
    spawnSync('nsenter', [...inside, ...environment, ...argv], { encoding: 'utf8' }).stdout.trim()
  await told(() => ['running', 'degraded'].includes(said('systemctl', 'is-system-running')), 'a booted system')
  await told(() => said('ip', '-brief', 'address', 'show', 'tap0').includes('10.0.2.100'), 'a network')

  return {
    folder,
    async type(commands, typing = []) {
      writeFileSync(join(folder, 'root/typed'), commands)
      const began = performance.now()
      const terminal = ['script', '--quiet', '--return', '--flush', '--command', 'cd /root && sh -eu typed', '/dev/null']
      const child = spawn('nsenter', [...inside, ...environment, ...terminal], { stdio: ['pipe', 'pipe', 'inherit'] })
      const waiting = [...typing]
      let [text, from] = ['', 0]
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const next = waiting[0]
        const place = next === undefined ? -1 : text.indexOf(next[0], from)
        if (next === undefined || place === -1) return
        from = place + next[0].length
        waiting.shift()
        child.stdin.write(`${next[1]}\r`)
      })
      const [status] = (await once(child, 'close')) as [number | null]
      return { status: status ?? -1, seconds: (performance.now() - began) / 1000, said: text.replaceAll('\r', '') }
    },
    beside: (command, ...args) =>
      execFileSync('nsenter', ['--target', pid, '--net', '--', command, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 }),
    async close() {
      network.kill('SIGKILL')
      // The first process of its namespace: whatever else is in there goes with it.
      process.kill(Number(pid), 'SIGKILL')
      await over
      await removeEmptied(group)
    },
  }
}

/** The kernel takes a moment to let the last of a namespace go. */
async function removeEmptied(group: string): Promise<void> {
  for (let looks = 0; ; looks += 1)
    try {
      return removeGroup(group)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || looks > 100) throw error
      await wait(100)
    }
}
