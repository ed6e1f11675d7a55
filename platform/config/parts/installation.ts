import type { Values } from '../settings/values.ts'

/** Whether what visitors send could be read between them and here; on the machine itself there is no between. */
function isReadOnTheWay(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** What it is, where it is reached, who runs it. */
export type InstallationConfig = {
  readonly environment: 'development' | 'production'
  readonly host: string
  readonly port: number
  /** Without trailing slash. */
  readonly publicUrl: string
  /** Who runs the machine, as the operator states it. */
  readonly operator: string | undefined
  /** Whether a sample is made of the installation itself. */
  readonly sample: boolean
  /** For `/.well-known/security.txt`; empty: there is none. */
  readonly securityContacts: readonly string[]
  readonly registrations: 'open' | 'invite' | 'closed'
  readonly review: {
    readonly fourEyes: boolean
    /** Days after the acceptance for which files are kept. */
    readonly documentsDays: number
  }
  readonly trustedProxies: readonly string[]
  readonly workerConcurrency: number
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

export function installationOf(values: Values, faults: string[]): InstallationConfig {
  const production = values.environment === 'production'
  if (production && values.publicUrl === undefined) faults.push('PROBANT_PUBLIC_URL is required in production')
  else if (production && isReadOnTheWay(values.publicUrl ?? '') && values.plainVisitors === undefined)
    faults.push('PROBANT_PUBLIC_URL must start with https:// in production: see PROBANT_PLAIN_HTTP')
  const publicUrl = (values.publicUrl ?? `http://localhost:${values.port}`).replace(/\/+$/, '')
  return {
    environment: values.environment,
    host: values.host ?? (values.environment === 'production' ? '0.0.0.0' : '127.0.0.1'),
    port: values.port,
    publicUrl,
    operator: values.operator?.trim() === '' ? undefined : values.operator?.trim(),
    sample: values.sample === 'on',
    securityContacts: values.securityContacts,
    registrations: values.registrations,
    review: { fourEyes: values.reviewFourEyes === 'on', documentsDays: values.identityDocumentsDays },
    trustedProxies: values.trustedProxies,
    workerConcurrency: values.workerConcurrency,
    logLevel: values.logLevel,
  }
}
