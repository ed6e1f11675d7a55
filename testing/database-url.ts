/** Same server, another database. */
export function urlOfDatabase(url: string, name: string): string {
  return url.replace(/\/[^/?]+\?/, `/${name}?`)
}
