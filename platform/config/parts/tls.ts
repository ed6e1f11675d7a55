import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { tls } from '../settings/tls.ts'

type Values = { readonly [Key in keyof typeof tls]: ReturnType<(typeof tls)[Key]['parse']> | (typeof tls)[Key]['fallback'] } & {
  readonly publicUrl: string | undefined
}

/** Who ends TLS. */
export type TlsConfig =
  | { readonly by: 'proxy' }
  | { readonly by: 'files'; readonly certificateFile: string; readonly keyFile: string; readonly plainPort: number }
  | {
      readonly by: 'acme'
      readonly directory: string
      readonly contact: string | null
      readonly binding: { readonly kid: string; readonly hmacKey: string } | null
      readonly plainPort: number
    }

/** @param faults gets what is missing or cannot be */
export function tlsOf(values: Values, faults: string[]): TlsConfig {
  if (values.tls === 'proxy') return { by: 'proxy' }
  const { hostname, protocol } = new URL(values.publicUrl ?? 'http://localhost')
  if (protocol !== 'https:') faults.push(`PROBANT_PUBLIC_URL must start with https:// with PROBANT_TLS=${values.tls}`)
  if (values.tls === 'files') {
    if (values.tlsCertificate === undefined) faults.push('PROBANT_TLS_CERTIFICATE is required with PROBANT_TLS=files')
    if (values.tlsKey === undefined) faults.push('PROBANT_TLS_KEY is required with PROBANT_TLS=files')
    const [certificateFile, keyFile] = [resolve(values.tlsCertificate ?? ''), resolve(values.tlsKey ?? '')]
    return { by: 'files', certificateFile, keyFile, plainPort: values.plainPort }
  }
  if (values.acmeTerms === undefined) faults.push('PROBANT_ACME_TERMS is required with PROBANT_TLS=acme')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.'))
    faults.push('PROBANT_PUBLIC_URL must have a name that an authority can reach with PROBANT_TLS=acme')
  return {
    by: 'acme',
    directory: values.acmeDirectory,
    contact: values.acmeContact ?? null,
    binding: values.acmeBinding ?? null,
    plainPort: values.plainPort,
  }
}
