import { expect, test } from 'vitest'
import { LogoRefused, sanitiseSvg } from './sanitise-svg.ts'

const svg = (inside: string, root = 'viewBox="0 0 40 20"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${root}>${inside}</svg>`)

/** A reference to the one before, ten times over: `levels` lines paint 10^levels shapes. */
const bomb = (levels: number) =>
  `<defs><path id="u0" d="M0 0h1"/>${Array.from(
    { length: levels },
    (_, i) => `<g id="u${String(i + 1)}">${`<use href="#u${String(i)}"/>`.repeat(10)}</g>`,
  ).join('')}</defs><use href="#u${String(levels)}"/>`

const clipBomb = (levels: number) =>
  `<clipPath id="c0"><path d="M0 0h1"/></clipPath>${Array.from(
    { length: levels },
    (_, i) => `<clipPath id="c${String(i + 1)}">${`<path clip-path="url(#c${String(i)})" d="M0 0h1"/>`.repeat(10)}</clipPath>`,
  ).join('')}<path clip-path="url(#c${String(levels)})" d="M0 0h1"/>`

test.each([
  ['a script', svg('<script>alert(1)</script>'), 'element script'],
  [
    'a script in another namespace',
    svg('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'),
    'element script',
  ],
  ['a script without namespace', svg('<script xmlns="">alert(1)</script>'), 'element script'],
  ['a handler', svg('<path d="M0 0" onload="alert(1)"/>'), 'handler onload'],
  ['a handler of the root', svg('<path d="M0 0"/>', 'viewBox="0 0 1 1" onload="alert(1)"'), 'handler onload'],
  [
    'foreign objects',
    svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>'),
    'element foreignObject',
  ],
  ['foreign objects within kept groups', svg('<g><defs><foreignObject/></defs></g>'), 'element foreignObject'],
  ['a frame', svg('<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="https://evil.example"/>'), 'element iframe'],
  ['a picture from elsewhere', svg('<image href="https://evil.example/a.png"/>'), 'element image'],
  ['a link', svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'), 'element a'],
  ['text, which needs fonts', svg('<text>x</text>'), 'element text'],
  ['a style sheet', svg('<style>@import url(https://evil.example)</style>'), 'element style'],
  ['a style sheet beside it', Buffer.from(`<?xml-stylesheet href="https://evil.example"?>${svg('').toString()}`), 'style sheet'],
  ['animations', svg('<path d="M0 0"><animate attributeName="href" to="javascript:1"/></path>'), 'element animate'],
  ['filters', svg('<filter><feImage href="https://evil.example"/></filter>'), 'element f'],
  ['use of another file', svg('<use href="https://evil.example/a.svg#x"/>'), 'outside the file'],
  ['use of another file by xlink', svg('<use xlink:href="//evil.example/a.svg#x"/>'), 'outside the file'],
  ['use of data', svg('<use href="data:image/svg+xml;base64,AAAA#x"/>'), 'outside the file'],
  ['a paint from elsewhere', svg('<path d="M0 0" fill="url(https://evil.example/#a)"/>'), 'out of the file'],
  ['a paint from elsewhere in a style', svg('<path d="M0 0" style="fill:url(//evil.example/#a)"/>'), 'out of the file'],
  ['a paint that hides its scheme', svg('<path d="M0 0" fill="u\\72l(https:evil)"/>'), 'out of the file'],
  ['a background in a style', svg('<path d="M0 0" style="background:url(https://evil.example)"/>'), 'not taken'],
  ['a document type', Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<title>&a;</title>').toString()}`), 'document type'],
  [
    'an entity that reads a file',
    Buffer.from(`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('').toString()}`),
    'document type',
  ],
  ['an entity of nobody', svg('<title>&a;</title>'), 'no well-formed XML'],
  ['HTML', Buffer.from('<html><script>alert(1)</script></html>'), 'root is no svg'],
  ['an svg of no namespace', Buffer.from('<svg viewBox="0 0 1 1"/>'), 'root is no svg'],
  ['no XML', Buffer.from('GIF89a'), 'no well-formed XML'],
  ['a bomb of references', svg(bomb(9)), 'would be painted'],
  ['a bomb of clips', svg(clipBomb(9)), 'would be painted'],
  ['a circle of references', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), 'circle'],
  ['too many elements', svg('<path d="M0 0"/>'.repeat(2001)), 'more than 2000 elements'],
  ['too deep', svg(`${'<g>'.repeat(100)}${'</g>'.repeat(100)}`), 'no well-formed XML'],
  ['no size', svg('<path d="M0 0"/>', ''), 'viewBox'],
  ['a size that is none', svg('<path d="M0 0"/>', 'viewBox="0 0 0 -4"'), 'viewBox'],
])('%s is refused by name', (_, file, words) => {
  expect(() => sanitiseSvg(file)).toThrow(LogoRefused)
  expect(() => sanitiseSvg(file)).toThrow(words)
})

test('a logo as drawing programs save it is made anew of what a viewer sees', () => {
  const made = sanitiseSvg(
    Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<!-- made with a program -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  width="40mm" height="20mm" viewBox="0 0 40 20" inkscape:version="1.3" data-secret="x" class="y">
  <metadata><work>of somebody</work></metadata>
  <title>Œuvre &amp; &lt;Cie&gt;</title>
  <defs><linearGradient id="a"><stop offset="0" style="stop-color:#112233;stop-opacity:.5"/></linearGradient>
    <linearGradient id="b" xlink:href="#a"/><path id="p" d="M0 0h4v4z"/></defs>
  <g inkscape:label="layer" style="fill:url(#b); stroke : none"><use xlink:href="#p" transform="translate(3,4)"/><use href="#nowhere"/></g>
</svg>`),
  )
  expect(made).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20"><title>Œuvre &amp; &lt;Cie></title>' +
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#112233" stop-opacity=".5"/></linearGradient>' +
      '<linearGradient id="b" href="#a"/><path id="p" d="M0 0h4v4z"/></defs>' +
      '<g fill="url(#b)" stroke="none"><use transform="translate(3,4)" href="#p"/><use/></g></svg>',
  )
  // Made anew once more, it is the same.
  expect(sanitiseSvg(Buffer.from(made.replace('Œuvre &amp; &lt;Cie>', 'x')))).toBe(made.replace('Œuvre &amp; &lt;Cie>', 'x'))
})
