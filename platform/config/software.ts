import packageFile from '../../package.json' with { type: 'json' }

/** `probant/<version>`: how the product names itself in evidence, logs and documentation. */
export const packageSoftware = `probant/${packageFile.version}`
export const packageVersion = packageFile.version
