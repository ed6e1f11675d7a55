import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { staffRoles } from '../../kernel/actor.ts'
import type { Config } from '../config/config.ts'
import { packageVersion } from '../config/software.ts'

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

/** Staff call with the bearer token of users; what the document names, it must define (OpenAPI 3.1 §4.8.30). */
const schemeOf = (access: string) => (staffRoles.some((role) => role === access) ? 'user' : access)

/** OpenAPI 3.1 made from the contracts, at /api/docs/json, and a page to read it at /api/docs, with nothing from elsewhere. */
export async function registerOpenApi(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Probant', version: packageVersion, description: 'Court-ready evidence of what a web page showed.' },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          evidence_token: { type: 'apiKey', in: 'header', name: 'X-Evidence-Token' },
          signed_link: { type: 'apiKey', in: 'query', name: 'signature' },
          user: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: (document) => {
      const { access } = document.route.config ?? {}
      const published = transform(document)
      if (access === undefined || access.includes('page')) return { ...published, schema: { ...published.schema, hide: true } }
      const security = [...new Set(access.filter((each) => each !== 'open').map(schemeOf))].map((each) => ({ [each]: [] }))
      // The content types are those of addFileRoute.
      const file =
        document.route.config?.takesFile === true
          ? {
              consumes:
                document.route.config.takesForm === true
                  ? ['application/x-www-form-urlencoded', 'multipart/form-data']
                  : ['application/octet-stream', 'application/pdf', 'image/*'],
              body: { type: 'string' as const, format: 'binary' },
            }
          : {}
      return { ...published, schema: { ...published.schema, ...file, ...(security.length > 0 ? { security } : {}) } }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: documentationPolicy })
}
