import { settings, testVariable } from './settings.ts'

/** Each setting as it was read, or its fallback. */
export type Values = {
  -readonly [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> | (typeof settings)[Key]['fallback']
}

/** An empty variable counts as absent, as Compose files and shells produce them. @param faults gets what cannot be read or is no setting */
export function readValues(env: Readonly<Record<string, string | undefined>>, faults: string[]): Values {
  const known = new Set<string>(Object.values(settings).map((each) => each.name))
  for (const name of Object.keys(env).toSorted()) {
    if (name.startsWith('PROBANT_') && !known.has(name) && !testVariable.test(name)) faults.push(`${name} is not a setting`)
  }
  const entries = Object.entries(settings).map(([key, each]) => {
    const given = env[each.name]
    if (given === undefined || given === '') return [key, each.fallback]
    try {
      return [key, each.parse(given)]
    } catch (error) {
      faults.push(`${each.name} ${error instanceof Error ? error.message : String(error)}`)
      return [key, each.fallback]
    }
  })
  return Object.fromEntries(entries) as Values
}

/** Where `http:` is read by nobody on the way. */
export const isThisMachine = (url: string): boolean => /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname)

/** The settings whose addresses are to be `https:`, except on the machine itself, say so. */
export function expectHttps(values: Values, names: readonly (keyof Values)[], faults: string[]): void {
  for (const name of names) {
    const url = values[name]
    if (typeof url === 'string' && url.startsWith('http:') && !isThisMachine(url))
      faults.push(`${settings[name].name} must start with https://, except on the machine itself`)
  }
}
