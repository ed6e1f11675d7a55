import { createServer, type Server } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../kernel/clock.ts'
import { measureAntivirus } from './measure-antivirus.ts'
import { measureFirewall, readIptables, readNftables } from './measure-firewall.ts'

const signal = new AbortController().signal
const deps = { clock: systemClock, signal }
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-protection-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('K-33 firewall', () => {
  /** A kernel's packet filter of its own, which any user may set up in a namespace of his. */
  const inside = (setUp: string) => ['unshare', '--user', '--map-root-user', '--net', 'sh', '-c', `${setUp}\nexec "$@"`, 'sh']

  test('rules in force are counted from the kernel, and the rules themselves stay out', async () => {
    const closed = await measureFirewall(
      signal,
      inside(`nft add table inet guard
nft 'add chain inet guard in { type filter hook input priority 0; policy drop; }'
nft add rule inet guard in ct state established accept
nft add rule inet guard in tcp dport 22 ip saddr 192.0.2.77 accept`),
    )
    expect(closed).toMatchObject({ tool: 'nftables', rules: 2, drops_by_default: true, error: null })
    expect(JSON.stringify(closed)).not.toContain('192.0.2.77')
    expect(await measureFirewall(signal, inside(':'))).toMatchObject({ tool: 'nftables', rules: 0, drops_by_default: false })
  }, 180_000)

  test('who may not read them says so', async () => {
    // A user namespace without its own network: the rules of the machine, and no right to them.
    const unread = await measureFirewall(signal, ['unshare', '--user', '--map-root-user'])
    expect(unread).toMatchObject({ tool: 'nftables', rules: null, error: 'not_readable' })
    expect(await measureFirewall(signal, ['/nonexistent/tool'])).toMatchObject({ tool: null, rules: null, error: 'no_tool' })
  }, 180_000)

  test('what is no answer of the tools is not read', () => {
    expect(readNftables('{"nftables": 1}')).toBeNull()
    expect(readNftables('nonsense')).toBeNull()
    expect(readIptables('*filter\n:INPUT DROP [0:0]\n-A INPUT -i lo -j ACCEPT\n-A INPUT -p tcp -j ACCEPT\nCOMMIT\n')).toEqual({
      rules: 2,
      drops_by_default: true,
    })
  })
})

describe('K-33 antivirus', () => {
  /** Speaks clamd's protocol (clamd(8)); finds what holds the word. */
  async function startClamd(
    socketPath: string,
    options: { readonly silent?: boolean; readonly version?: string } = {},
  ): Promise<Server> {
    const server = createServer((socket) => {
      let kept = Buffer.alloc(0)
      socket.on('error', () => socket.destroy())
      socket.on('data', (chunk: Buffer) => {
        kept = Buffer.concat([kept, chunk])
        if (options.silent === true) return
        if (kept.toString('latin1') === 'zVERSION\0')
          socket.end(`${options.version ?? 'ClamAV 1.4.3/27460/Fri Nov 20 08:30:12 2026'}\0`)
        if (!kept.toString('latin1').startsWith('zINSTREAM\0')) return
        const body: Buffer[] = []
        let at = 10
        while (at + 4 <= kept.length) {
          const length = kept.readUInt32BE(at)
          if (length === 0) {
            socket.end(Buffer.concat(body).includes('EICAR') ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
            return
          }
          if (at + 4 + length > kept.length) return
          body.push(kept.subarray(at + 4, at + 4 + length))
          at += 4 + length
        }
      })
    })
    await new Promise<void>((resolve) => void server.listen(socketPath, resolve))
    return server
  }
  const places = () => ({ socket: join(folder, 'clamd.ctl'), programs: [join(folder, 'clamscan')], signatures: folder })
  const files = async () => {
    await writeFile(join(folder, 'clean.html'), 'a'.repeat(200_000))
    await writeFile(join(folder, 'bad.html'), `${'b'.repeat(100_000)}EICAR`)
    return [
      { path: 'capture/source.html', file: join(folder, 'clean.html') },
      { path: 'capture/dom.html', file: join(folder, 'bad.html') },
      { path: 'capture/page.mhtml', file: join(folder, 'absent.mhtml') },
    ]
  }

  test('none installed is a measured fact', async () => {
    expect(await measureAntivirus(deps, await files(), places())).toEqual({
      installed: false,
      engine: null,
      signatures: null,
      signatures_at: null,
      scan: null,
      error: null,
    })
  })

  test('its service scans what was captured, and what it finds is named', async () => {
    const clamd = await startClamd(places().socket)
    try {
      expect(await measureAntivirus(deps, await files(), places())).toMatchObject({
        installed: true,
        engine: 'ClamAV 1.4.3',
        signatures: '27460',
        signatures_at: new Date('2026-11-20T08:30:12').toISOString(),
        error: null,
        scan: {
          files: [
            { path: 'capture/source.html', result: 'clean', detail: null },
            { path: 'capture/dom.html', result: 'found', detail: 'Eicar-Test-Signature' },
            { path: 'capture/page.mhtml', result: 'failed' },
          ],
        },
      })
    } finally {
      await new Promise((resolve) => clamd.close(resolve))
    }
  })

  test('installed without a service: the age of the signatures on disk, and no scan', async () => {
    await writeFile(join(folder, 'clamscan'), '')
    await writeFile(join(folder, 'daily.cvd'), 'ClamAV-VDB:20 Nov 2026 03-30 -0500:27460:2078435:90:aa:bb:builder:1')
    expect(await measureAntivirus(deps, await files(), places())).toMatchObject({
      installed: true,
      signatures: '27460',
      signatures_at: '2026-11-20T08:30:00.000Z',
      scan: null,
      error: 'ENOENT',
    })
  })

  test('a service that never answers, or answers nonsense, holds nothing up', async () => {
    const clamd = await startClamd(places().socket, { silent: true })
    try {
      const late = await measureAntivirus({ clock: systemClock, signal: AbortSignal.timeout(50) }, await files(), places())
      expect(late).toMatchObject({ installed: true, scan: null, error: 'timeout' })
    } finally {
      await new Promise((resolve) => clamd.close(resolve))
    }
    const odd = await startClamd(places().socket, { version: 'x'.repeat(9_000) })
    try {
      expect((await measureAntivirus(deps, [], places())).engine).toHaveLength(100)
    } finally {
      await new Promise((resolve) => odd.close(resolve))
    }
  })
})
