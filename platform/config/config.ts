import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { capturesOf, type CapturesConfig } from './parts/captures.ts'
import { installationOf, type InstallationConfig } from './parts/installation.ts'
import { moneyOf, type MoneyConfig } from './parts/money.ts'
import { sealingOf, type SealingConfig } from './parts/sealing.ts'
import { siteOf, type SiteConfig } from './parts/site.ts'
import { storageOf, type StorageConfig } from './parts/storage.ts'
import { tlsOf, type TlsConfig } from './parts/tls.ts'
import { watchingOf, type WatchingConfig } from './parts/watching.ts'
import { readValues } from './settings/values.ts'

export type Config = InstallationConfig &
  StorageConfig &
  SealingConfig &
  CapturesConfig &
  MoneyConfig &
  SiteConfig &
  WatchingConfig & { readonly tls: TlsConfig }

/** Lists every fault at once; a process that meets it exits with 78 (EX_CONFIG of sysexits.h). */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
export const configErrorExitCode = 78

/** @throws ConfigError */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = []
  const values = readValues(env, faults)
  const installation = installationOf(values, faults)
  const config = {
    ...installation,
    ...storageOf(values, faults),
    ...sealingOf(values, installation.publicUrl, faults),
    ...capturesOf(values, faults),
    ...moneyOf(values, faults),
    ...siteOf(values, faults),
    ...watchingOf(values),
    tls: tlsOf(values, faults),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

/** In the data folder while a backup is put back into it: nothing else may begin. */
export const restoringFile = 'restoring.json'

export const isRestoring = ({ dataFolder }: Pick<Config, 'dataFolder'>): boolean => existsSync(join(dataFolder, restoringFile))
