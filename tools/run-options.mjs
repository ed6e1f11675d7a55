// What `npm test` is asked for: `npm test -- --changed` or `--changed=REF`, `--times`.
import { spawnSync } from 'node:child_process'

export const usage = `npm test                       every check and every test
npm test -- --changed          every check, the unit and integration tests that a change since origin/main can touch
                               (without one: since the last commit), and the journeys that were changed themselves
npm test -- --changed=REF      since that commit
npm test -- --times            and how long each file took`

/** @returns the commit that tells what is changed: where this branch left origin/main, else the last commit. */
function whereItLeft(root) {
  const base = spawnSync('git', ['merge-base', 'HEAD', 'origin/main'], { cwd: root, encoding: 'utf8' })
  return base.status === 0 ? base.stdout.trim() : 'HEAD'
}

/**
 * @returns {{ since: string | null, times: boolean }} `since`: null for everything
 * @throws RangeError that names the word it does not know
 */
export function readOptions(words, root) {
  const options = { since: null, times: false }
  for (const word of words) {
    const ref = /^--changed=(\S+)$/.exec(word)?.[1]
    if (word === '--times') options.times = true
    else if (word === '--changed') options.since = whereItLeft(root)
    else if (ref !== undefined) options.since = commitOf(ref, root)
    else throw new RangeError(`unknown: ${word}\n\n${usage}`)
  }
  return options
}

function commitOf(ref, root) {
  const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  })
  if (found.status !== 0) throw new RangeError(`--changed=${ref}: there is no such commit`)
  return found.stdout.trim()
}
