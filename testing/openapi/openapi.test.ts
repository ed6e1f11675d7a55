import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiWords } from '../../apps/server/roles/api-words.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { admits } from '../../platform/http/openapi/openapi-example.ts'
import { operationIdOf } from '../../platform/http/openapi/openapi-operation.ts'
import { silentLog } from '../../platform/log/log.ts'
import { openWebApi } from '../permissions/open-web-api.test-data.ts'

type Content = Readonly<Record<string, { readonly example?: unknown; readonly schema?: unknown }>>
type Described = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly description: string
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[]
  readonly security: readonly unknown[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

let api: Awaited<ReturnType<typeof openWebApi>>
let described: ReadonlyMap<string, Described>

beforeAll(async () => {
  // What is documented needs no database; whoever asks one here fails.
  api = await openWebApi({ db: {} as Db, blobs: {} as BlobStore, clock: systemClock, log: silentLog })
  const { paths } = (await api.server.inject('/api/docs/json')).json() as {
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  described = new Map(
    Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => [each.operationId, each] as const)),
  )
})
afterAll(async () => {
  await api.server.close()
})

const operationOf = (endpoint: Endpoint) => {
  const found = described.get(operationIdOf(endpoint))
  if (found === undefined) throw new Error(`${endpoint.method} ${endpoint.path} is not published`)
  return found
}

describe('OpenAPI of the web role', () => {
  test('asks whoever calls for what the contract asks for, and of an open call for nothing', () => {
    const of = (name: string) => described.get(name)?.security
    expect(of('getHealth')).toEqual([])
    expect(of('postEvidences')).toEqual([
      {},
      { user: [] },
      { user: [], delegation: ['create'] },
      { api_key: ['evidences:create'] },
    ])
    expect(of('postSessionsEndAll')).toEqual([{ user: [] }])
    expect(of('getAdminActs')).toEqual([{ user: ['administrator'] }])
    expect(of('getFilesByIdReport')).toEqual([{ signed_link: [] }])
    for (const endpoint of api.endpoints) {
      const asked = operationOf(endpoint).security
      const isOpen = asked.length === 0 || asked.some((each) => Object.keys(each as object).length === 0)
      expect(isOpen, `${endpoint.method} ${endpoint.path}`).toBe(endpoint.access.includes('open'))
    }
  })

  test('names every call, says who may make it, what it is about, and how it fails', () => {
    expect(api.endpoints.map(operationIdOf).filter((id, index, ids) => ids.indexOf(id) !== index)).toEqual([])
    for (const endpoint of api.endpoints) {
      const { tags, description, parameters = [], responses } = operationOf(endpoint)
      const name = `${endpoint.method} ${endpoint.path}`
      expect(Object.keys(apiWords.tags), name).toContain(tags[0])
      expect(description, name).toMatch(/^May be called by: /)
      expect(
        parameters.filter((each) => each.description === undefined).map((each) => each.name),
        name,
      ).toEqual([])
      expect(responses, name).toMatchObject({ 400: { $ref: '#/components/responses/BadRequest' }, '5XX': expect.anything() })
    }
  })

  test('gives an example of every JSON body and answer that its contract takes', () => {
    const wrong = api.endpoints.flatMap((endpoint) => {
      const { requestBody, responses } = operationOf(endpoint)
      const { body, response, status } = endpoint
      const name = `${endpoint.method} ${endpoint.path}`
      const sent = requestBody?.content['application/json']
      const answered = responses[String(status)]?.content?.['application/json']
      return [
        ...(body === undefined || admits(body, sent?.example, 'input')
          ? []
          : [`${name} body ${JSON.stringify(body.safeParse(sent?.example).error?.issues)}`]),
        ...(typeof response === 'string' || status === 204 || admits(response, answered?.example, 'output')
          ? []
          : [`${name} answer`]),
      ]
    })
    expect(wrong).toEqual([])
  })
})
