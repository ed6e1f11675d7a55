import { drawPng, type Colour } from './pixels.ts'
import { html } from './page.ts'
import { answerWith, text, waiting, working } from './stream-pages.ts'
import type { WireHandler } from './wire-site.ts'

const block = (colour: string, more = '') =>
  html('Frame', `<style>html,body{margin:0;background:${colour}}p{margin:60px 0 0}</style>${more}`)
const document = (body: string): WireHandler => answerWith({ headers: { 'content-type': 'text/html; charset=utf-8' }, body })
const picture = (colour: Colour): WireHandler =>
  answerWith({
    headers: { 'content-type': 'image/png', 'access-control-allow-origin': '*' },
    body: drawPng(40, 40, () => colour),
  })

/** Frames of every kind, each in its colour at a known place, and every way of asking another origin. @param other origin of another site. */
export const framePages = (other: () => string, own: () => string): Readonly<Record<string, WireHandler>> => ({
  ...waiting,
  '/frames/': (asked, request, response) =>
    working(
      'Frames',
      `work.push(fetch('${other()}/cors', { method: 'PUT', headers: { 'x-own': '1' }, body: 'put across' }).then((r) => r.text()))
work.push(fetch('${other()}/cors-refused').catch(() => 0), fetch('${other()}/opaque', { mode: 'no-cors' }))
document.getElementById('f').submit()`,
      `<style>h1,p{display:none}iframe{position:absolute;left:0;width:300px;height:100px;border:0}</style>
<iframe style="top:0" src="/frame-same"></iframe>
<iframe style="top:100px" src="${other()}/frame-other"></iframe>
<iframe style="top:200px" sandbox="allow-scripts" src="/frame-sandboxed"></iframe>
<iframe style="top:300px" srcdoc="<style>body{margin:0;background:rgb(200,0,200)}</style><img src=/in-srcdoc.png>"></iframe>
<iframe style="top:400px" name="posted"></iframe><form id="f" method="post" action="/frame-posted" target="posted"><input name="champ" value="été"></form>
<iframe style="top:6000px" loading="lazy" src="/frame-lazy"></iframe>
<img style="position:absolute;top:0;left:400px" src="${other()}/picture.png"><img style="position:absolute;top:5000px;left:400px" loading="lazy" src="/lazy.png">`,
    )(asked, request, response),
  '/frame-same': document(block('rgb(200,0,0)')),
  '/frame-other': (asked, request, response) =>
    document(
      block(
        'rgb(0,200,0)',
        `<iframe style="position:absolute;top:0;left:100px;width:100px;height:100px;border:0" src="${own()}/frame-nested"></iframe><script>fetch('/asked-by-frame')</script>`,
      ),
    )(asked, request, response),
  '/frame-sandboxed': document(block('rgb(0,0,200)', '<script>document.body.dataset.ran = 1</script>')),
  '/frame-posted': document(block('rgb(200,200,0)')),
  '/frame-nested': document(block('rgb(0,200,200)')),
  '/frame-lazy': document(block('rgb(90,90,90)')),
  '/asked-by-frame': text('asked by a frame of another site'),
  '/in-srcdoc.png': picture([10, 20, 30]),
  '/picture.png': picture([40, 50, 60]),
  '/lazy.png': picture([70, 80, 90]),
  '/cors': (asked, request, response) =>
    answerWith({
      status: request.method === 'OPTIONS' ? 204 : 200,
      headers: {
        'content-type': 'text/plain',
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'x-own',
      },
      body: request.method === 'OPTIONS' ? '' : 'put',
    })(asked, request, response),
  '/cors-refused': text('not for other origins'),
  '/opaque': text('opaque'),
  '/way-301/': answerWith({ status: 301, headers: { location: '/way-302/' }, body: 'moved' }),
  '/way-302/': answerWith({ status: 302, headers: { location: '/way-303/' }, body: '' }),
  '/way-303/': answerWith({ status: 303, headers: { location: '/way-307/' }, body: 'see other' }),
  '/way-307/': answerWith({ status: 307, headers: { location: '/way-308/' }, body: '' }),
  '/way-308/': (asked, request, response) =>
    answerWith({ status: 308, headers: { location: `${other()}/way-meta/` }, body: 'for good' })(asked, request, response),
  '/way-meta/': document(html('On the way', '<p>One moment</p>', '<meta http-equiv="refresh" content="0;url=/way-script/">')),
  '/way-script/': document(
    html(
      'On the way',
      `<p>One moment more</p><script>addEventListener('pagehide', () => { navigator.sendBeacon('/left', 'goodbye'); fetch('/left-too', { method: 'POST', body: 'kept alive', keepalive: true }) }); onload = () => setTimeout(() => { location.href = '/way-end/?q=1#part' })</script>`,
    ),
  ),
  '/way-end/': document(
    html('The end of the way', '<h1 id="part">Arrived</h1><p>Words enough that the page is not blank at all.</p>'),
  ),
  '/left': answerWith({ status: 204 }),
  '/left-too': text('noted'),
})
