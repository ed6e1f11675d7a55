/** T-03: one look at a page, as Matomo’s tracking API takes it. No cookie, no identifier, no query, nothing of where the visitor came from. */
export function tellPixel(pixel: { readonly address: string; readonly site: number }, page: { url: URL; title: string }): void {
  const body = new URLSearchParams({
    idsite: String(pixel.site),
    rec: '1',
    apiv: '1',
    send_image: '0',
    cookie: '0',
    url: `${page.url.origin}${page.url.pathname}`,
    action_name: page.title,
    rand: crypto.randomUUID(),
  })
  // Whether it is there is no visitor's business.
  fetch(pixel.address, { method: 'POST', mode: 'no-cors', credentials: 'omit', keepalive: true, body }).catch(() => undefined)
}
