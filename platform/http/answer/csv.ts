/**
 * One record of RFC 4180. A cell that a spreadsheet would take for a formula gets an apostrophe in front, which is what spreadsheets
 * write there themselves (OWASP, CSV injection): nothing that somebody typed is ever computed where it is opened.
 */
export function csvRecord(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(cell))).join(',')}\r\n`
}

/** So that spreadsheets read what follows as UTF-8. */
export const csvBeginning = '\u{FEFF}'

function quoted(cell: string): string {
  const harmless = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(cell) ? `'${cell}` : cell
  return `"${harmless.replaceAll('"', '""')}"`
}
