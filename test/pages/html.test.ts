import { describe, expect, test } from 'bun:test'
import { writePageHeaders } from '../../src/http/headers.ts'
import { html, renderHtmlPage, writeRoot } from '../../src/pages/shell.ts'

describe('html`…`', () => {
  test('escapes inserted values, in text and in attributes', () => {
    const hostile = `<img src=x onerror="alert('1')">&amp;`
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      `<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;">&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;</p>`,
    )
  })

  test('leaves its own markup as it is, joins lists, and writes nothing for an empty value', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>${false}${null}${undefined}${0}${''}`.text).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
    )
  })

  test('takes no object that only looks like markup', () => {
    const forged = { text: '<script>' } as unknown as string
    expect(() => html`${forged}`.text).toThrow()
  })
})

describe('a page', () => {
  test.each([
    ['/', ''],
    ['/verify', ''],
    ['/oauth/authorize', '../'],
    ['/a/b/', '../../'],
  ])('at %s finds the root at "%s"', async (path, root) => {
    expect(writeRoot(path)).toBe(root)
    const page = await renderHtmlPage({ path, title: 'A <b>', body: html`<h1>A</h1>`, scripts: ['copy'] })
    expect(page).toContain(`href="${root}assets/pages-`)
    expect(page).toContain(`src="${root}assets/copy-`)
    expect(page).toContain('<title>A &lt;b&gt;</title>')
    expect(page).toStartWith('<!doctype html>\n<html lang="en">')
  })

  test('may name where its form ends, and nothing that would widen the policy', () => {
    const policy = writePageHeaders(['http://127.0.0.1:50999', 'cursor:'])['content-security-policy']
    expect(policy).toContain("form-action 'self' http://127.0.0.1:50999 cursor:; frame-ancestors 'none'")
    for (const hostile of ['*', "'unsafe-inline'", 'https://a.example; script-src *', 'https://a.example/path', 'a b'])
      expect(() => writePageHeaders([hostile])).toThrow('form target')
  })
})
