import { createServer } from 'node:http'
import type { Regtest } from './start-regtest.ts'

export type EsploraBehaviour = 'honest' | 'other_header' | 'no_work' | 'garbage' | 'huge' | 'error_500' | 'behind'

/** An explorer's API (Esplora) on loopback, over the blocks of a node in regtest. Wrong answers differ from the right one in one way. */
export async function startEsplora(regtest: Regtest): Promise<{
  readonly url: string
  /** `ip:port` */
  readonly address: string
  behave(behaviour: EsploraBehaviour): void
  requests(): number
  close(): Promise<void>
}> {
  let behaviour: EsploraBehaviour = 'honest'
  let requests = 0

  async function hashAt(height: number): Promise<string> {
    // An explorer that follows another chain: it knows the block before as that of this height.
    return String(await regtest.call('getblockhash', behaviour === 'other_header' ? height - 1 : height))
  }

  async function answer(path: string): Promise<string | null> {
    if (behaviour === 'garbage') return '<html>Service unavailable</html>'
    const tip = behaviour === 'behind' ? regtest.height() - 1 : regtest.height()
    if (path === '/api/blocks/tip/height') return String(tip)
    const height = /^\/api\/block-height\/(\d+)$/.exec(path)?.[1]
    if (height !== undefined) return Number(height) > tip ? null : await hashAt(Number(height))
    const hash = /^\/api\/block\/([0-9a-f]{64})\/header$/.exec(path)?.[1]
    if (hash === undefined) return null
    const header = String(await regtest.call('getblockheader', hash, false))
    return behaviour === 'no_work' ? `${header.slice(0, -8)}ffffffff` : header
  }

  const server = createServer((request, response) => {
    requests += 1
    if (behaviour === 'error_500') {
      response.writeHead(500).end()
      return
    }
    if (behaviour === 'huge') {
      const block = Buffer.alloc(65_536, 0x30)
      response.on('drain', () => response.write(block))
      response.writeHead(200).write(block)
      return
    }
    answer(request.url ?? '').then(
      (text) => (text === null ? response.writeHead(404).end('Block not found') : response.writeHead(200).end(text)),
      (error: unknown) => response.destroy(error as Error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${listening.port}/api`,
    address: `127.0.0.1:${listening.port}`,
    behave(next) {
      behaviour = next
    },
    requests: () => requests,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
