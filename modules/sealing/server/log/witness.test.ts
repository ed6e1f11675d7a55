import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromHex } from '../../../../kernel/bytes.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer, type HttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createTestDatabase, withDatabase } from '../../../../testing/database.ts'
import { temporaryFolder } from '../../../../testing/keyring.ts'
import {
  checkCosignature,
  ed25519Type,
  formatCheckpoint,
  formatNote,
  parseCheckpoint,
  parseNote,
  parseTlogProof,
  parseVerifierKey,
  verifierKey,
  type VerifierKey,
} from '../../../verification/server/index.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import type { Keyring } from '../keyring/signer.ts'
import { askWitnesses, witnessesOf } from './ask-witnesses.ts'
import { newerProof } from './include-in-log.ts'
import { registerLogFiles, registerWitness } from '../publication/log-files.ts'
import { openPublicLog } from './open-public-log.ts'
import type { PublicLog } from './public-log.ts'
import { serveWitness } from './serve-witness.ts'
import { addCheckpoint, witnessedLogs, type WitnessDeps } from './witness.ts'
import { listWitnesses } from './witness-store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(async () => await folder.remove())
const keyringAt = async (name: string) => await openKeyring({ dir: join(folder.dir, name), clock: systemClock, log: silentLog })
const newRoot = () => new Uint8Array(randomBytes(32))

type Exchange = {
  readonly key_hash: string
  readonly size: number
  readonly root_hash: string
  readonly signature: string
  readonly old_size: number
  readonly node_hash: readonly string[]
  readonly status: number
}
const published = JSON.parse(
  readFileSync(new URL('../../../verification/domain/log/vectors/witness-exchanges.json', import.meta.url), 'utf8'),
) as { public_key: string; exchanges: Exchange[] }

describe('as another witness is asked and answers, published with its source', () => {
  const database = withDatabase()
  const base64Of = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

  test('this one answers the same, in the same order', async () => {
    const key = (origin: string) => verifierKey(origin, ed25519Type, fromHex(published.public_key))
    const originOf = (keyHash: string) => `sigsum.org/v1/tree/${keyHash}`
    const origin = originOf(published.exchanges[0]?.key_hash ?? '')
    const deps: WitnessDeps = {
      db: database.db,
      clock: systemClock,
      keyring: await keyringAt('vectors'),
      name: 'example.com/witness',
      logs: new Map([[origin, [key(origin)]]]),
    }
    expect(published.exchanges).toHaveLength(8)
    let cosigned = 0
    for (const [i, each] of published.exchanges.entries()) {
      // There in the words of Sigsum, here in those of tlog-witness: the same roots, signatures and hashes.
      const { name, keyId } = key(originOf(each.key_hash))
      const signature = { name, keyId, signature: fromHex(each.signature) }
      const checkpoint = formatNote(`${name}\n${each.size}\n${base64Of(each.root_hash)}\n`, [signature])
      const head = [`old ${each.old_size}`, ...each.node_hash.map(base64Of), '', '']
      const answer = await addCheckpoint(deps, Buffer.concat([Buffer.from(head.join('\n')), checkpoint]))
      // That one said 403 to an unknown log before the specification asked for 404.
      expect([i, answer.status]).toEqual([i, i === 2 ? 404 : each.status])
      if (answer.status === 409) expect(answer).toEqual({ status: 409, type: 'text/x.tlog.size', body: `${cosigned}\n` })
      if (answer.status !== 200) continue
      cosigned = each.size
      const note = parseNote(Buffer.concat([checkpoint, Buffer.from(answer.body)]))
      const own = parseVerifierKey((await deps.keyring.witnessSigner(deps.name)).vkey)
      expect(note !== null && own !== null && checkCosignature(note, own).outcome).toBe('valid')
    }
  })
})

type Installation = {
  readonly origin: string
  readonly db: Awaited<ReturnType<typeof createTestDatabase>>['db']
  readonly keyring: Keyring
  readonly log: PublicLog
  stop(): Promise<void>
}

async function install(name: string, witnesses: readonly VerifierKey[] = []): Promise<Installation> {
  const database = await createTestDatabase()
  const keyring = await keyringAt(name)
  const origin = `${name}.example/log`
  const log = await openPublicLog({
    db: database.db,
    keyring,
    clock: systemClock,
    origin,
    folder: join(folder.dir, `${name}-log`),
    witnesses,
  })
  return { origin, db: database.db, keyring, log, stop: async () => await database.drop() }
}

describe('two installations', () => {
  let operator: Installation
  let witness: Installation
  let server: HttpServer
  let socket: Awaited<ReturnType<typeof serveWitness>>
  const name = 'second.example/witness'
  const sockets = () => join(folder.dir, 'witness')

  const startWitness = async (port = 0) => {
    const logs = witnessedLogs([{ origin: operator.origin, key: (await operator.keyring.logSigner(operator.origin)).vkey }])
    socket = await serveWitness({
      db: witness.db,
      clock: systemClock,
      keyring: witness.keyring,
      name,
      logs,
      folder: sockets(),
      log: silentLog,
    })
    server = await createHttpServer({
      config: { environment: 'development', publicUrl: 'http://localhost', trustedProxies: [] } as never,
      log: silentLog,
      secret: 'x'.repeat(40),
      clock: systemClock,
      routes: [],
      health: { database: async () => await Promise.resolve('answers') },
      extend(app) {
        registerLogFiles(app, { db: operator.db })
        registerWitness(app, { db: witness.db, clock: systemClock, folder: sockets() })
      },
    })
    await server.listen({ host: '127.0.0.1', port })
  }
  const url = () => {
    const address = server.server.address()
    if (typeof address !== 'object' || address === null) throw new Error('not listening')
    return `http://127.0.0.1:${address.port}`
  }
  const stopWitness = async () => {
    await server.close()
    await socket.close()
  }
  const ask = async (from: Installation = operator) => {
    const key = (await witness.keyring.witnessSigner(name)).vkey
    await askWitnesses(
      {
        db: from.db,
        clock: systemClock,
        log: silentLog,
        witnesses: witnessesOf([{ url: `${url()}/witness`, key }]),
        rules: { allowAddresses: 'any', timeoutMs: 60_000 },
      },
      new AbortController().signal,
    )
    return (await listWitnesses(from.db))[0]
  }

  beforeAll(async () => {
    witness = await install('second')
    const named = parseVerifierKey((await witness.keyring.witnessSigner(name)).vkey)
    if (named === null) throw new Error('not a key')
    operator = await install('first', [named])
    await startWitness()
  })
  afterAll(async () => {
    await stopWitness()
    await operator.stop()
    await witness.stop()
  })

  test('the one cosigns the checkpoints of the other, which are then in its files and its proofs', async () => {
    const root = newRoot()
    const { proof: sealed } = await operator.log.include(root)
    expect(await newerProof(operator.log, root, sealed)).toBeNull()
    // Published since it first cosigned; in a seal made before that, since it was asked.
    const asked = new Date('2026-11-21T10:00:00Z')
    const { vkey } = await witness.keyring.witnessSigner(name)
    expect(await operator.log.cosigners?.()).toEqual([])
    expect(await operator.log.cosigners?.(asked)).toEqual([{ id: vkey, since: asked.toISOString(), until: null }])
    expect(await ask()).toMatchObject({ answer: 'cosigned', size: 1 })
    const [published] = (await operator.log.cosigners?.()) ?? []
    expect(published?.id).toBe(vkey)
    expect(await operator.log.cosigners?.(asked)).toEqual([published])
    await operator.log.include(newRoot())
    await operator.log.include(newRoot())
    expect(await ask()).toMatchObject({ answer: 'cosigned', size: 3 })

    const response = await fetch(`${url()}/log/checkpoint`)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const note = parseCheckpoint(new Uint8Array(await response.arrayBuffer()))
    const key = parseVerifierKey((await witness.keyring.witnessSigner(name)).vkey)
    if (note === null || key === null) throw new Error('not a checkpoint')
    expect([note.size, checkCosignature(note.note, key).outcome]).toEqual([3, 'valid'])
    const proof = await newerProof(operator.log, root, sealed)
    const read = proof === null ? 'none' : parseTlogProof(proof.bytes)
    expect(typeof read === 'object' && checkCosignature(read.checkpoint.note, key).outcome).toBe('valid')
    // Sealed under another key of the log, of which its package knows: the newer one would be nobody's there.
    const older = Buffer.from(sealed).toString('utf8')
    const line = older.slice(older.indexOf(`— ${operator.origin} `))
    const another = Buffer.from(line.split(' ')[2] ?? '', 'base64').map((octet, i) => (i === 0 ? octet ^ 1 : octet))
    const renamed = older.replace(line, `— ${operator.origin} ${Buffer.from(another).toString('base64')}\n`)
    expect(typeof parseTlogProof(Buffer.from(renamed))).toBe('object')
    expect(await newerProof(operator.log, root, Buffer.from(renamed))).toBeNull()
    // Nothing new: nobody is asked, and the first cosignature stays.
    const before = await (await fetch(`${url()}/log/checkpoint`)).text()
    await ask()
    expect(await (await fetch(`${url()}/log/checkpoint`)).text()).toBe(before)
    // The monitor's view of the witness is the same checkpoint.
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(operator.origin))).toString('hex')
    const seen = parseCheckpoint(new Uint8Array(await (await fetch(`${url()}/witness/${hash}/checkpoint`)).arrayBuffer()))
    expect(seen?.size).toBe(3)
    expect((await fetch(`${url()}/witness/${'0'.repeat(64)}/checkpoint`)).status).toBe(404)
  })

  test('a witness that stops is asked again when it is back, and remembers what it cosigned', async () => {
    const address = url()
    await stopWitness()
    await operator.log.include(newRoot())
    const key = (await witness.keyring.witnessSigner(name)).vkey
    const deps = {
      db: operator.db,
      clock: systemClock,
      log: silentLog,
      witnesses: witnessesOf([{ url: `${address}/witness`, key }]),
      rules: { allowAddresses: 'any' as const, timeoutMs: 60_000 },
    }
    await askWitnesses(deps, new AbortController().signal)
    expect((await listWitnesses(operator.db))[0]).toMatchObject({ answer: 'unreachable', size: 3 })
    await startWitness()
    expect(await ask()).toMatchObject({ answer: 'cosigned', size: 4 })
  })

  test('what the witness never told is learned from its refusal; two that ask at once are ordered', async () => {
    await operator.db.updateTable('log_witness').set({ size: 0 }).execute()
    await operator.log.include(newRoot())
    expect(await ask()).toMatchObject({ answer: 'cosigned', size: 5 })
    await operator.log.include(newRoot())
    await Promise.all([ask(), ask(), ask()])
    expect((await listWitnesses(operator.db))[0]).toMatchObject({ answer: 'cosigned', size: 6 })
  })

  test('a log that forks or goes back is not cosigned, and its operator learns it', async () => {
    // The same key and origin over another database: what an operator would do who writes a second history.
    const fork = await install('fork')
    const forked = await openPublicLog({
      db: fork.db,
      keyring: operator.keyring,
      clock: systemClock,
      origin: operator.origin,
      folder: join(folder.dir, 'fork-log-2'),
    })
    await forked.include(newRoot())
    expect(await ask(fork)).toMatchObject({ answer: 'ahead', size: 6 })
    for (let i = 0; i < 6; i += 1) await forked.include(newRoot())
    expect(await ask(fork)).toMatchObject({ answer: 'conflict', size: 6 })
    expect(await fork.db.selectFrom('log_cosignature').selectAll().execute()).toEqual([])
    await fork.stop()
  })

  test('requests that are not as they must be get the status that the specification names', async () => {
    const post = async (body: string | Uint8Array<ArrayBuffer>) => {
      const response = await fetch(`${url()}/witness/add-checkpoint`, { method: 'POST', body })
      return [response.status, response.headers.get('content-type'), await response.text()] as const
    }
    const newest = Buffer.from((await operator.log.checkpoint())?.note ?? '').toString('utf8')
    const signer = await operator.keyring.logSigner(operator.origin)
    const note = async (body: { size: number; origin?: string; rootHash?: Uint8Array }) => {
      const text = formatCheckpoint({
        origin: body.origin ?? operator.origin,
        size: body.size,
        rootHash: body.rootHash ?? newRoot(),
        extensions: [],
      })
      const signature = await signer.sign(Buffer.from(text))
      return Buffer.from(formatNote(text, [{ name: signer.name, keyId: signer.keyId, signature }])).toString('utf8')
    }
    expect((await post(`old 0\n\n${newest}`)).slice(0, 3)).toEqual([409, 'text/x.tlog.size', '6\n'])
    expect((await post(`old 7\n\n${newest}`))[0]).toBe(400)
    expect((await post(`old 06\n\n${newest}`))[0]).toBe(400)
    expect((await post(`old 6\nAAAA\n\n${newest}`))[0]).toBe(400)
    expect((await post(`old 6\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}\n${newest}`))[0]).toBe(400)
    expect((await post(''))[0]).toBe(400)
    expect((await post(randomBytes(5000)))[0]).toBe(400)
    expect((await post('x'.repeat(100_000)))[0]).toBe(413)
    expect((await post(`old 6\n${Buffer.alloc(32).toString('base64')}\n\n${newest}`))[0]).toBe(422)
    expect((await post(`old 6\n\n${await note({ size: 6 })}`))[0]).toBe(422)
    expect((await post(`old 6\n\n${await note({ size: 9 })}`))[0]).toBe(422)
    expect((await post(`old 0\n\n${await note({ size: 9, origin: 'other.example/log' })}`))[0]).toBe(404)
    expect((await post(`old 6\n\n${newest.replace(/(?<=— \S+ \S{10})./, (was) => (was === 'A' ? 'B' : 'A'))}`))[0]).toBe(403)
    expect((await post(`old 6\n\n${newest.replaceAll('— first', '— other')}`))[0]).toBe(403)
    // Asked again for what it cosigned last, it cosigns it again.
    const [status, , line] = await post(`old 6\n\n${newest}`)
    expect([status, line.startsWith(`— ${name} `)]).toEqual([200, true])
  })

  test('a witness that answers with another key, another text or a stranger’s tree leaves no cosignature', async () => {
    const { createServer } = await import('node:http')
    let reply = { status: 200, body: '' }
    const liar = createServer((_request, response) => {
      response.writeHead(reply.status, { 'content-type': 'text/plain' }).end(reply.body)
    })
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const address = liar.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await operator.log.include(newRoot())
    const key = (await witness.keyring.witnessSigner('liar.example')).vkey
    const line = Buffer.alloc(76, 1).toString('base64')
    const parsed = parseVerifierKey(key)
    const named = Buffer.concat([parsed?.keyId ?? Buffer.alloc(4), Buffer.alloc(72, 1)]).toString('base64')
    for (const [status, body, answer] of [
      [200, '', 'not_valid'],
      [200, 'hello\n', 'not_valid'],
      [200, `— liar.example ${line}\n`, 'not_valid'],
      [200, `— liar.example ${named}\n`, 'not_valid'],
      [200, `— liar.example ${named}`, 'not_valid'],
      [302, '', 'unreachable'],
      [500, '', 'unreachable'],
      [403, 'no', 'refused'],
      [404, 'no', 'refused'],
      [409, 'x\n', 'refused'],
      [409, '3\n', 'refused'],
      [409, '99\n', 'ahead'],
      [422, '', 'conflict'],
      [200, 'x'.repeat(100_000), 'unreachable'],
    ] as const) {
      reply = { status, body }
      await askWitnesses(
        {
          db: operator.db,
          clock: systemClock,
          log: silentLog,
          witnesses: witnessesOf([{ url: `http://127.0.0.1:${port}`, key }]),
          rules: { allowAddresses: 'any', timeoutMs: 60_000 },
        },
        new AbortController().signal,
      )
      const told = (await listWitnesses(operator.db)).find((each) => each.name === 'liar.example')
      expect([status, body.slice(0, 30), told?.answer]).toEqual([status, body.slice(0, 30), answer])
    }
    const lines = await operator.db.selectFrom('log_cosignature').select('name').execute()
    expect(lines.some((each) => each.name === 'liar.example')).toBe(false)
    liar.close()
  })

  test('only keys of their kind are taken from the settings', async () => {
    const own = (await operator.keyring.logSigner('a.example/log')).vkey
    const cosigner = (await operator.keyring.witnessSigner('w.example')).vkey
    const { publicLog } = loadConfig({
      PROBANT_PUBLIC_URL: 'https://proofs.example',
      PROBANT_LOG_WITNESSES: `https://w.example/x/#${cosigner}, http://127.0.0.1:9#${cosigner}`,
      PROBANT_WITNESSED_LOGS: `${own},go.sum database tree#${own}`,
    })
    expect(publicLog.origin).toBe('proofs.example/log')
    expect(publicLog.witnessName).toBe('proofs.example/witness')
    expect(witnessesOf(publicLog.witnesses).map(({ url: each }) => each)).toEqual(['https://w.example/x', 'http://127.0.0.1:9'])
    expect([...witnessedLogs(publicLog.witnessed).keys()]).toEqual(['a.example/log', 'go.sum database tree'])
    for (const [name, value] of [
      ['PROBANT_LOG_WITNESSES', `ftp://w.example#${cosigner}`],
      ['PROBANT_LOG_WITNESSES', 'https://w.example'],
      ['PROBANT_LOG_WITNESSES', 'https://w.example#name'],
      ['PROBANT_WITNESSED_LOGS', 'a.example/log'],
      ['PROBANT_LOG_ORIGIN', 'a b'],
      ['PROBANT_WITNESS_NAME', 'a+b'],
    ] as const)
      expect(() => loadConfig({ [name]: value }), `${name} ${value}`).toThrow(name)
    const logKey = (await operator.keyring.logSigner('a.example')).vkey
    const witnessKey = (await operator.keyring.witnessSigner('a.example')).vkey
    expect(() => witnessedLogs([{ origin: 'a.example', key: witnessKey }])).toThrow(RangeError)
    expect(() => witnessesOf([{ url: 'http://a.example', key: logKey }])).toThrow(RangeError)
  })
})
