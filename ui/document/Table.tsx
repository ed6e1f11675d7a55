// What is displayed as something else loses the role that it has by itself: these are redundant on wide screens only.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */
import type { ReactNode } from 'react'
import type { Block, Cell } from '../../kernel/document/blocks.ts'
import styles from './document.module.css'
import { useShown } from './shown.ts'

type TableBlock = Extract<Block, { readonly kind: 'table' }>

/**
 * Where there is no room for columns, rows become cards whose values carry the names of their columns (document.module.css). Displayed so, an
 * element is a table to nobody unless its roles say so.
 */
export function Table(props: { table: TableBlock; children: (cell: Cell) => ReactNode }): ReactNode {
  const { table } = props
  const { columns, rows, size } = table
  const { outline } = useShown()
  const above = outline.above.get(table)
  return (
    <table
      className={styles['table']}
      role="table"
      data-size={size}
      aria-labelledby={above === undefined ? undefined : outline.anchors.get(above)}
    >
      <colgroup>
        {columns.map(({ share }, i) => (
          <col key={i} style={share === undefined ? undefined : { width: `${share}%` }} />
        ))}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, figures }, i) =>
            // What heads nothing is no head.
            head === '' ? (
              <td key={i} role="cell" />
            ) : (
              <th key={i} scope="col" role="columnheader" data-figures={figures}>
                {head}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, i) => (
          <tr key={i} role="row">
            {row.map((cell, j) => (
              <td key={j} role="cell" data-head={columns[j]?.head} data-figures={columns[j]?.figures}>
                {props.children(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
