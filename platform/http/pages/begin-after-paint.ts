/**
 * Begins the application of a page that was sent as HTML once that was painted: before, its scripts would share a slow line, and the processor,
 * with what is read. At once where nobody looks, or where the browser does not tell; at the latest a second after everything else has come. The
 * pictures further down come after the application, which draws them itself, unless they are looked at before (decision 0490).
 * @param main its first script
 * @param parts what that one needs, which is fetched with it
 */
export const beginAfterPaint = (main: string, parts: readonly string[], nonce: string): string => `<script nonce="${nonce}">
      {
        const { nonce } = document.currentScript
        // Again where the network was away, each time after twice as long.
        const load = (pause) =>
          import(${JSON.stringify(main)}).catch((error) => {
            setTimeout(load, pause, Math.min(2 * pause, 30000))
            throw error
          })
        let begun = false
        const begin = () => {
          if (begun) return
          begun = true
          for (const href of ${JSON.stringify(parts)})
            document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', nonce, href }))
          load(1000)
        }
        if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) begin()
        else {
          new PerformanceObserver(begin).observe({ type: 'paint', buffered: true })
          document.addEventListener('visibilitychange', begin)
          addEventListener('load', () => setTimeout(begin, 1000))
        }
        addEventListener('DOMContentLoaded', () => {
          const addresses = new Map()
          const looked = new IntersectionObserver((pictures) => {
            for (const { isIntersecting, target } of pictures) if (isIntersecting) target.src = addresses.get(target)
          })
          for (const picture of document.querySelectorAll('#root img[loading=lazy][width]')) {
            addresses.set(picture, picture.src)
            // Nothing, as large as it.
            const size = picture.getAttribute('width') + ' ' + picture.getAttribute('height')
            picture.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + size + "'/>"
            looked.observe(picture)
          }
        })
      }
    </script>`
