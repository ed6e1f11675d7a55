/** A line of a table in Markdown. */
export const tableRow = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** Its first two lines. */
export const tableHead = (cells: readonly string[]): string => `${tableRow(cells)}\n${tableRow(cells.map(() => '---'))}`
