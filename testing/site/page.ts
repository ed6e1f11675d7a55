import type { IncomingMessage, ServerResponse } from 'node:http'

/** HTTP/2 requests reach the pages through Node's compatibility API, which has the same shape. */
export type SiteRequest = IncomingMessage
export type SiteResponse = ServerResponse

/** Addresses a page may need to point at: its own, and another origin of the same site. */
export type SiteContext = { readonly origin: string; readonly otherOrigin: string; readonly url: URL }

export type Page = {
  readonly path: string
  /** One line for the list at `/`. */
  readonly about: string
  readonly answer: (context: SiteContext, request: SiteRequest, response: SiteResponse) => void | Promise<void>
}

export function send(
  response: SiteResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  response.writeHead(status, { 'content-type': type, 'content-length': String(bytes.length), ...headers })
  response.end(bytes)
}

export function html(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`
}

/** A page of fixed HTML. */
export function fixed(
  path: string,
  about: string,
  title: string,
  body: string,
  options: { head?: string; status?: number; headers?: Record<string, string> } = {},
): Page {
  return {
    path,
    about,
    answer: (_context, _request, response) =>
      send(response, options.status ?? 200, 'text/html; charset=utf-8', html(title, body, options.head ?? ''), options.headers),
  }
}

/** Enough words, in both languages, that a page is not blank. */
export const prose = `<h1 lang="fr">Les œuvres de l’été : « forêts, naïades et garçons »</h1>
<p lang="fr">Le Maître d’œuvre a livré, dès l’aube, cinq œuvres à l’hôtel ; leur prix, 118,80 €, figure au catalogue.</p>
<p lang="en">The foreman delivered five works to the hotel at dawn; their price, €118.80, is printed in the catalogue.</p>`
