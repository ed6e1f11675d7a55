/** K-26: the page's own origin unless the build was configured otherwise. */
export function apiAddress(path: string): string {
  if (!path.startsWith('/')) return path
  const base: unknown = import.meta.env['VITE_API_BASE']
  return typeof base === 'string' && base !== '' ? base.replace(/\/$/, '') + path : path
}
