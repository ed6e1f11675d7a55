/** The server and the command line as plain JavaScript, made before a release (decision 0460). */
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'vite'

/** Programs that are started by name; those that they start are found where their files are named. */
const programs = ['apps/cli/probant.ts', 'apps/server/supervise.ts', 'apps/server/serve-database.ts', 'apps/server/serve.ts']
/** Looked for at the top of a release and made by its operator. */
const operators = ['probant.env']
/** Where they stand in a release: one folder below its top, all of them, so that the top is `..` from each. */
export const compiledFolder = 'compiled'

export type Compiled = {
  /** Files and folders of the tree that the programs read from beside their sources. */
  readonly assets: readonly string[]
  /** Packages that they import. */
  readonly packages: readonly string[]
  /** File names in the folder. */
  readonly files: readonly string[]
}

const named = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g
const besideSources = /\bimport\.meta\.(?!url\b)\w+/
const programName = (path: string) =>
  `${programs.includes(path) ? basename(path, '.ts') : path.slice(0, -3).replaceAll('/', '-')}.js`

/**
 * What a file finds from where it stands, it finds from where it stood: other programs among the compiled ones, all else at the same path
 * below the top of the release.
 * @throws Error for a way of asking for a place that is not one of these
 */
export function replaceAddresses(
  code: string,
  path: string,
  tell: { readonly program: (path: string) => void; readonly asset: (path: string) => void },
): string {
  const other = besideSources.exec(code)?.[0]
  if (other !== undefined) throw new Error(`${path}: a compiled program has no ${other} of its sources`)
  const withPrograms = code.replaceAll(named, (_, target: string) => {
    const at = join(dirname(path), target)
    if (at.endsWith('.ts')) {
      tell.program(at)
      return `new URL('./${programName(at)}', import.meta.url)`
    }
    // The top itself is asked for to know what stands below it.
    if (at !== './' && !operators.includes(at)) tell.asset(at)
    return `new URL('../${at === './' ? '' : at}', import.meta.url)`
  })
  return withPrograms.replaceAll(/(?<!', )\bimport\.meta\.url\b/g, `new URL('../${path}', import.meta.url).href`)
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** What is required by name is imported as much. @param code as the bundler writes it, with quotes of its own choice */
export function requiredBy(code: string): string[] {
  const names = [...code.matchAll(/\brequire\((["'])([^"'.][^"']*)\1\)/g)].map(([, , name = '']) => name)
  return names.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name)).map(packageOf)
}

/** @param root of the repository @param outDir emptied first */
export async function compile(root: string, outDir: string): Promise<Compiled> {
  const assets = new Set<string>()
  const packages = new Set<string>()
  const found = new Set<string>()
  const addresses: Plugin = {
    name: 'probant:addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.ts') || id.includes('/node_modules/') || !code.includes('import.meta')) return null
      return replaceAddresses(code, relative(root, id), {
        asset: (path) => assets.add(path),
        program: (path) => {
          if (programs.includes(path) || found.has(path)) return
          found.add(path)
          this.emitFile({ type: 'chunk', id: join(root, path), fileName: programName(path) })
        },
      })
    },
  }
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [addresses],
    // Words are most of what is read at a start; as text they are parsed when they are wanted.
    json: { stringify: true },
    ssr: { target: 'node', external: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node26',
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(programs.map((path) => [basename(path, '.ts'), join(root, path)])),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name][extname]',
        },
      },
    },
  })
  const output = 'output' in built ? built.output : []
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    const own = new Set(output.map((each) => each.fileName))
    for (const name of [...chunk.imports, ...chunk.dynamicImports])
      if (!own.has(name) && !name.startsWith('node:') && !builtinModules.includes(name)) packages.add(packageOf(name))
    for (const name of requiredBy(chunk.code)) packages.add(name)
  }
  for (const path of assets) if (!existsSync(join(root, path))) throw new Error(`a program reads ${path}, which is not there`)
  const declared = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const missing = [...packages].filter((name) => !(name in declared.dependencies))
  if (missing.length > 0) throw new Error(`not among the dependencies: ${missing.toSorted().join(', ')}`)
  return {
    assets: [...assets].toSorted(),
    packages: [...packages].toSorted(),
    files: output.map(({ fileName }) => fileName).toSorted(),
  }
}
