import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import type { Db } from '../../platform/db/database.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { silentLog, type Log } from '../../platform/log/log.ts'
import { openWebApi, type Operation } from '../permissions/open-web-api.test-data.ts'
import { haveWorld, type World } from '../permissions/people.ts'

export const publicUrl = 'https://probant.example'

export type Site = {
  readonly server: HttpServer
  readonly operations: readonly Operation[]
  readonly world: World
  /** `http://127.0.0.1:port`. */
  readonly origin: string
  /** Sends octets as they are over one connection; resolves with everything that came back when the other side ended it. */
  raw(octets: string): Promise<string>
  close(): Promise<void>
}

/** All calls and pages of the web role, listening, as an installation reached by HTTPS behind a proxy; with people and evidences. */
export async function openSite(db: Db, log: Log = silentLog): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'probant-site-'))
  const write = (path: string, data: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), data)
  }
  write(
    'dist/index.html',
    '<!doctype html><html lang="__LOCALE__"><head><title>__TITLE__</title></head><body><script nonce="__CSP_NONCE__" src="/assets/a-1.js"></script></body></html>',
  )
  write('dist/assets/a-1.js', 'let a')
  write('dist/icon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  write('dist/robots.txt', 'User-agent: *')
  write('content/en/guide.md', '# Guide')
  const blobs = createFolderBlobStore(join(folder, 'blobs'))
  const { server, operations } = await openWebApi({
    db,
    blobs,
    clock: systemClock,
    log,
    site: {
      publicUrl,
      web: {
        distFolder: join(folder, 'dist'),
        pageRoutes: ['/', '/capture/:id/', '/evidences/pending/'],
        pageMeta: (path) => ({ title: path ?? 'Nothing', description: 'd', indexed: path === '/' }),
        contentFolder: join(folder, 'content'),
        contentOverride: undefined,
        publicUrl,
        passwordPage: '/account/security/',
        securityContacts: ['mailto:security@probant.example'],
      },
    },
  })
  const world = await haveWorld(db, blobs)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return {
    server,
    operations,
    world,
    origin: `http://127.0.0.1:${port}`,
    async raw(octets) {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.setEncoding('latin1').on('data', (part: string) => (text += part))
      // A refused request may be cut off while it is still being sent.
      socket.on('error', () => undefined)
      socket.write(octets, 'latin1')
      await once(socket, 'close')
      return text
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
