import { useState, type ReactNode } from 'react'
import type { Picture } from '../../kernel/document/blocks.ts'
import { apiAddress } from '../api/api-address.ts'
import { visible } from '../intl/visible.ts'
import styles from './document.module.css'
import { useShown } from './shown.ts'

type From = NonNullable<Picture['from']>
type Rows = From['rows'][number]

/** A drawing, or rows of original images; of what is neither here, and of rows that an image turns out not to have, only what is said of it. */
export function PictureView({ picture }: { picture: Picture }): ReactNode {
  const { pictures } = useShown()
  const [refused, setRefused] = useState(false)
  const { from } = picture
  const alt = visible(picture.alt)
  const drawing = pictures.drawings.get(picture.file)
  if (drawing !== undefined) return <img className={styles['drawing']} src={drawing} alt={alt} />
  const windows = (from?.rows ?? []).map((rows) => ({ rows, url: pictures.originals.get(rows.path) }))
  if (from === undefined || windows.length === 0 || refused || windows.some(({ url }) => url === undefined))
    return (
      <p className={styles['absent']}>
        <span className={styles['soft']}>{pictures.notShown}</span> {alt}
      </p>
    )
  return (
    <div className={styles['picture']} role="img" aria-label={alt}>
      {windows.map(({ rows, url = '' }, i) => (
        <Window key={i} url={url} rows={rows} width={from.width} refuse={() => setRefused(true)} onBroken={pictures.onBroken} />
      ))}
    </div>
  )
}

/**
 * Rows of an image that is loaded whole, once for all windows on it. As wide as its window, it is moved up by the rows before these: a share of
 * what of it is out of sight (CSS Images 3 §5.2), which is known once it is there.
 */
function Window(props: { url: string; rows: Rows; width: number; refuse: () => void; onBroken: () => void }): ReactNode {
  const { rows, width } = props
  const [height, setHeight] = useState<number | null>(null)
  const shown = rows.lastRow - rows.firstRow + 1
  const hidden = (height ?? 0) - shown
  return (
    <div className={styles['window']} style={{ aspectRatio: `${width} / ${Math.max(1, shown)}` }}>
      <img
        src={apiAddress(props.url)}
        alt=""
        loading="lazy"
        decoding="async"
        onError={props.onBroken}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          // Another image than the one that was cut: its rows would be shown for others.
          if (naturalWidth !== width || naturalHeight < rows.lastRow || shown < 1) props.refuse()
          else setHeight(naturalHeight)
        }}
        style={
          height === null
            ? { visibility: 'hidden' }
            : { objectPosition: `0 ${hidden > 0 ? ((rows.firstRow - 1) / hidden) * 100 : 0}%` }
        }
      />
    </div>
  )
}
