import { assert as check, property, string } from '../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import { escapeHtml, html, htmlToString, trustedHtml } from './html.ts'

describe('html', () => {
  it('escapes text, attribute values, numbers and lists, and keeps its own markup', () => {
    const attack = `"><script>alert('1')</script>&amp;`
    expect(htmlToString(html`<p title="${attack}">${[attack, 3, html`<b>${'<'}</b>`]}</p>`)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;3<b>&lt;</b></p>',
    )
  })

  it('leaves out null, undefined and false, and writes zero', () => {
    expect(htmlToString(html`<i>${null}${undefined}${false}${0}</i>`)).toBe('<i>0</i>')
  })

  it('refuses an attribute without quotes', () => {
    expect(() => html`<a title=${'x'}></a>`).toThrow(TypeError)
  })

  it('takes trusted markup as it is', () => {
    expect(htmlToString(html`${trustedHtml('<svg></svg>')}`)).toBe('<svg></svg>')
  })

  it('never lets a character of markup through, whatever the text', () => {
    check(
      property(string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      }),
    )
  })

  it('does not take an object that looks like markup', () => {
    const forged = JSON.parse('{"html":"<script>"}') as never
    expect(() => html`${forged}`).toThrow(TypeError)
  })
})
