import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generate } from 'openapi-typescript-codegen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createFolderBlobStore } from '../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../platform/log/log.ts'
import { withDatabase } from '../database.ts'
import { openWebApi } from '../permissions/open-web-api.test-data.ts'

type Call = (...values: unknown[]) => Promise<unknown>
type Service = Readonly<Record<string, Call>>
type Client = { readonly [service: string]: Service }

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-client-'))
const generated = join(folder, 'client')
let api: Awaited<ReturnType<typeof openWebApi>>
let client: Client

beforeAll(async () => {
  api = await openWebApi({
    db: database.db,
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    clock: systemClock,
    log: silentLog,
  })
  await api.server.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`
  const document: unknown = await (await fetch(`${origin}/api/docs/json`)).json()
  await generate({
    input: document as Record<string, unknown>,
    output: generated,
    httpClient: 'fetch',
    useUnionTypes: true,
    clientName: 'Client',
  })
  const { Client } = (await import(/* @vite-ignore */ join(generated, 'index.ts'))) as {
    Client: new (options: { BASE: string }) => Client
  }
  client = new Client({ BASE: origin })
})
afterAll(async () => {
  await api.server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What it says when it is refused: status and body, as the generated client hands them on. */
const refusal = async (calling: Promise<unknown> | undefined) => {
  const error: unknown = await calling?.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  const { status, body } = error as { status: number; body: { code: string; fields: unknown } }
  return { status, code: body.code, fields: body.fields }
}

describe('a client generated from the OpenAPI document', () => {
  test('has types that the compiler takes, strictly', async () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'preserve',
      target: 'es2024',
      lib: ['es2024', 'dom'],
      types: [],
    }
    writeFileSync(join(generated, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', generated])
    expect(stdout).toBe('')
  })

  test('calls what is open without telling who calls', async () => {
    const report = await client['verifier']?.['postVerifierDigest']?.({ algorithm: 'sha256', text: 'abc' })
    // FIPS 180-2, appendix B.1.
    expect(JSON.stringify(report)).toContain('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(await client['servers']?.['getServers']?.()).toMatchObject({ count: expect.any(Number), results: expect.any(Array) })
    expect(await client['restAuth']?.['getRestAuthRegistration']?.()).toEqual({ registrations: 'open' })
  })

  test('reads every refusal in its one shape', async () => {
    expect(await refusal(client['sessions']?.['getSessions']?.())).toEqual({
      status: 401,
      code: 'http.sign_in_required',
      fields: {},
    })
    expect(await refusal(client['restAuth']?.['postRestAuthRegistration']?.({}))).toMatchObject({
      status: 400,
      code: 'http.invalid_request',
      fields: { email: [expect.any(String)] },
    })
  })
})
