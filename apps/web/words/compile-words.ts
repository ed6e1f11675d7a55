import { isLiteralElement, parse } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import { fileURLToPath } from 'node:url'

/** @returns the same catalogue: each text as it is said, or, where something is to be filled in, as what a reader of ICU MessageFormat makes of it */
export function compileWords(catalogue: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(catalogue).map(([id, text]) => {
      const [only, ...others] = parse(text)
      return [id, only === undefined ? '' : others.length === 0 && isLiteralElement(only) ? only.value : [only, ...others]]
    }),
  )
}

/** Texts are read by the build, once: no browser is sent what reads them (a tenth of the script of a page). */
export function wordsAreCompiled(): Plugin {
  return {
    name: 'probant:words',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      resolve: {
        alias: [
          {
            find: /^@formatjs\/icu-messageformat-parser$/,
            replacement: fileURLToPath(new URL('./compiled-words.ts', import.meta.url)),
          },
        ],
      },
    }),
    transform: {
      filter: { id: /\/messages\/[^/]+\.json$/ },
      handler: (source) => ({ code: JSON.stringify(compileWords(JSON.parse(source) as Record<string, string>)), map: null }),
    },
  }
}
