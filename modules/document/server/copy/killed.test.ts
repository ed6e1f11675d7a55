import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import type { DocumentCopy } from '../../contract/copy.ts'
import { copyPartBytes } from '../../domain/copy.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { openDepositWorld, sha256Hex, type DepositWorld } from '../deposits.test-data.ts'
import { compareCopy } from './compare-copy.ts'
import { findCopy } from './copy-store.ts'

const database = withDatabase()
const program = fileURLToPath(new URL('./receive-and-die.test-program.ts', import.meta.url))
let world: DepositWorld
const children: ChildProcess[] = []

beforeAll(async () => {
  world = await openDepositWorld(database.db)
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await world.remove()
})

async function startServer() {
  const child = spawn(process.execPath, [program, database.url, world.folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const exit = once(child, 'exit')
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { address, kill: async () => (child.kill('SIGKILL'), await exit) }
}

test(
  'E-33 a server killed in the midst of an upload loses the piece that was on its way, and nothing else',
  { timeout: 120_000 },
  async () => {
    const user = await haveAccount(database.db)
    const content = randomBytes(2 * copyPartBytes + 5)
    const [made] = await createDocuments(world, actorOf(user), {
      documents: [{ sha256: sha256Hex(content), store: true }],
      agree: true,
    })
    const path = `/documents/${made?.id ?? ''}/copy/`
    const headers = { authorization: `Bearer ${user}` }
    const call = async (address: string, at: string, body?: object | Uint8Array<ArrayBuffer>): Promise<DocumentCopy> => {
      const raw = body instanceof Uint8Array
      const type = raw ? 'application/octet-stream' : 'application/json'
      const answer = await fetch(address + at, {
        ...(body === undefined ? {} : { method: 'POST', body: raw ? body : JSON.stringify(body) }),
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
      })
      expect([at, answer.status]).toEqual([at, 200])
      return (await answer.json()) as DocumentCopy
    }
    const piece = (part: number) => new Uint8Array(content.subarray(part * copyPartBytes, (part + 1) * copyPartBytes))
    const first = await startServer()
    const upload = (await call(first.address, path, { bytes: content.length })).upload ?? ''
    const partAt = (part: number) => `${path}parts/${String(part)}/?upload=${upload}`
    await call(first.address, partAt(0), piece(0))
    const half = request(first.address + partAt(1), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': copyPartBytes },
    })
    const broken = once(half, 'error')
    half.write(piece(1).subarray(0, copyPartBytes / 2))
    const incoming = join(world.folder, 'blobs', 'scopes', `copy-${upload}`, 'incoming')
    const arrived = async () => {
      const [file] = await readdir(incoming)
      return file === undefined ? 0 : (await stat(join(incoming, file))).size
    }
    await expect.poll(arrived, { timeout: 60_000, interval: 20 }).toBeGreaterThan(100_000)
    await first.kill()
    await broken
    const second = await startServer()
    const left = await call(second.address, path, { bytes: content.length })
    expect(left).toMatchObject({ state: 'receiving', upload, missing: [1, 2] })
    for (const part of left.missing) await call(second.address, partAt(part), piece(part))
    await call(second.address, `${path}complete/`, { upload })
    await second.kill()
    await compareCopy(world, upload, new AbortController().signal)
    expect((await findCopy(database.db, upload))?.state).toBe('stored')
  },
)
