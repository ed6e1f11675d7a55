/**
 * A line with delay, loss and a rate, for tests and bench: packets of two network namespaces pass through a program of ours
 * (shape-packets.test-program.ts) that delays and drops them; what a loss costs is then the kernel's own TCP. Needs user namespaces,
 * `/dev/net/tun`, perl and ip, and no right beyond them; nothing of this machine's own network is changed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { joinSockets } from './join-sockets.ts'

export type LineShape = {
  /** One way, in milliseconds. */
  readonly delayMs: number
  /** Share of the packets that are lost, each way. */
  readonly loss: number
  /** Each way. */
  readonly bytesPerSecond: number
  readonly seed: number
}

export type ShapedLine = {
  /** Where the near end listens, on 127.0.0.1. */
  readonly port: number
  /** So far. */
  counts(): Promise<{ readonly passed: number; readonly lost: number }>
  close(): Promise<void>
}

/**
 * A TUN device in the network it is started in (a program of ours cannot: Node has no ioctl(2); constants: <linux/if_tun.h>), then what follows. The far
 * end's program is a child whose standard input ends with the line itself.
 */
const script = `use strict;
my ($stage, $script, $node, $out, $shape, $exit, @rest) = @ARGV;
$^F = 255;
open(my $tun, '+<', '/dev/net/tun') or die "tun: $!";
my $request = pack('a16 S x22', $stage, 0x1001);
ioctl($tun, 0x400454ca, $request) or die "tun: $!";
system('ip', 'addr', 'add', ($stage eq 'far' ? '10.9.0.1/30' : '10.9.0.2/30'), 'dev', $stage) == 0 or die 'ip';
system('ip', 'link', 'set', $stage, 'up') == 0 or die 'ip';
exec $node, $shape, fileno($tun), @rest if $stage eq 'near';
pipe(my $alive, my $held) or die "pipe: $!";
my $pid = fork;
die "fork: $!" unless defined $pid;
if ($pid == 0) {
  close $held;
  close $tun;
  open(STDIN, '<&', $alive) or die "stdin: $!";
  exec $node, $out, $exit;
}
exec 'unshare', '--net', 'perl', '-e', $script, 'near', $script, $node, $out, $shape, $exit, fileno($tun), @rest;
`

/**
 * @param to a port on 127.0.0.1, or the path of a socket: what is at the far end
 * @throws what the machine says when it gives no such networks
 */
export async function openShapedLine(to: number | string, shape: LineShape): Promise<ShapedLine> {
  const folder = await mkdtemp(join(tmpdir(), 'probant-line-'))
  const entry = join(folder, 'entry')
  const exit = typeof to === 'string' ? to : join(folder, 'exit')
  const program = (name: string) => join(import.meta.dirname, `${name}.test-program.ts`)
  const { delayMs, loss, bytesPerSecond, seed } = shape
  const programs = [process.execPath, program('pass-out'), program('shape-packets')]
  const child = spawn(
    'unshare',
    ['--user', '--map-root-user', '--net', 'perl', '-e', script, 'far', script, ...programs, exit, entry].concat(
      [delayMs, loss, bytesPerSecond, seed].map(String),
    ),
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` } },
  )
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString()}`.slice(-2_000)))
  child.stdin.on('error', () => undefined)
  const ended = new Promise<never>((_, reject) => {
    child.on('error', reject)
    child.on('close', () => reject(new Error(`no shaped line: ${said}`)))
  })
  ended.catch(() => undefined)
  const lines: string[] = []
  let heard = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    heard.resolve()
    heard = Promise.withResolvers()
  })
  const next = async (word: string): Promise<string> => {
    for (;;) {
      const at = lines.findIndex((line) => line.startsWith(word))
      const [line] = at === -1 ? [] : lines.splice(at, 1)
      if (line !== undefined) return line
      await Promise.race([heard.promise, ended])
    }
  }

  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const serve = async (listen: { path: string } | { port: 0; host: string }, reach: () => Socket): Promise<Server> => {
    const server = createServer((one) => joinSockets(one, reach(), sockets))
    servers.push(server)
    server.listen(listen)
    await once(server, 'listening')
    return server
  }
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
    // Both programs end with this pipe.
    child.stdin.end()
    await ended.catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    if (typeof to === 'number') await serve({ path: exit }, () => connect(to, '127.0.0.1'))
    await Promise.all([next('out'), next('in')])
    const near = await serve({ port: 0, host: '127.0.0.1' }, () => connect(entry))
    return {
      port: (near.address() as AddressInfo).port,
      counts: async () => {
        child.stdin.write('\n')
        const [, passed, lost] = (await next('counts')).split(' ')
        return { passed: Number(passed), lost: Number(lost) }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
