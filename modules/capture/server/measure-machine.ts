import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { hostname, networkInterfaces, release, version as kernelVersion, machine } from 'node:os'
import { getServers } from 'node:dns'
import { promisify } from 'node:util'

const run = promisify(execFile)
const read = (path: string) =>
  readFile(path, 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  )

/** Facts of the capturing machine, each read from the system at the time; null where the system does not tell. */
export type MachineFacts = {
  readonly hostname: string
  readonly os: string
  readonly kernel: string
  readonly architecture: string
  readonly patched_at: string | null
  readonly model: string | null
  readonly serial: string | null
  readonly virtualisation: string | null
  readonly local_addresses: readonly string[]
  readonly dns_servers: readonly string[]
  readonly proxy_variables: readonly string[]
  readonly clock_synchronised: boolean | null
  readonly node: string
  readonly software: string
  readonly packages: Readonly<Record<string, string>>
}

async function osName(): Promise<string> {
  const release = (await read('/etc/os-release')) ?? ''
  const name = /^PRETTY_NAME="?(.*?)"?$/m.exec(release)?.[1] ?? 'Linux'
  const point = await read('/etc/debian_version')
  return point !== null && /^ID="?debian/m.test(release) ? `${name}, ${point}` : name
}

/** hypervisor or container by systemd's own detection, where it is installed; else by what the firmware says. */
async function virtualisation(): Promise<string | null> {
  const detected = await run('systemd-detect-virt', [], { timeout: 5_000 }).then(
    ({ stdout }) => stdout.trim(),
    (error: Error & { stdout?: string; code?: unknown }) => (typeof error.code === 'number' ? (error.stdout ?? '').trim() : null),
  )
  if (detected !== null && detected !== '') return detected
  const vendor = await read('/sys/class/dmi/id/sys_vendor')
  if (vendor !== null && /qemu|vmware|xen|virtualbox|innotek|microsoft corporation|amazon ec2|google|kvm/i.test(vendor))
    return vendor
  const flags = await read('/proc/cpuinfo')
  return flags !== null && /^flags\s*:.*\bhypervisor\b/m.test(flags) ? 'hypervisor' : null
}

/** adjtimex(2) as timedatectl shows it; null where nobody tells. */
async function clockSynchronised(): Promise<boolean | null> {
  const answer = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: 5_000 }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  return answer === 'yes' ? true : answer === 'no' ? false : null
}

async function packageVersions(): Promise<Record<string, string>> {
  const names = ['chromium', 'bubblewrap', 'socat', 'fontconfig']
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${Package} ${Version}\n', ...names], { timeout: 5_000 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  )
  return Object.fromEntries(
    stdout.split('\n').flatMap((line) => (line.includes(' ') ? [line.split(' ', 2) as [string, string]] : [])),
  )
}

export async function measureMachine(softwareVersion: string): Promise<MachineFacts> {
  const [os, virtual, synchronised, packages, product, vendor, serial, patched] = await Promise.all([
    osName(),
    virtualisation(),
    clockSynchronised(),
    packageVersions(),
    read('/sys/class/dmi/id/product_name'),
    read('/sys/class/dmi/id/sys_vendor'),
    read('/sys/class/dmi/id/product_serial'),
    stat('/var/lib/dpkg/status').then(
      ({ mtime }) => mtime.toISOString(),
      () => null,
    ),
  ])
  return {
    hostname: hostname(),
    os,
    kernel: `${release()} ${kernelVersion()}`,
    architecture: machine(),
    patched_at: patched,
    model: [vendor, product].filter((part) => part !== null).join(' ') || null,
    serial,
    virtualisation: virtual,
    local_addresses: Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter((address) => !address.internal)
      .map((address) => address.address),
    dns_servers: getServers(),
    proxy_variables: ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].filter(
      (name) => (process.env[name] ?? '') !== '',
    ),
    clock_synchronised: synchronised,
    node: process.version.slice(1),
    software: softwareVersion,
    packages,
  }
}
