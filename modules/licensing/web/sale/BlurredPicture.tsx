import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { pictureQuery, type PictureOf } from '../components/queries.ts'
import styles from '../components/licensing.module.css'

/** What the page looked like, with so few points that nothing is read in it. */
export function BlurredPicture(props: { of: PictureOf; number: number }): ReactNode {
  const text = useText()
  const { data } = useQuery(pictureQuery(props.of, props.number))
  const picture = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (data === undefined || picture.current === null) return undefined
    const url = URL.createObjectURL(data)
    picture.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [data])
  return (
    <figure className={styles['picture']}>
      <div>{data === undefined ? null : <img ref={picture} alt={text('licensing.page.picture.alt')} />}</div>
      <figcaption>{text('licensing.page.picture')}</figcaption>
    </figure>
  )
}
