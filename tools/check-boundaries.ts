/**
 * The layers of docs/ARCHITECTURE.md, as a check of every import in the tree. What the compiler already refuses (DOM or Node
 * in pure code) is not repeated here; this holds who may import whom, that no files import each other in a circle, and that no rooms do:
 * a folder is a room, and what two rooms share stands in one below both. It fails when it scans nothing.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCircles } from './find-circles.ts'

export type Import = { readonly file: string; readonly target: string; readonly line: number }

const codeRoots = ['kernel', 'platform', 'ui', 'modules', 'apps', 'testing', 'tools', 'e2e', 'bench']
const importPattern =
  /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm

export function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(importPattern)].map((match) => ({
    file,
    target: match[1] ?? match[2] ?? match[3] ?? '',
    line: source.slice(0, match.index).split('\n').length,
  }))
}

type Place = { area: string; module?: string; layer?: string }

function placeOf(path: string): Place {
  const [area = '', second, third] = path.split('/')
  return area === 'modules' ? { area, module: second ?? '', layer: third ?? '' } : { area, layer: second ?? '' }
}

/** @returns why the import is refused, or null. Paths are relative to the root, with forward slashes. */
export function refuse(file: string, target: string): string | null {
  const from = placeOf(file)
  const isTest = /\.(?:test|test-data|fixture)\.tsx?$/.test(file)
  if (!target.startsWith('.')) {
    if (from.area === 'kernel' && target !== 'zod' && !isTest) return 'kernel imports zod only'
    if (from.layer === 'contract' && target !== 'zod' && !isTest) return 'a contract imports zod, kernel and its own domain only'
    if ((from.layer === 'contract' || from.layer === 'domain' || from.area === 'kernel') && target.startsWith('node:') && !isTest)
      return 'pure code imports no Node'
    return null
  }
  const toPath = relative('.', join(dirname(file), target)).replaceAll('\\', '/')
  const to = placeOf(toPath)
  if (toPath.startsWith('..')) return 'imports leave the repository'
  if (/\.test\.tsx?$/.test(toPath)) return 'nothing imports a test'
  if (from.area === 'apps' || from.area === 'e2e' || from.area === 'bench' || from.area === 'tools' || isTest) return null
  if (from.area === 'testing') return to.area === 'apps' ? 'testing does not import apps' : null
  if (to.area === 'kernel') return null
  if (from.area === 'kernel') return 'kernel imports kernel only'
  // The driver publishes its protocol types outside its export map.
  if (to.area === 'node_modules') return toPath.endsWith('.d.ts') ? null : 'packages are imported by name'
  if (from.area === 'platform') {
    const known = to.area === 'platform' || to.area === 'db' || isMessages(toPath) || toPath === 'package.json'
    return known ? null : 'platform imports kernel and platform only'
  }
  if (from.area === 'ui') return to.area === 'ui' || isMessages(toPath) ? null : 'ui imports kernel and ui only'
  if (to.area === 'apps' || to.area === 'testing') return 'modules import neither apps nor testing'
  // The tables, as generated types, are read where SQL stands: platform/db and the stores.
  if (toPath === 'db/schema.d.ts')
    return /\/server\/([a-z-]+\/)*([a-z]+-)*store\.ts$/.test(file) ? null : 'SQL stands in stores only'
  const same = to.module === from.module
  switch (from.layer) {
    case 'contract':
      // A domain knows no contract, so a wire shape may be made of the domain's own words.
      return same && (to.layer === 'contract' || to.layer === 'domain')
        ? null
        : 'a contract imports zod, kernel and its own domain only'
    case 'domain':
      return same && (to.layer === 'domain' || to.layer === 'messages') ? null : 'a domain imports its own domain and kernel only'
    case 'server':
      if (to.area === 'platform') return null
      if (same) return to.layer === 'web' ? 'a server does not import the web' : null
      return /^modules\/[a-z-]+\/server\/index\.ts$/.test(toPath)
        ? null
        : 'another module is imported by its server/index.ts only'
    case 'web':
      if (to.area === 'ui') return null
      if (same) return to.layer === 'server' ? 'the web does not import the server' : null
      if (to.layer === 'contract' || /^modules\/[a-z-]+\/web\/index\.ts$/.test(toPath)) return null
      return "the web imports another module's contract and its web/index.ts only"
    case 'messages':
      return same && to.layer === 'messages' && isMessages(toPath) ? null : 'messages import their own catalogues only'
    default:
      return `${file} stands in no known layer`
  }
}

/** Catalogues are data that platform and ui merge. */
function isMessages(path: string): boolean {
  return /(^|\/)messages\/[a-z.-]+\.json$/.test(path)
}

function* sourceFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* sourceFiles(path)
    } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts')) yield path
  }
}

/** What tests alone hold: it may look at everything, and nothing else stands on it. */
const ofTests = /\.(?:test|test-data|test-program|fixture)\.tsx?$/

/** Who imports whom, types included. Paths are relative to the root. */
class ImportGraph {
  readonly #files = new Map<string, Set<string>>()
  readonly #rooms = new Map<string, Set<string>>()
  /** For each pair of rooms, an import that ties them. */
  readonly #ties = new Map<string, string>()

  add(file: string, target: string): void {
    if (!target.startsWith('.') || ofTests.test(file)) return
    const to = join(dirname(file), target).replaceAll('\\', '/')
    if (!/\.tsx?$/.test(to) || ofTests.test(to)) return
    into(this.#files, file, to)
    const [room, other] = [dirname(file), dirname(to)]
    if (room === other) return
    into(this.#rooms, room, other)
    const tie = `${room} -> ${other}`
    if (!this.#ties.has(tie)) this.#ties.set(tie, `${file} imports ${to}`)
  }

  /** @returns a line for each circle of files and of rooms, with what ties it */
  circles(): string[] {
    const ofFiles = findCircles(this.#files).map((circle) => `files import each other in a circle: ${circle.join(', ')}`)
    const ofRooms = findCircles(this.#rooms).map((circle) => {
      const ties = circle.flatMap((room) => circle.flatMap((other) => this.#ties.get(`${room} -> ${other}`) ?? []))
      return `rooms import each other in a circle: ${circle.join(', ')}\n${ties.map((tie) => `    ${tie}`).join('\n')}`
    })
    return [...ofFiles, ...ofRooms]
  }
}

function into(graph: Map<string, Set<string>>, from: string, to: string): void {
  const known = graph.get(from)
  if (known === undefined) graph.set(from, new Set([to]))
  else known.add(to)
}

export function checkBoundaries(root: string): { files: number; imports: number; refused: string[] } {
  let files = 0
  let imports = 0
  const refused: string[] = []
  const graph = new ImportGraph()
  for (const area of codeRoots) {
    let paths: string[]
    try {
      paths = [...sourceFiles(join(root, area))]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw error
    }
    for (const path of paths) {
      files += 1
      const file = relative(root, path)
      for (const found of importsOf(file, readFileSync(path, 'utf8'))) {
        imports += 1
        graph.add(file, found.target)
        const reason = refuse(file, found.target)
        if (reason !== null) refused.push(`${file}:${String(found.line)} imports ${found.target}: ${reason}`)
      }
    }
  }
  return { files, imports, refused: [...refused, ...graph.circles()] }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { files, imports, refused } = checkBoundaries(resolve(dirname(fileURLToPath(import.meta.url)), '..'))
  for (const line of refused) console.error(line)
  console.log(`boundaries: ${String(files)} files, ${String(imports)} imports, ${String(refused.length)} refused`)
  // A check that saw nothing has checked nothing.
  if (files < 50 || imports < 100) {
    console.error('boundaries: too few files were scanned to mean anything')
    process.exit(1)
  }
  process.exit(refused.length === 0 ? 0 : 1)
}
