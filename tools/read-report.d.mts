/** File and title of what failed, and the first lines of its errors, each with its place. */
type Failure = { readonly test: string; readonly why: readonly string[] }

/** What one run came to. */
type Read = {
  readonly counts: { readonly passed: number; readonly failed: number; readonly skipped: number }
  readonly failed: readonly Failure[]
  /** The slowest first. */
  readonly files: readonly { readonly file: string; readonly ms: number }[]
}

/** @param root files are told from there */
export function readVitest(report: unknown, root: string): Read
export function readPlaywright(report: unknown): Read

export function tooLong(files: readonly { readonly file: string; readonly ms: number }[]): string[]
