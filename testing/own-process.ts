import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Done to the process itself, or looked for in it: whoever ran in it before, or runs in it after, would be told of it. */
const ofTheProcess = [
  /\bvi\.(?:mock|doMock|hoisted|stub\w+|useFakeTimers|spyOn|resetModules)\b/,
  /\bprocess\.(?:on|once|off|exit|exitCode|kill|umask|env|std\w+|argv|pid|ppid|memoryUsage|cpuUsage|emit\w*|chdir|title|constrainedMemory)\b/,
  /\bglobalThis\b|\bObject\.defineProperty\(|\bgc\(|\bheap\w+/,
  // Programs and browsers: what is left of them is looked for below the process. What they take is far more than one costs.
  /\bspawn|\bexecFile|\bfork\(|\blaunch|Chromium|[bB]rowser|processTree|ownProcesses|\.fixture\.ts|\bcapture(?:Static|One)\b/,
]

/** Files of tests that may follow each other in one process, below the root. */
export function mayShare(include: string): readonly string[] {
  return globSync(include, { cwd: root }).filter((name) => {
    const text = readFileSync(`${root}${name}`, 'utf8')
    return !ofTheProcess.some((each) => each.test(text))
  })
}
