import { ConfigError, configErrorExitCode, loadConfig, type Config } from '../../platform/config/config.ts'

/** The environment's configuration; a wrong one ends the process with every fault named. */
export function readConfig(): Config {
  try {
    return loadConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.faults.join('\n')}\n`)
    return process.exit(configErrorExitCode)
  }
}
