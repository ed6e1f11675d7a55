// What the runners say of a run, in one form: how many passed, failed and were skipped; which failed; how long each file took.
import { relative } from 'node:path'

/** Vitest's own words, and its form of Jest's report. */
export function readVitest(report, root) {
  const files = new Map()
  const failed = []
  for (const { name, startTime, endTime, status, assertionResults } of report.testResults) {
    const file = relative(root, name)
    files.set(file, (files.get(file) ?? 0) + endTime - startTime)
    const tests = assertionResults.filter((one) => one.status === 'failed')
    for (const { fullName } of tests) failed.push(`${file}: ${fullName.trim()}`)
    // What failed before its tests, or beside them.
    if (status === 'failed' && tests.length === 0) failed.push(file)
  }
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests = 0 } = report
  return {
    counts: { passed, failed: Math.max(numFailedTests, failed.length), skipped: numPendingTests + numTodoTests },
    failed,
    files: sorted(files),
  }
}

export function readPlaywright({ stats, suites }) {
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
        if (status === 'unexpected' || status === 'flaky') failed.push(`${file}: ${[...titles, title].join(' › ')}`)
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

/** Of the time of all files of a run, what one of them may take at most: a minute of two cores' quarter of an hour. */
const largestShare = 1 / 30

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
