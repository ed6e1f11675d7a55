/**
 * Web-standard globals that exist alike in Node and in browsers (WinterTC minimum common API). The pure layer is
 * compiled without the DOM and without Node; what it may use of the platform is written here and nowhere else.
 */
interface TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>
}
declare var TextEncoder: { new (): TextEncoder }
interface TextDecoder {
  decode(input?: Uint8Array | ArrayBuffer, options?: { stream?: boolean }): string
}
declare var TextDecoder: { new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder }
interface URLSearchParams {
  get(name: string): string | null
}
interface URL {
  href: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  hash: string
  readonly origin: string
  readonly searchParams: URLSearchParams
}
declare var URL: { new (url: string, base?: string): URL; canParse(url: string, base?: string): boolean }
