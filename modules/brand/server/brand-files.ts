import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../kernel/errors.ts'
import type { Brand } from './load-brands.ts'

type Served = { readonly type: string; readonly bytes: Buffer; readonly etag: string; readonly immutable: boolean }

const served = (type: string, bytes: Buffer, immutable: boolean): Served => ({
  type,
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  immutable,
})

/**
 * `/brands/{name}/theme-{hash}.css`, `/brands/{name}/logo` and `/brands/{name}/logo-dark`: made when the process started; no request makes
 * a path. A logo is an image and never a document: opened by itself it is in a sandbox and may do nothing.
 */
export function registerBrandFiles(app: FastifyInstance, brands: readonly Brand[]): void {
  const files = new Map<string, Served>()
  for (const { id, theme, logo } of brands) {
    files.set(`${id}/${theme.file}`, served('text/css; charset=utf-8', Buffer.from(theme.css), true))
    files.set(`${id}/logo`, served(logo.light.type, logo.light.bytes, false))
    files.set(`${id}/logo-dark`, served(logo.dark.type, logo.dark.bytes, false))
  }
  app.get<{ Params: { brand: string; file: string } }>(
    '/brands/:brand/:file',
    { config: { access: ['open'] }, schema: { hide: true } },
    async (request, reply) => {
      const { brand, file } = request.params
      const found = files.get(`${brand}/${file}`)
      if (found === undefined) throw new DomainError('not_found', 'http.not_found')
      reply.headers({
        etag: found.etag,
        'cache-control': found.immutable ? 'public, max-age=31536000, immutable' : 'public, no-cache',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      if (request.headers['if-none-match'] === found.etag) return await reply.code(304).send()
      return await reply.type(found.type).send(found.bytes)
    },
  )
}
