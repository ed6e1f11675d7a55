import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Endpoint } from '../../../kernel/endpoint.ts'
import type { Config } from '../../config/config.ts'
import { packageVersion } from '../../config/software.ts'
import { errorSchema, sharedResponses } from './openapi-errors.ts'
import { completeOperation, noWords, securitySchemes, tagOf, type ApiWords, type Operation } from './openapi-operation.ts'

/** The documentation's page sets styles inline; it shows nothing that a stranger wrote. */
const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const transform = createJsonSchemaTransform({
  // A transformed or custom value has no JSON schema of its own; its description stays.
  zodToJsonConfig: { unrepresentable: 'any' },
})

/** OpenAPI 3.1 made from the contracts when it is first asked for, at /api/docs/json, and a page to read it at /api/docs, with nothing from elsewhere. */
export async function registerOpenApi(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl'>,
  words: ApiWords = noWords,
): Promise<void> {
  /** By method and path as they are published. */
  const endpoints = new Map<string, Endpoint>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Probant',
        version: packageVersion,
        description:
          'Court-ready evidence of what a web page showed. Each call says who may make it. Paths are answered with or without the slash at their end; every error has the same shape.',
      },
      servers: [{ url: config.publicUrl }],
      components: { securitySchemes },
    },
    transform: (document) => {
      const { endpoint } = document.route.config ?? {}
      const published = transform(document)
      if (endpoint === undefined) return { ...published, schema: { ...published.schema, hide: true } }
      endpoints.set(keyOf(endpoint.method, endpoint.path), endpoint)
      return published
    },
    transformObject: (document) => {
      const made = 'openapiObject' in document ? document.openapiObject : {}
      const published = Object.entries(made.paths ?? {}).map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations ?? {}).map(([method, operation]) => {
            const endpoint = endpoints.get(keyOf(method, path))
            return [method, endpoint === undefined ? operation : completeOperation(operation as Operation, endpoint, words)]
          }),
        ),
      ])
      const tags = [...new Set([...endpoints.values()].map(tagOf))].toSorted()
      return {
        ...made,
        tags: tags.map((name) => ({ name, ...(Object.hasOwn(words.tags, name) ? { description: words.tags[name] } : {}) })),
        paths: Object.fromEntries(published) as NonNullable<typeof made.paths>,
        components: { ...made.components, schemas: { Error: errorSchema() }, responses: sharedResponses() },
      } as typeof made
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: documentationPolicy })
}

const keyOf = (method: string, path: string) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
