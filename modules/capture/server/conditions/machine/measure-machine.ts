import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { access, readFile, stat } from 'node:fs/promises'
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
  /** Identity of the hardware or virtual machine as the firmware gives it (SMBIOS, system UUID); administrators only. */
  readonly product_uuid: string | null
  /** Identity of this installation of the system, derived for us alone: machine-id(5) itself is confidential. */
  readonly machine_id: string | null
  /** Processor model, for machines whose firmware names none. */
  readonly processor: string | null
  readonly container: string | null
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

/** 128 bits chosen once for Probant: the application identifier of {@link deriveMachineId}. */
export const applicationId = '7d0f3f6c2b7e4a0b9a4d6c1e58f3a927'

/**
 * sd_id128_get_machine_app_specific(3): HMAC-SHA256 of the application's identifier, keyed with the machine's, made a version 4 UUID.
 * @param machineId 32 hexadecimal digits, machine-id(5). Null when it is no such identifier.
 */
export function deriveMachineId(machineId: string, application: string = applicationId): string | null {
  if (!/^[0-9a-f]{32}$/.test(machineId)) return null
  const bytes = createHmac('sha256', Buffer.from(machineId, 'hex'))
    .update(Buffer.from(application, 'hex'))
    .digest()
    .subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex')
}

/** Which kind of container, by what its makers leave; null when nothing says so. */
async function containerKind(): Promise<string | null> {
  const named = await read('/run/systemd/container')
  if (named !== null) return named.slice(0, 60)
  for (const [file, kind] of [
    ['/.dockerenv', 'docker'],
    ['/run/.containerenv', 'podman'],
  ] as const) {
    const there = await access(file).then(
      () => true,
      () => false,
    )
    if (there) return kind
  }
  return null
}

/** adjtimex(2) as timedatectl shows it; null where nobody tells. */
async function clockSynchronised(): Promise<boolean | null> {
  const answer = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: 5_000 }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
  return answer === 'yes' ? true : answer === 'no' ? false : null
}

/** Firmware of no-name boards: words where a number should be. */
const meaningful = (serial: string | null): string | null =>
  serial === null ||
  /^(?:to be filled by o\.e\.m\.?|not specified|none|default string|system serial number|0+|unknown)$/i.test(serial)
    ? null
    : serial

async function packageVersions(): Promise<Record<string, string>> {
  const names = ['chromium', 'bubblewrap', 'socat', 'fontconfig', 'xvfb', 'pulseaudio', 'ffmpeg', 'xdotool', 'xclip']
  const { stdout } = await run('dpkg-query', ['-W', '-f', '${Package} ${Version}\n', ...names], { timeout: 5_000 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  )
  return Object.fromEntries(
    stdout.split('\n').flatMap((line) => (line.includes(' ') ? [line.split(' ', 2) as [string, string]] : [])),
  )
}

export async function measureMachine(softwareVersion: string): Promise<MachineFacts> {
  const [os, virtual, synchronised, packages, product, vendor, serial, uuid, machineId, processors, container, patched] =
    await Promise.all([
      osName(),
      virtualisation(),
      clockSynchronised(),
      packageVersions(),
      read('/sys/class/dmi/id/product_name'),
      read('/sys/class/dmi/id/sys_vendor'),
      read('/sys/class/dmi/id/product_serial'),
      read('/sys/class/dmi/id/product_uuid'),
      read('/etc/machine-id'),
      read('/proc/cpuinfo'),
      containerKind(),
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
    serial: meaningful(serial),
    product_uuid: uuid,
    machine_id: machineId === null ? null : deriveMachineId(machineId),
    processor: /^(?:model name|Processor)\s*:\s*(.{1,200})$/m.exec(processors ?? '')?.[1] ?? null,
    container,
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
