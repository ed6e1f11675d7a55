/**
 * The recording tunnel beside pass-throughs that keep nothing: one body through each, in one run, on loopback.
 * `node bench/tunnel.ts [megabytes]`. Figures are of the passing process alone (children included): processor time and
 * largest resident memory, from /proc.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../kernel/clock.ts'
import { defaultTunnelLimits, dnsResolver, startTunnel } from '../modules/capture/server/network/index.ts'
import { silentLog } from '../platform/log/log.ts'
import { median } from './measure.ts'

const [mode, ...rest] = process.argv.slice(2)

if (mode === 'serve-tunnel' || mode === 'serve-pipe') {
  const [socketPath = '', port = '', recordDir = ''] = rest
  if (mode === 'serve-pipe') {
    createServer((browser) => {
      const origin = connect(Number(port), '127.0.0.1')
      browser.pipe(origin).pipe(browser)
    }).listen(socketPath)
  } else {
    await startTunnel({
      socketPath,
      recordDir,
      resolver: dnsResolver(),
      allowAddresses: [`127.0.0.1:${port}`],
      ownAddresses: [],
      limits: { ...defaultTunnelLimits, bytesPerConnection: 2 ** 40, bytesTotal: 2 ** 40 },
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
    })
  }
} else {
  await compare(Number(mode ?? 500))
}

async function compare(megabytes: number): Promise<void> {
  const block = Buffer.alloc(65_536, 'x')
  const total = megabytes * 1024 * 1024
  const origin = createServer((socket) => {
    let left = total
    const fill = (): void => {
      while (left > 0) {
        left -= block.length
        if (!socket.write(block)) return
      }
      socket.end()
    }
    socket.once('data', fill)
    socket.on('drain', fill)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  const { port } = origin.address() as AddressInfo
  const variants = ['tunnel', 'pipe', 'socat'] as const
  const results = new Map<string, { cpu: number[]; wall: number[]; memory: number[] }>(
    variants.map((name) => [name, { cpu: [], wall: [], memory: [] }]),
  )
  for (let round = 0; round < 3; round += 1) {
    for (const name of variants) {
      const dir = mkdtempSync(join(tmpdir(), 'bench-tunnel-'))
      const socketPath = join(dir, 's')
      const child =
        name === 'socat'
          ? spawn('socat', ['-b', '65536', `UNIX-LISTEN:${socketPath},fork`, `TCP:127.0.0.1:${port}`], { stdio: 'inherit' })
          : spawn(process.execPath, [import.meta.filename, `serve-${name}`, socketPath, String(port), join(dir, 'record')], {
              stdio: 'inherit',
            })
      while (!existsSync(socketPath)) await new Promise((resolve) => setTimeout(resolve, 20))
      const before = usage(child)
      const started = performance.now()
      const got = await download(
        socketPath,
        name === 'tunnel' ? `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n` : 'GET\r\n\r\n',
      )
      if (got !== total) throw new Error(`${name} passed ${got} of ${total} bytes`)
      const wall = (performance.now() - started) / 1000
      // socat's child is counted once socat has waited for it.
      while (children(child) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
      const after = usage(child)
      const result = results.get(name)
      result?.cpu.push(after.cpu - before.cpu)
      result?.wall.push(wall)
      result?.memory.push(after.memory)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      rmSync(dir, { recursive: true })
    }
  }
  origin.close()
  const figures = variants.map((name) => {
    const { cpu, wall, memory } = results.get(name) ?? { cpu: [], wall: [], memory: [] }
    return {
      name,
      cpu_seconds: median(cpu),
      wall_seconds: median(wall),
      peak_megabytes: name === 'socat' ? null : median(memory),
    }
  })
  const [tunnel, pipe, socat] = figures
  console.log(
    JSON.stringify(
      {
        megabytes,
        figures,
        cpu_ratio: {
          to_pipe: (tunnel?.cpu_seconds ?? 0) / (pipe?.cpu_seconds ?? 0),
          to_socat: (tunnel?.cpu_seconds ?? 0) / (socat?.cpu_seconds ?? 0),
        },
        memory_ratio_to_pipe: (tunnel?.peak_megabytes ?? 0) / (pipe?.peak_megabytes ?? 1),
      },
      null,
      2,
    ),
  )
}

async function download(socketPath: string, request: string): Promise<number> {
  const socket = connect(socketPath)
  socket.write(request)
  let got = 0
  for await (const chunk of socket) got += (chunk as Buffer).length
  return got
}

/** proc(5): utime, stime, cutime, cstime in ticks of 10 ms; VmHWM in KiB. */
function usage(child: ChildProcess): { cpu: number; memory: number } {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map(Number)
  const memory = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return { cpu: fields.reduce((sum, ticks) => sum + ticks, 0) / 100, memory: Number(memory) / 1024 }
}

function children(child: ChildProcess): number {
  return readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).length
}
