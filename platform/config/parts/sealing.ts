import { resolve } from 'node:path'
import type { Values } from '../settings/values.ts'

/** How checkpoints of the public log get into the Bitcoin chain, and whose word on its blocks is taken. */
export type AnchorConfig = {
  /** Without trailing slash; empty: none. */
  readonly calendars: readonly string[]
  readonly everyMinutes: number
  readonly giveUpDays: number
  readonly confirmations: number
  readonly network: 'main' | 'regtest'
  readonly explorers: readonly string[]
  readonly node: {
    readonly url: string
    readonly walletUrl: string
    /** Absolute. */
    readonly credentialsFile: string
    readonly pays: boolean
    /** In satoshi. */
    readonly maxFee: number
  } | null
}

/** Who signs, who dates, where roots are published, whose lists are believed. */
export type SealingConfig = {
  readonly tsaUrls: readonly string[]
  readonly publicLog: {
    readonly origin: string
    readonly witnesses: readonly { readonly url: string; readonly key: string }[]
    /** As a witness of other logs. */
    readonly witnessName: string
    readonly witnessed: readonly { readonly origin: string; readonly key: string }[]
  }
  /** The European trusted lists; `lotlUrl` null: none is read from its source. */
  readonly trustedLists: { readonly lotlUrl: string | null; readonly timeoutMs: number; readonly maxBytes: number }
  readonly anchor: AnchorConfig
  /** Absolute paths. */
  readonly sealingToken: {
    readonly module: string
    readonly token: string
    readonly key: string
    readonly pinFile: string
    readonly certificateFile: string | null
  } | null
  readonly archiveDomain: { readonly certificateFile: string; readonly keyFile: string } | null
}

export function sealingOf(values: Values, publicUrl: string, faults: string[]): SealingConfig {
  const token = [values.tokenModule, values.tokenLabel, values.tokenKey, values.tokenPinFile]
  if (token.some((value) => value !== undefined) && token.includes(undefined))
    faults.push('PROBANT_PKCS11_MODULE, PROBANT_PKCS11_TOKEN, PROBANT_PKCS11_KEY and PROBANT_PKCS11_PIN_FILE are given together')
  if (values.tokenCertificate !== undefined && values.tokenModule === undefined)
    faults.push('PROBANT_PKCS11_CERTIFICATE needs PROBANT_PKCS11_MODULE')
  if ((values.archiveCertificate === undefined) !== (values.archiveKey === undefined))
    faults.push('PROBANT_WACZ_CERTIFICATE and PROBANT_WACZ_KEY are given together')
  if (values.bitcoinRpc !== undefined && values.bitcoinCredentials === undefined)
    faults.push('PROBANT_BITCOIN_CREDENTIALS is required with PROBANT_BITCOIN_RPC')
  if (values.bitcoinRpc === undefined && values.bitcoinPay === 'on') faults.push('PROBANT_BITCOIN_PAY needs PROBANT_BITCOIN_RPC')
  if (values.esplora.length === 1) faults.push('PROBANT_ESPLORA must list two addresses or more: one alone is not believed')
  if (values.environment === 'production' && values.bitcoinNetwork !== 'main')
    faults.push('PROBANT_BITCOIN_NETWORK must be main in production')
  return {
    tsaUrls: values.tsaUrls,
    publicLog: {
      origin: values.logOrigin ?? `${schemeless(publicUrl)}/log`,
      witnesses: values.logWitnesses,
      witnessName: values.witnessName ?? `${schemeless(publicUrl)}/witness`,
      witnessed: values.witnessedLogs,
    },
    trustedLists: {
      lotlUrl: values.trustedLists === 'none' ? null : values.trustedLists,
      timeoutMs: values.trustedListSeconds * 1000,
      maxBytes: values.trustedListBytes,
    },
    anchor: {
      calendars: values.otsCalendars,
      everyMinutes: values.anchorMinutes,
      giveUpDays: values.anchorDays,
      confirmations: values.bitcoinConfirmations,
      network: values.bitcoinNetwork,
      explorers: values.esplora,
      node:
        values.bitcoinRpc === undefined || values.bitcoinCredentials === undefined
          ? null
          : {
              url: values.bitcoinRpc,
              walletUrl: values.bitcoinWallet ?? values.bitcoinRpc,
              credentialsFile: resolve(values.bitcoinCredentials),
              pays: values.bitcoinPay === 'on',
              maxFee: values.bitcoinMaxFee,
            },
    },
    sealingToken: sealingTokenOf(
      values.tokenModule,
      values.tokenLabel,
      values.tokenKey,
      values.tokenPinFile,
      values.tokenCertificate,
    ),
    archiveDomain:
      values.archiveCertificate === undefined || values.archiveKey === undefined
        ? null
        : { certificateFile: resolve(values.archiveCertificate), keyFile: resolve(values.archiveKey) },
  }
}

/** `https://proofs.example/` is `proofs.example`: how c2sp.org/tlog-checkpoint names a log. */
function schemeless(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

function sealingTokenOf(...values: readonly (string | undefined)[]): SealingConfig['sealingToken'] {
  const [module, token, key, pinFile, certificate] = values
  if (module === undefined || token === undefined || key === undefined || pinFile === undefined) return null
  const certificateFile = certificate === undefined ? null : resolve(certificate)
  return { module: resolve(module), token, key, pinFile: resolve(pinFile), certificateFile }
}
