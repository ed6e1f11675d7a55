/** Where a tall picture may be cut so that no line of text is cut in two. Pure. */

/** A change of colour between two pixels that an eye sees, in one channel. */
const visibleStep = 24

/**
 * How many times the colour changes along a row of RGB. A blank row has none; a row between two lines of text has as many as
 * there are vertical rules and borders; a row through letters has hundreds.
 */
export function colourChanges(row: Uint8Array): number {
  let changes = 0
  for (let i = 3; i + 2 < row.length; i += 3) {
    const step = Math.max(
      Math.abs((row[i] ?? 0) - (row[i - 3] ?? 0)),
      Math.abs((row[i + 1] ?? 0) - (row[i - 2] ?? 0)),
      Math.abs((row[i + 2] ?? 0) - (row[i - 1] ?? 0)),
    )
    if (step >= visibleStep) changes += 1
  }
  return changes
}

/** Share of the height of a slice, from its foot, in which a better place is looked for. */
const searched = 0.15

/**
 * How many of `rows` come before the cut: all of them, or fewer when nearer the foot there is a band between lines of text. The
 * cut is in the middle of the quietest band, the highest of several equally quiet ones, the lowest of those equally high.
 */
export function quietCut(rows: readonly Uint8Array[], width: number): number {
  const from = Math.ceil(rows.length * (1 - searched))
  const most = Math.max(4, Math.floor(width / 100))
  let best = { changes: Number.POSITIVE_INFINITY, height: 0, cut: rows.length }
  let band: { changes: number; from: number } | null = null
  for (let y = from; y <= rows.length; y += 1) {
    const row = rows[y]
    const changes = row === undefined ? null : colourChanges(row)
    if (band !== null && changes === band.changes) continue
    if (band !== null && band.changes <= most) {
      const height = y - band.from
      // A rule or a border is a band of one or two rows: no better than a cut anywhere.
      const better = band.changes < best.changes || (band.changes === best.changes && height >= best.height)
      if (height >= 3 && better) best = { changes: band.changes, height, cut: band.from + Math.ceil(height / 2) }
    }
    band = changes === null ? null : { changes, from: y }
  }
  return best.cut
}
