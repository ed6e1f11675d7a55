import { ConfigError, configErrorExitCode, isRestoring, loadConfig, type Config } from '../../platform/config/config.ts'
import { withSettingsFile } from '../../platform/config/settings-file.ts'

/** The configuration of the environment and of a file of settings, which what is started from here has too; a wrong one ends the process with every fault named. */
export function readConfig(): Config {
  try {
    Object.assign(process.env, withSettingsFile(process.env))
    const config = loadConfig(process.env)
    if (isRestoring(config))
      throw new ConfigError([
        `a backup is being put back into ${config.dataFolder}: let \`npx probant restore\` end, or call it again the same way`,
      ])
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.faults.join('\n')}\n`)
    return process.exit(configErrorExitCode)
  }
}
