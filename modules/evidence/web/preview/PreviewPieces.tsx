import type { ReactNode } from 'react'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { formatBytes, groupHex } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import type { EvidencePreview } from '../../contract/evidence.ts'
import styles from './preview.module.css'

/** Every piece with its size and digest; each can be downloaded and hashed by the visitor himself. */
export function PreviewPieces(props: { preview: EvidencePreview }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const locale = useLocale()
  const { pieces } = props.preview
  const total = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  return (
    <>
      <p>{text('evidence.pieces.lead', { count: pieces.length, size: formatBytes(total, locale) })}</p>
      <table className={styles['pieces']}>
        <thead>
          <tr>
            <th scope="col">{text('evidence.pieces.name')}</th>
            <th scope="col">{text('evidence.pieces.size')}</th>
            <th scope="col">
              <Message id="evidence.pieces.sha256" />
            </th>
          </tr>
        </thead>
        <tbody>
          {pieces.map((piece) => (
            <tr key={piece.path}>
              <td>
                <a href={apiAddress(piece.url)} download>
                  <code>{piece.path}</code>
                </a>
                <br />
                <span className={styles['soft']}>{optionalText(`evidence.role.${piece.role}`) ?? piece.role}</span>
              </td>
              <td className={styles['size']}>{formatBytes(piece.bytes, locale)}</td>
              <td>
                <code>{groupHex(piece.sha256)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
