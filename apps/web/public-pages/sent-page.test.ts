import { expect, test } from 'vitest'
import { toSentPage } from './sent-page.ts'

test('styles of single elements stand in a sheet: the policy of pages allows no attribute', () => {
  const { html, css } = toSentPage(
    '<p style="--a:url(&quot;x&quot;);height:3rem">one style=&quot;no&quot;</p><i>b</i><p style="top:0">two</p>',
  )
  expect(html).toBe('<p data-of="0">one style=&quot;no&quot;</p><i>b</i><p data-of="1">two</p>')
  expect(css).toBe('[data-of="0"][data-of]{--a:url("x");height:3rem}\n[data-of="1"][data-of]{top:0}')
})

test('of the kit’s own style sheets those come along whose classes the page has; no script does', () => {
  const { html, css } = toSentPage(
    '<style data-x="1">.used{top:0}</style><style>@media (min-width: 37.5em){.unused{top:1px}}</style><script>alert(1)</script><p class="used">a</p>',
  )
  expect(html).toBe('<p class="used">a</p>')
  expect(css).toBe('.used{top:0}')
})

test('what only a script can answer is inert until there is one; links and fields are not', () => {
  expect(
    toSentPage('<button type="submit">a</button><details><summary>b</summary></details><a href="/">c</a><input/>').html,
  ).toBe('<button inert type="submit">a</button><details inert><summary>b</summary></details><a href="/">c</a><input/>')
})

test('a form leads nowhere before there is a script, but to whom it names itself', () => {
  expect(toSentPage('<form class="a" novalidate=""><input name="password"/></form>').html).toBe(
    '<form method="dialog" class="a" novalidate=""><input name="password"/></form>',
  )
  const theirs = '<form method="post" action="https://list.example/"><input name="email"/></form>'
  expect(toSentPage(theirs).html).toBe(theirs)
})
