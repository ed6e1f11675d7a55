import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { locales } from '../../../kernel/locale.ts'
import { escapeHtml } from '../../html/html.ts'
import { alternatesOf } from './page-head.ts'

/** sitemaps.org: every page that may be listed, in each language, with its other languages beside it. */
function sitemap(publicUrl: string, paths: readonly string[]): string {
  const urls = paths.flatMap((path) => {
    const links = alternatesOf(publicUrl, path).map(
      ([language, href]) => `    <xhtml:link rel="alternate" hreflang="${language}" href="${escapeHtml(href)}"/>`,
    )
    return locales.map((locale) =>
      ['  <url>', `    <loc>${escapeHtml(`${publicUrl}/${locale}${path}`)}</loc>`, ...links, '  </url>'].join('\n'),
    )
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

/**
 * For programs that list pages: which there are, and which they may ask for.
 * @param site.listed paths after the language prefix, with their slashes
 * @param site.robotsFile what they may ask for (RFC 9309); the address of the list is added
 */
export function registerSitemap(
  app: FastifyInstance,
  site: { readonly publicUrl: string; readonly listed: readonly string[]; readonly robotsFile: string },
): void {
  const config = { access: ['page'] }
  const xml = sitemap(site.publicUrl, site.listed)
  app.get('/sitemap.xml', { config }, async (_, reply) => {
    return await reply.header('cache-control', 'public, no-cache').type('application/xml; charset=utf-8').send(xml)
  })
  app.get('/robots.txt', { config }, async (_, reply) => {
    const rules = await readFile(site.robotsFile, 'utf8')
    return await reply
      .header('cache-control', 'public, no-cache')
      .type('text/plain; charset=utf-8')
      .send(`${rules.trimEnd()}\n\nSitemap: ${site.publicUrl}/sitemap.xml\n`)
  })
}
