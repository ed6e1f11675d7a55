/** Fonts of our own text (fonts/README.md), which must not depend on the machine; other scripts are set in what the machine has. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('./fonts/', import.meta.url))

export const fontFiles = (): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /\.(?:otf|ttf)$/.test(name))
    .toSorted()
    .map((name) => `${folder}${name}`)
