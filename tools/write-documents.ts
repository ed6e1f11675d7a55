/** Writes what of docs/ is generated: `npm run documents`. With `--check` nothing is written, and what is not as it would be is named. */
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configurationDocument, describeSettings } from '../platform/config/describe-settings.ts'
import { conformanceDocument, writeConformance } from './conformance.ts'
import { glossaryDocument, writeGlossary } from './glossary.ts'
import { decisionsDocument, listDecisions } from './list-decisions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = [
  [configurationDocument, describeSettings],
  [conformanceDocument, writeConformance],
  [decisionsDocument, listDecisions],
  [glossaryDocument, writeGlossary],
] as const

const stale = documents
  .map(([path, write]) => ({ path, text: write() }))
  .filter(({ path, text }) => readFileSync(path, 'utf8') !== text)
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${relative(root, path)} is not what it is written from: npm run documents`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else for (const { path, text } of stale) writeFileSync(path, text)
