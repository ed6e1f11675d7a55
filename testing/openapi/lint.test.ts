import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { silentLog } from '../../platform/log/log.ts'
import { openWebApi } from '../permissions/open-web-api.test-data.ts'

let api: Awaited<ReturnType<typeof openWebApi>>
let text: string

beforeAll(async () => {
  // What is documented needs no database; whoever asks one here fails.
  api = await openWebApi({ db: {} as Db, blobs: {} as BlobStore, clock: systemClock, log: silentLog })
  text = (await api.server.inject('/api/docs/json')).body
})
afterAll(async () => {
  await api.server.close()
})

describe('OpenAPI of the web role', () => {
  test('satisfies a linter of the field, strictly', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // The software is nobody else’s to use, and an installation on this machine is one too.
        'info-license': 'off',
        'no-server-example.com': 'off',
        // Paths are written with the slash that may be left out.
        'no-path-trailing-slash': 'off',
        'operation-description': 'error',
        'operation-operationId': 'error',
        'operation-tag-defined': 'error',
        'tag-description': 'error',
        'parameter-description': 'error',
        'no-invalid-media-type-examples': 'error',
        'no-invalid-schema-examples': 'error',
        'operation-4xx-problem-details-rfc7807': 'off',
      },
    })
    const problems = await lintFromString({ source: text, config, absoluteRef: 'openapi.json' })
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)).toEqual([])
  })
})
