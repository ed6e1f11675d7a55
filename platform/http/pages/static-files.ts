import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The built files, listed once: only these names are ever served, so that no request makes a path. */
export type StaticFiles = { readonly folder: string; readonly paths: readonly string[]; readonly all: ReadonlySet<string> }

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.webmanifest': 'application/manifest+json',
  '.html': 'text/html; charset=utf-8',
}

export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const all = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.replace(/\/$/, '').length + 1)),
  )
  const paths = [...all].filter(
    (path) => path !== 'index.html' && path !== 'manifest.json' && !/\.(?:br|gz)$/.test(path) && !/[:*]/.test(path),
  )
  return { folder, paths, all }
}

/** Whether a coding is among those of `Accept-Encoding` (RFC 9110 §12.5.3). */
export function accepts(acceptEncoding: string, coding: string): boolean {
  return new RegExp(`(?:^|[\\s,])${coding}(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$))(?:[\\s,;]|$)`, 'i').test(acceptEncoding)
}

/** An accepted coding of the file that was compressed at build time, best first. */
function precompressed(files: StaticFiles, path: string, acceptEncoding: string): { suffix: string; coding: string } | undefined {
  return [
    { suffix: '.br', coding: 'br' },
    { suffix: '.gz', coding: 'gzip' },
  ].find(({ suffix, coding }) => files.all.has(path + suffix) && accepts(acceptEncoding, coding))
}

export async function sendStaticFile(
  files: StaticFiles,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoded = precompressed(files, path, request.headers['accept-encoding'] ?? '')
  const file = join(files.folder, path + (encoded?.suffix ?? ''))
  // Vite puts a hash of the content into every name under assets/.
  const hashed = path.startsWith('assets/')
  const { mtimeMs, size } = await stat(file)
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  reply.headers({
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    etag,
    vary: 'accept-encoding',
    ...(encoded === undefined ? {} : { 'content-encoding': encoded.coding }),
  })
  // A worker has the policy of its own answer (CSP 3 §3.2): the one that reads what a visitor drops computes, and reaches no network.
  if (/^assets\/[^/]*\.worker-[^/]*\.js$/.test(path))
    reply.header('content-security-policy', "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'")
  // It fetches for the pages that it keeps, and does nothing else.
  if (path === 'service-worker.js')
    reply.header('content-security-policy', "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'")
  if (path.endsWith('.svg'))
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox")
  if (request.headers['if-none-match'] === etag) return await reply.code(304).send()
  return await reply.type(mediaTypes[extname(path)] ?? 'application/octet-stream').send(await readFile(file))
}
