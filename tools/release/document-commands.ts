import { readFileSync } from 'node:fs'

/** What a document of docs/operating tells its reader to type: each block of `sh`, in order. @throws Error when there is none */
export function commandsOf(file: string): readonly string[] {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  if (blocks.length === 0) throw new Error(`${file} has no commands`)
  return blocks
}
