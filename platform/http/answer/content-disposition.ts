/**
 * Content-Disposition for any file name, also a hostile one (RFC 6266 §4, Appendix D; RFC 8187): an ASCII form for old
 * clients, the exact name in UTF-8 for the others. Separators and control characters cannot reach the client's file system.
 */
export function contentDisposition(disposition: 'inline' | 'attachment', fileName?: string): string {
  if (fileName === undefined) return disposition
  const safe = fileName
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .slice(0, 200)
    .toWellFormed()
    .replace(/[.\s]+$/, '')
  const name = safe === '' ? 'download' : safe
  // RFC 6266 Appendix D: no percent sign in the plain form, some clients decode it.
  const ascii = name.replaceAll(/[^\x20-\x7e]|[%;]/g, '_')
  if (ascii === name) return `${disposition}; filename="${ascii}"`
  const extended = encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${extended}`
}
