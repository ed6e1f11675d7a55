// What the runners say of a run, in one form: how many passed, failed and were skipped; which failed, and why; how long each file took.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const mostLines = 12
const mostOfALine = 400
/** Of several errors each gets a share: a journey that ran out of its time says first that it did, and then at what it waited. */
const brief = (lines, most = mostLines) =>
  lines
    .map((line) => stripVTControlCharacters(line).trimEnd())
    .filter((line) => line !== '')
    .slice(0, most)
    .map((line) => (line.length > mostOfALine ? `${line.slice(0, mostOfALine)}…` : line))

const fromThere = /^\s+at /

/** @returns the words of an error, then where in the test it happened, else where at all */
function wordsAndPlace(error, file, root, most) {
  const lines = error.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '').split('\n')
  const places = lines.filter((line) => fromThere.test(line) && !/node_modules|node:|<anonymous>/.test(line))
  const place = places.find((line) => line.includes(file)) ?? places[0]
  const words = brief(
    lines.filter((line) => !fromThere.test(line)),
    most - 1,
  )
  return place === undefined ? words : [...words, place.trim()]
}

/** Vitest's own words, and its form of Jest's report. */
export function readVitest(report, root) {
  const files = new Map()
  const failed = []
  for (const { name, startTime, endTime, status, message, assertionResults } of report.testResults) {
    const file = relative(root, name)
    files.set(file, (files.get(file) ?? 0) + endTime - startTime)
    const tests = assertionResults.filter((one) => one.status === 'failed')
    for (const { fullName, failureMessages } of tests) {
      const share = Math.ceil(mostLines / Math.max(1, failureMessages.length))
      const why = failureMessages.flatMap((stack) => wordsAndPlace(stack, file, root, share))
      failed.push({ test: `${file}: ${fullName.trim()}`, why: brief(why) })
    }
    // What failed before its tests, or beside them.
    if (status === 'failed' && tests.length === 0) failed.push({ test: file, why: brief(message.split('\n')) })
  }
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests = 0 } = report
  return {
    counts: { passed, failed: Math.max(numFailedTests, failed.length), skipped: numPendingTests + numTodoTests },
    failed,
    files: sorted(files),
  }
}

export function readPlaywright({ config, stats, suites }) {
  const files = new Map()
  const failed = []
  // A test is of the file that was asked for, wherever the function stands that declares it.
  const visit = (suite, file, titles) => {
    for (const { title, tests } of suite.specs ?? []) {
      for (const { status, results } of tests) {
        files.set(
          file,
          results.reduce((sum, { duration }) => sum + duration, files.get(file) ?? 0),
        )
        if (status !== 'unexpected' && status !== 'flaky') continue
        const errors = results.flatMap((result) => result.errors)
        const share = Math.ceil(mostLines / Math.max(1, errors.length))
        const why = errors.flatMap(({ message = '' }) => wordsAndPlace(message, file, config.rootDir, share))
        failed.push({ test: `${file}: ${[...titles, title].join(' › ')}`, why: brief(why) })
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, file, [...titles, inner.title])
  }
  for (const suite of suites) visit(suite, suite.file, [])
  return {
    counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    failed,
    files: sorted(files),
  }
}

const sorted = (files) => [...files].map(([file, ms]) => ({ file, ms })).toSorted((a, b) => b.ms - a.ms)

/** Of the time of all files of a run, what one of them may take at most. */
const largestShare = 1 / 20

/**
 * Files that hold a whole run up. A share, not a time: a machine that is slow or busy is so for all of them.
 * @returns a line for each
 */
export function tooLong(files) {
  const all = files.reduce((sum, { ms }) => sum + ms, 0)
  return files
    .filter(({ ms }) => ms > all * largestShare)
    .map(
      ({ file, ms }) =>
        `${file} takes ${((ms / all) * 100).toFixed(1)} % of the time of all files; at most ${(largestShare * 100).toFixed(1)} %: part it, or have it do less`,
    )
}
